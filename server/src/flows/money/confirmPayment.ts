import type { DeskOrder } from '@garba/shared/contracts/order'
import { ORDER, ORDER_WORDS } from '@garba/shared/messages/order'
import { Refusal } from '../../refusal.ts'
import { resolveByKey } from '../../store/attention.ts'
import { addToSearch, type OrderRow } from '../../store/orders.ts'
import { changePayment, type PaymentRow, paymentsOf } from '../../store/payments.ts'
import type { WriteTx } from '../../store/sql.ts'
import { aboutBuyer, audited } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { signIds } from '../issueTickets.ts'
import { settleCapture } from './applyCapture.ts'
import { deskOrderOf, orderByCode } from './deskOrders.ts'
import { requireNewUtr } from './giveUtr.ts'
import { unprovenKey } from './recordSale.ts'

interface Confirming {
  admin: Caller
  code: string
  /** The bank's number as the statement has it, if it is not the one that the buyer gave. */
  utr?: string | undefined
  note?: string | undefined
}

/**
 * Records that the money of a UPI order is in the bank: its tickets are made, also after the hold lapsed while seats are free,
 * or else the money waits to be paid back. A confirmed order is answered unchanged. Refuses with ORDER_NOT_FOUND,
 * ORDER_NOT_HELD for orders that are paid another way, or UTR_USED (DECISIONS 7).
 */
export async function confirmPayment(deps: Deps, { admin, code, utr, note }: Confirming): Promise<DeskOrder> {
  const order = await deps.store.read((tx) => orderByCode(tx, code))
  if (order.provider !== 'upi' || order.eventId === null) throw new Refusal('ORDER_NOT_HELD')
  const signed = await signIds(deps, { eventId: order.eventId, quantity: order.quantity })
  return deps.store.write(async (tx) => {
    const [payment] = await paymentsOf(tx, order.id)
    const now = deps.now()
    if (payment?.state === 'captured' && payment.utr === null && utr !== undefined)
      await prove(tx, { payment, order, utr, now })
    if (!payment || payment.state === 'captured') return deskOrderOf(deps, tx, order)
    if (utr !== undefined) await requireNewUtr(tx, { utr, paymentId: payment.id })
    const money = { utr: utr ?? payment.utr, note: note ?? null, recordedById: admin.id, recordedByName: admin.name }
    const captured = await changePayment(tx, payment, { ...money, state: 'captured', capturedAt: now, updatedAt: now })
    if (!captured) throw new Refusal('UNAVAILABLE')
    if (utr !== undefined && utr !== payment.utr) await addToSearch(tx, order.id, utr)
    await settleCapture(deps, tx, { payment: captured, signed })
    const detail = [ORDER.confirmed(code), captured.utr, note].filter(Boolean).join('; ')
    await audited(tx, { at: now, action: 'order.confirmed', actor: admin, subject: aboutBuyer(order), detail })
    return deskOrderOf(deps, tx, order)
  })
}

/** A sale that counted before its number was known is proven by it. Refuses with UTR_USED. */
async function prove(
  tx: WriteTx,
  { payment, order, utr, now }: { payment: PaymentRow; order: OrderRow; utr: string; now: Date },
): Promise<void> {
  await requireNewUtr(tx, { utr, paymentId: payment.id })
  await changePayment(tx, payment, { state: 'captured', utr, updatedAt: now })
  await addToSearch(tx, order.id, utr)
  await resolveByKey(tx, unprovenKey(order.id), { resolvedAt: now, resolution: ORDER_WORDS.proven(utr) })
}
