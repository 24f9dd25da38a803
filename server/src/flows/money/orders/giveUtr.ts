import { UPI_CONFIRM_MS } from '@garba/shared/constants'
import type { Order } from '@garba/shared/contracts/order'
import { Refusal } from '../../../refusal.ts'
import { newId } from '../../../store/ids.ts'
import { addToSearch, extendHold } from '../../../store/orders.ts'
import { changePayment, findPaymentByUtr, insertPayment, newPayment, paymentsOf } from '../../../store/payments.ts'
import type { WriteTx } from '../../../store/sql.ts'
import type { Caller, Deps } from '../../deps.ts'
import { ownOrder, rowsOf, sameOrder } from './orderRows.ts'
import { orderView } from './orderView.ts'

interface Given {
  user: Caller
  code: string
  /** 12 digits. */
  utr: string
}

/**
 * Stores the bank's number of a UPI payment as its buyer gives it: a claim, not money. The seats are then held for a
 * day, in which the desk looks it up in the bank's statement; a new number replaces the last. Refuses with
 * ORDER_NOT_FOUND, ORDER_NOT_HELD for an order that is settled or paid another way, or UTR_USED.
 */
export const giveUtr = (deps: Deps, { utr, ...asked }: Given): Promise<Order> =>
  deps.store.write(async (tx) => {
    const order = await ownOrder(tx, asked)
    if (order.state !== 'held' || order.provider !== 'upi') throw new Refusal('ORDER_NOT_HELD')
    const payments = await paymentsOf(tx, order.id)
    const claim = payments.find(({ state }) => state !== 'captured')
    await requireNewUtr(tx, { utr, paymentId: claim?.id ?? null })
    const now = deps.now()
    if (claim && claim.utr !== utr) await changePayment(tx, claim, { state: 'pending', utr, updatedAt: now })
    // A part of its money has come: this number belongs to the rest.
    if (!claim) {
      const received = payments.reduce((sum, { amountPaise }) => sum + amountPaise, 0)
      const rest = { amountPaise: Math.max(0, order.totalPaise - received), utr, state: 'pending' } as const
      await insertPayment(
        tx,
        newPayment({ id: newId(now), orderId: order.id, provider: 'upi', createdAt: now, ...rest }),
      )
    }
    if (claim?.utr !== utr) await addToSearch(tx, order.id, utr)
    const until = new Date(order.createdAt.getTime() + UPI_CONFIRM_MS)
    if ((order.holdUntil ?? now) < until) await extendHold(tx, order.id, until)
    return orderView(await rowsOf(tx, await sameOrder(tx, order)), deps.settings.payments)
  })

/** Each bank transfer pays one order; a claim for an order that has ended is free again. Refuses with UTR_USED. */
export async function requireNewUtr(
  tx: WriteTx,
  { utr, paymentId }: { utr: string; paymentId: string | null },
): Promise<void> {
  const other = await findPaymentByUtr(tx, utr)
  if (other && other.id !== paymentId) throw new Refusal('UTR_USED')
}
