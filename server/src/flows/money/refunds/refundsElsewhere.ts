import { ORDER_WORDS } from '@garba/shared/messages/order'
import { computeRefund } from '@garba/shared/rules/cancellation'
import { isRefundDone } from '@garba/shared/rules/orders/orderMoney'
import { insertAttention, listOrderAttention, reopenByKey, resolveByKey } from '../../../store/attention.ts'
import { listIds, type ReadTx, type WriteTx } from '../../../store/engine/sql.ts'
import type { OrderRow } from '../../../store/orders.ts'
import { findPayment, listOrderPayments, type PaymentRow } from '../../../store/payments.ts'
import {
  changeRefund,
  findRefund,
  insertRefund,
  listPaymentRefunds,
  type RefundRow,
  refundsOfTickets,
} from '../../../store/refunds.ts'
import { findTicket, moveTicket, type TicketRow, ticketsOfOrder } from '../../../store/tickets.ts'

/**
 * Handles refunds that this database did not request: made at the provider's own dashboard, or by this server after the
 * backup that was restored. Their tickets are unknown, so the desk must cancel tickets while the order has more of them
 * than its money buys.
 */
const KIND = 'refundedElsewhere'
const buildElsewhereKey = (refundId: string): string => `${KIND}:${refundId}`

async function validTickets(tx: ReadTx, orderId: string): Promise<{ valid: TicketRow[]; missing: number }> {
  const left = (await capturedMoney(tx, orderId)).reduce((paise, { leftPaise }) => paise + leftPaise, 0)
  const valid = (await ticketsOfOrder(tx, orderId)).filter(({ status }) => status !== 'cancelled')
  return { valid, missing: sumOfPrices(valid) - left }
}

export const lacksMoney = async (tx: ReadTx, orderId: string): Promise<boolean> =>
  (await validTickets(tx, orderId)).missing > 0

/**
 * Counts the valid tickets of an order that have no money at all. A gap smaller than one price is a favour, not a
 * refund.
 */
export async function ticketsWithoutMoney(
  tx: ReadTx,
  orderId: string,
): Promise<{ lost: number; valid: readonly TicketRow[] }> {
  const { valid, missing } = await validTickets(tx, orderId)
  let [lost, covered] = [0, 0]
  for (const pricePaise of valid.map((ticket) => ticket.pricePaise).toSorted((a, b) => a - b)) {
    covered += pricePaise
    if (covered <= missing) lost += 1
  }
  return { lost, valid }
}

export async function gaveUpMoney(tx: ReadTx, { id, state, totalPaise }: OrderRow): Promise<boolean> {
  const captured = (await listOrderPayments(tx, id)).filter((payment) => payment.state === 'captured')
  const loose = (await listPaymentRefunds(tx, listIds(captured))).filter(({ ticketId }) => ticketId === null)
  const received = captured.reduce((paise, { amountPaise }) => paise + amountPaise, 0)
  return state === 'paid' && received - paiseBack(loose) < totalPaise
}

export async function addElsewhereMatter(
  tx: WriteTx,
  { orderId, refund, now }: { orderId: string; refund: RefundRow; now: Date },
): Promise<void> {
  await insertAttention(tx, {
    kind: KIND,
    dedupeKey: buildElsewhereKey(refund.id),
    orderId,
    paymentId: refund.paymentId,
    amountPaise: refund.amountPaise,
    detail: refund.providerRefundId ?? refund.id,
    at: now,
  })
  await reopenByKey(tx, buildElsewhereKey(refund.id))
}

async function openElsewhere(tx: ReadTx, orderId: string): Promise<RefundRow[]> {
  const open = await listOrderAttention(tx, { orderId, kind: KIND })
  const refunds = await Array.fromAsync(open, ({ dedupeKey }) =>
    findRefund(tx, dedupeKey.slice(buildElsewhereKey('').length)),
  )
  return refunds.filter((refund) => refund !== undefined)
}

/**
 * The refunds made elsewhere that include a ticket's money, except those that already belong to another ticket; null if
 * there are none. A refund of less than is due for the ticket is a favour.
 */
export async function refundsElsewhere(
  tx: ReadTx,
  { id, orderId, pricePaise }: TicketRow,
): Promise<RefundRow[] | null> {
  if (orderId === null) return null
  const made = (await openElsewhere(tx, orderId)).filter(({ state }) => state !== 'failed')
  if (made.length === 0) return null
  const loose = made.filter(isLoose)
  const { valid, missing } = await validTickets(tx, orderId)
  const own = valid.some((ticket) => ticket.id === id) ? pricePaise : 0
  // One refund at the provider may have taken the money of several tickets.
  const isInAnother = loose.length < made.length && missing + dueFor(pricePaise) > own
  return isInAnother || paiseBack(loose) >= dueFor(pricePaise) ? loose : null
}

/**
 * Assigns refunds made elsewhere to a ticket cancelled now. True if the order had any: the money of this ticket is back
 * already, and no other refund is due.
 */
export async function claimRefundElsewhere(tx: WriteTx, ticket: TicketRow, now: Date): Promise<boolean> {
  const refunds = await refundsElsewhere(tx, ticket)
  if (ticket.orderId === null || refunds === null) return false
  let due = dueFor(ticket.pricePaise)
  for (const refund of refunds) {
    if (due <= 0) break
    // These refunds failed before the ticket was made valid again.
    const failed = (await refundsOfTickets(tx, [ticket.id])).filter(({ state }) => state === 'failed')
    await coverRefunds(tx, { made: refund, covered: failed, now })
    await giveTo(tx, { ticket, refund, now })
    due -= refund.amountPaise
  }
  if (refunds.length === 0) await markPaidBack(tx, ticket, now)
  await resolveElsewhereMatters(tx, ticket.orderId, now)
  return true
}

async function giveTo(
  tx: WriteTx,
  { ticket, refund, now }: { ticket: TicketRow; refund: RefundRow; now: Date },
): Promise<void> {
  // The time stays that of the payout, by which the money counts.
  const { state, updatedAt } = refund
  const row = await changeRefund(tx, refund, { state, ticketId: ticket.id, updatedAt })
  if (row) await showRefunds(tx, ticket.id, now)
}

/**
 * Resolves the matters once the tickets of the order agree with its money. Refunds without a ticket wait for the desk's
 * decision.
 */
export async function resolveElsewhereMatters(tx: WriteTx, orderId: string, now: Date): Promise<void> {
  const made = await openElsewhere(tx, orderId)
  if (made.length === 0 || (await lacksMoney(tx, orderId))) return
  for (const refund of made)
    if (!isLoose(refund))
      await resolveByKey(tx, buildElsewhereKey(refund.id), { resolvedAt: now, resolution: ORDER_WORDS.agrees })
}

export async function showRefunds(tx: WriteTx, ticketId: string, now: Date): Promise<void> {
  const ticket = await findTicket(tx, ticketId)
  if (ticket?.status !== 'cancelled') return
  const refunds = await refundsOfTickets(tx, [ticket.id])
  const done = isRefundDone(refunds.map(({ state }) => state))
  if (refunds.length === 0 || ticket.isRefundDone === done) return
  await moveTicket(tx, ticket, { status: 'cancelled', isRefundDone: done, nothingToRefund: false }, now)
  tx.announceChanges('roster', 'evening')
}

interface CapturedPayment {
  payment: PaymentRow
  leftPaise: number
  /** The part of `leftPaise` that can go back: after an offer the payer was charged less than the payment is worth. */
  refundablePaise: number
}

export async function capturedMoney(tx: ReadTx, orderId: string): Promise<CapturedPayment[]> {
  const captured = (await listOrderPayments(tx, orderId)).filter(({ state }) => state === 'captured')
  const refunds = Map.groupBy(await listPaymentRefunds(tx, listIds(captured)), ({ paymentId }) => paymentId)
  return captured.map((payment) => {
    const back = paiseBack(refunds.get(payment.id) ?? [])
    return { payment, leftPaise: payment.amountPaise - back, refundablePaise: mostBack(payment) - back }
  })
}

/** The most that can go back of a payment, in paise: a fee on the payer is the provider's, and an offer was its gift. */
export const mostBack = ({ amountPaise, chargedPaise }: Pick<PaymentRow, 'amountPaise' | 'chargedPaise'>): number =>
  Math.min(amountPaise, chargedPaise ?? amountPaise)

/** The least that is due for a cancelled ticket, in paise. */
export const dueFor = (pricePaise: number): number => computeRefund(pricePaise).refundPaise || pricePaise

/** The paise that went or are going back by these refunds; a failed one moved none. */
export const paiseBack = (refunds: readonly RefundRow[]): number =>
  refunds.reduce((paise, { state, amountPaise }) => (state === 'failed' ? paise : paise + amountPaise), 0)

/**
 * Assigns a refund made elsewhere to tickets cancelled before: to those without a refund that it covers, or to one
 * whose remaining price, such as the deduction, it pays. True if there were any.
 */
export async function assignElsewhereRefund(
  tx: WriteTx,
  { orderId, refund, now }: { orderId: string; refund: RefundRow; now: Date },
): Promise<boolean> {
  const tickets = (await ticketsOfOrder(tx, orderId)).filter(({ status }) => status === 'cancelled')
  const known = Map.groupBy(await refundsOfTickets(tx, listIds(tickets)), ({ ticketId }) => ticketId)
  let leftPaise = refund.amountPaise
  for (const ticket of tickets) {
    const { id, pricePaise, isRefundDone: done, nothingToRefund } = ticket
    const own = known.get(id) ?? []
    const back = paiseBack(own)
    const isWhole = leftPaise === refund.amountPaise
    const isCovered =
      own.length === 0
        ? (done === null || nothingToRefund) && leftPaise >= dueFor(pricePaise)
        : isWhole && leftPaise <= pricePaise - back
    if (!isCovered) continue
    if (isWhole) await giveTo(tx, { ticket, refund, now })
    else await markPaidBack(tx, ticket, now)
    leftPaise -= Math.min(leftPaise, pricePaise - back)
  }
  return leftPaise < refund.amountPaise
}

export const isLoose = ({ ticketId, kind, state }: RefundRow): boolean =>
  ticketId === null && kind === 'event' && state !== 'failed'

export const markPaidBack = (tx: WriteTx, ticket: TicketRow, now: Date) =>
  moveTicket(tx, ticket, { status: 'cancelled', isRefundDone: true, nothingToRefund: false }, now)

export async function coverRefunds(
  tx: WriteTx,
  { made, covered, now }: { made: RefundRow; covered: readonly RefundRow[]; now: Date },
): Promise<void> {
  for (const one of covered) {
    await changeRefund(tx, one, { state: 'failed', coveredBy: made.id, updatedAt: now })
    await resolveFailedMatters(tx, one, { resolvedAt: now, resolution: ORDER_WORDS.goesBack })
  }
}

/**
 * Money that its payment no longer has was not paid by hand: a refund made elsewhere returned it. It then replaces the
 * failed refund. True if there was one.
 */
export async function wentBackElsewhere(
  tx: WriteTx,
  { ticket, refund, now }: { ticket: TicketRow; refund: RefundRow; now: Date },
): Promise<boolean> {
  const payment = await findPayment(tx, refund.paymentId)
  const all = await listPaymentRefunds(tx, [refund.paymentId])
  const made = all.filter(({ state }) => state !== 'failed')
  const one = made.find(isLoose) ?? made[0]
  if (!payment || !one || refund.state !== 'failed' || paiseBack(all) + refund.amountPaise <= payment.amountPaise)
    return false
  await coverRefunds(tx, { made: one, covered: [refund], now })
  if (isLoose(one)) await giveTo(tx, { ticket, refund: one, now })
  return true
}

/**
 * Divides a failed refund that was made elsewhere among all tickets whose money it returned, so that each of them shows
 * it and can be refunded again.
 */
export async function divideFailed(
  tx: WriteTx,
  { orderId, refund, now }: { orderId: string; refund: RefundRow; now: Date },
): Promise<void> {
  const { id, paymentId, ticketId, kind, amountPaise, reason } = refund
  const tickets = (await ticketsOfOrder(tx, orderId)).filter(({ status }) => status === 'cancelled')
  const counting = new Set((await refundsOfTickets(tx, listIds(tickets))).map((one) => one.ticketId))
  const covered = (await listPaymentRefunds(tx, [paymentId])).filter(({ coveredBy }) => coveredBy === id)
  const own = new Set([ticketId, ...covered.map((one) => one.ticketId)])
  const sharing = tickets.filter((ticket) => own.has(ticket.id))
  let leftPaise = amountPaise - sumOfPrices(sharing)
  for (const ticket of tickets) {
    const isPaidBack = ticket.isRefundDone === true && !ticket.nothingToRefund
    if (counting.has(ticket.id) || !isPaidBack || own.has(ticket.id)) continue
    if (leftPaise < dueFor(ticket.pricePaise)) break
    sharing.push(ticket)
    leftPaise -= ticket.pricePaise
  }
  if (ticketId === null || sharing.length < 2) return
  const wholePaise = sumOfPrices(sharing)
  for (const { id: ticketId, pricePaise } of sharing) {
    const share = Math.max(dueFor(pricePaise), Math.floor((amountPaise * pricePaise) / wholePaise))
    const facts = { paymentId, ticketId, kind, amountPaise: Math.min(pricePaise, share), reason }
    await insertRefund(tx, { ...facts, state: 'failed', retryOf: id, createdAt: now })
    await showRefunds(tx, ticketId, now)
  }
}

const sumOfPrices = (tickets: readonly TicketRow[]): number =>
  tickets.reduce((paise, { pricePaise }) => paise + pricePaise, 0)

export const failedKey = (id: string): string => `refundFailed:${id}`
export const bouncedKey = (id: string): string => `refundBounced:${id}`

export async function resolveFailedMatters(
  tx: WriteTx,
  { id, retryOf }: Pick<RefundRow, 'id' | 'retryOf'>,
  set: Parameters<typeof resolveByKey>[2],
): Promise<void> {
  for (const one of [id, retryOf ?? []].flat())
    for (const key of [failedKey(one), bouncedKey(one)]) await resolveByKey(tx, key, set)
}
