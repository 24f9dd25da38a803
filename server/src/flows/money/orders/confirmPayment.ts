import type { DeskOrder } from '@garba/shared/contracts/order'
import { ORDER, ORDER_WORDS } from '@garba/shared/messages/order'
import { formatRupees, toPaise, toRupees } from '@garba/shared/rules/money'
import { Refusal } from '../../../refusal.ts'
import { resolveByKey } from '../../../store/attention.ts'
import { newId, type WriteTx } from '../../../store/engine/sql.ts'
import { addToSearch, type OrderRow } from '../../../store/orders.ts'
import {
  changePayment,
  findPaymentByUtr,
  insertPayment,
  newPayment,
  type PaymentRow,
  paymentsOf,
} from '../../../store/payments.ts'
import { aboutBuyer, audited } from '../../audited.ts'
import type { Caller, Deps } from '../../deps.ts'
import { type SignedId, signIds } from '../../tickets/issueTickets.ts'
import { settleCapture } from './applyFacts.ts'
import { deskOrderOf, orderByCode } from './deskOrders.ts'
import { sameOrder } from './orderRows.ts'
import { requireNewUtr, unprovenKey } from './recordSale.ts'

interface Confirming {
  admin: Caller
  code: string
  /** The amount received, in rupees. */
  amount: number
  /** The bank's number on the statement, if it differs from the buyer's. */
  utr?: string | undefined
  note?: string | undefined
}

/**
 * Records that money of a UPI order is in the bank. The whole total makes its tickets, even after the hold lapsed if
 * seats are free; less keeps the order held until the rest comes; surplus or late money waits to be paid back. The same
 * credit again changes nothing. Refuses with ORDER_NOT_FOUND, ORDER_NOT_HELD for orders paid another way,
 * VALIDATION_FAILED for a further credit without its UTR, or UTR_USED.
 */
export async function confirmPayment(deps: Deps, { admin, code, amount, utr, note }: Confirming): Promise<DeskOrder> {
  const order = await deps.store.read((tx) => orderByCode(tx, code))
  if (order.provider !== 'upi' || order.eventId === null) throw new Refusal('ORDER_NOT_HELD')
  const signed = await signedFor(deps, order)
  return deps.store.write(async (tx) => {
    const credit = { order: await sameOrder(tx, order), paise: toPaise(amount), utr, note, admin, signed }
    await recordCredit(deps, tx, credit)
    return deskOrderOf(deps, tx, order)
  })
}

/** Proves a sale that counted before its number was known. Refuses with UTR_USED. */
async function prove(
  tx: WriteTx,
  { payment, order, utr, now }: { payment: PaymentRow; order: OrderRow; utr: string; now: Date },
): Promise<void> {
  await requireNewUtr(tx, { utr, paymentId: payment.id })
  await changePayment(tx, payment, { state: 'captured', utr, updatedAt: now })
  await addToSearch(tx, order.id, utr)
  await resolveByKey(tx, unprovenKey(order.id), { resolvedAt: now, resolution: ORDER_WORDS.proven(utr) })
}

/** Signs codes for the tickets of an order that a credit may pay. They are made before the write. */
export const signedFor = async (
  deps: Deps,
  { state, eventId, quantity }: Pick<OrderRow, 'state' | 'eventId' | 'quantity'>,
): Promise<SignedId[]> => (state === 'paid' || eventId === null ? [] : signIds(deps, { eventId, quantity }))

interface Credit {
  order: OrderRow
  paise: number
  utr?: string | undefined
  note?: string | undefined
  admin: Caller
  signed: readonly SignedId[]
}

/** Writes a credit of the bank account into its order, once. Refuses as `confirmPayment`. */
export async function recordCredit(
  deps: Deps,
  tx: WriteTx,
  { order, paise, utr, note, admin, signed }: Credit,
): Promise<void> {
  const payments = await paymentsOf(tx, order.id)
  const asked = payments.find(({ state }) => state !== 'captured')
  if (utr !== undefined && payments.some((payment) => payment.state === 'captured' && payment.utr === utr)) return
  const unproven = order.state === 'paid' ? payments.find(({ utr: known }) => known === null) : undefined
  if (unproven && utr !== undefined && unproven.amountPaise === paise)
    return prove(tx, { payment: unproven, order, utr, now: deps.now() })
  const number = utr ?? asked?.utr ?? null
  if (!asked && number === null) {
    if (order.state === 'paid') return
    const message = ORDER.furtherUtr
    throw new Refusal('VALIDATION_FAILED', { message, errors: [{ field: 'utr', message }] })
  }
  if (number !== null) await takeUtr(deps, tx, { utr: number, paymentId: asked?.id ?? null })
  const now = deps.now()
  const money = { utr: number, note: note ?? null, recordedById: admin.id, recordedByName: admin.name }
  const captured = { ...money, amountPaise: paise, state: 'captured', capturedAt: now, updatedAt: now } as const
  const payment = asked
    ? await changePayment(tx, asked, captured)
    : newPayment({ id: newId(now), orderId: order.id, provider: 'upi', createdAt: now, ...captured })
  if (!payment) throw new Refusal('UNAVAILABLE')
  if (!asked) await insertPayment(tx, payment)
  if (number !== null && number !== asked?.utr) await addToSearch(tx, order.id, number)
  await settleCapture(deps, tx, { payment, signed })
  const detail = [ORDER.confirmed(order.code), formatRupees(toRupees(paise)), number, note].filter(Boolean).join('; ')
  await audited(tx, { at: now, action: 'order.confirmed', actor: admin, subject: aboutBuyer(order), detail })
}

/**
 * A credit the desk has seen outweighs another buyer's claim: that claim is taken back, and its buyer is asked for a
 * number again. Refuses with UTR_USED when the transfer has paid another order.
 */
async function takeUtr(
  { now }: Deps,
  tx: WriteTx,
  { utr, paymentId }: { utr: string; paymentId: PaymentRow['id'] | null },
): Promise<void> {
  const other = await findPaymentByUtr(tx, utr)
  if (!other || other.id === paymentId) return
  if (other.state === 'captured') throw new Refusal('UTR_USED')
  await changePayment(tx, other, { state: 'created', utr: null, updatedAt: now() })
}
