import { UPI_CONFIRM_MS } from '@garba/shared/constants'
import type { Order } from '@garba/shared/contracts/order'
import { Refusal } from '../../refusal.ts'
import { addToSearch, extendHold } from '../../store/orders.ts'
import { changePayment, findPaymentByUtr, paymentsOf } from '../../store/payments.ts'
import type { WriteTx } from '../../store/sql.ts'
import type { Caller, Deps } from '../deps.ts'
import { orderView } from '../views/order.ts'
import { ownOrder, rowsOf, sameOrder } from './orderRows.ts'

interface Given {
  user: Caller
  code: string
  /** 12 digits. */
  utr: string
}

/**
 * Stores the bank's number of a UPI payment, as its buyer gives it: a claim, not money. The seats are then held for a day, in
 * which the desk looks it up in the bank's statement; a new number replaces the one before. Refuses with ORDER_NOT_FOUND,
 * ORDER_NOT_HELD for an order that is settled or paid another way, or UTR_USED (DECISIONS 7).
 */
export const giveUtr = (deps: Deps, { utr, ...asked }: Given): Promise<Order> =>
  deps.store.write(async (tx) => {
    const order = await ownOrder(tx, asked)
    const [payment] = await paymentsOf(tx, order.id)
    if (order.state !== 'held' || order.provider !== 'upi' || !payment) throw new Refusal('ORDER_NOT_HELD')
    await requireNewUtr(tx, { utr, paymentId: payment.id })
    const now = deps.now()
    if (payment.utr !== utr) {
      await changePayment(tx, payment, { state: 'pending', utr, updatedAt: now })
      await addToSearch(tx, order.id, utr)
    }
    await extendHold(tx, order.id, new Date(order.createdAt.getTime() + UPI_CONFIRM_MS))
    return orderView(await rowsOf(tx, await sameOrder(tx, order)), deps.settings.payments)
  })

/** Each bank transfer pays one order. Refuses with UTR_USED. */
export async function requireNewUtr(
  tx: WriteTx,
  { utr, paymentId }: { utr: string; paymentId: string | null },
): Promise<void> {
  const other = await findPaymentByUtr(tx, utr)
  if (other && other.id !== paymentId) throw new Refusal('UTR_USED')
}
