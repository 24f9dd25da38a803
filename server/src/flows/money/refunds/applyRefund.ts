import { ORDER_WORDS } from '@garba/shared/messages/order'
import { refundOf } from '@garba/shared/rules/cancellation'
import { isRefundDone, nextRefundState } from '@garba/shared/rules/orders/orderMoney'
import type { RefundFact } from '../../../providers/provider.ts'
import { insertAttention, openAttentionOf, resolveByKey } from '../../../store/attention.ts'
import { idsOf, type ReadTx, type WriteTx } from '../../../store/engine/sql.ts'
import type { OrderRow } from '../../../store/orders.ts'
import { findPayment, findPaymentByProviderId, type PaymentRow, paymentsOf } from '../../../store/payments.ts'
import {
  changeRefund,
  findRefund,
  findRefundByProviderId,
  insertRefund,
  type RefundRow,
  refundsOf,
  refundsOfTickets,
  withoutReplaced,
} from '../../../store/refunds.ts'
import { findTicket, moveTicket, type TicketRow, ticketsOfOrder, ticketsWithIds } from '../../../store/tickets.ts'
import type { Deps } from '../../deps.ts'
import { sameOrder } from '../orders/orderRows.ts'
import { tell, willBeTold } from '../upkeep/tell.ts'

/**
 * Applies a provider's report of a refund. A refund made at the provider's own dashboard is recorded here for the first
 * time. A refund paid another way keeps its state, and the desk must look at what the provider paid as well.
 */
export async function applyRefund(deps: Deps, tx: WriteTx, fact: RefundFact): Promise<void> {
  const known =
    (await findRefundByProviderId(tx, fact.refundId)) ??
    (fact.key === null ? undefined : await findRefund(tx, fact.key))
  if (!known) return madeElsewhere(deps, tx, fact)
  const providerRefundId = known.providerRefundId ?? fact.refundId
  if (await isPaidAnotherWay(tx, known)) {
    if (known.providerRefundId === null)
      await changeRefund(tx, known, { state: known.state, providerRefundId, updatedAt: deps.now() })
    return fact.state === 'done' ? notePaidTwice(deps, tx, known, fact) : undefined
  }
  const state = nextRefundState(known.state, fact.state)
  if (state === known.state && known.providerRefundId !== null) return
  await moveRefund(deps, tx, known, { state, providerRefundId })
}

async function isPaidAnotherWay(tx: ReadTx, { id, state, paymentId }: RefundRow): Promise<boolean> {
  if (state === 'manual') return true
  return state === 'failed' && !withoutReplaced(await refundsOf(tx, [paymentId])).some((one) => one.id === id)
}

async function notePaidTwice(
  deps: Deps,
  tx: WriteTx,
  { paymentId }: Pick<RefundRow, 'paymentId'>,
  { refundId, paise }: RefundFact,
): Promise<void> {
  const payment = await findPayment(tx, paymentId)
  await insertAttention(tx, {
    kind: 'paidTwice',
    dedupeKey: `paidTwice:${refundId}`,
    orderId: payment?.orderId ?? null,
    paymentId,
    amountPaise: paise,
    detail: refundId,
    at: deps.now(),
  })
}

async function madeElsewhere(deps: Deps, tx: WriteTx, fact: RefundFact): Promise<void> {
  const payment = await findPaymentByProviderId(tx, fact.paymentId)
  if (!payment || fact.state === 'failed') return
  const now = deps.now()
  const byHand = await paidByHand(tx, payment, fact)
  if (byHand) return notePaidTwice(deps, tx, byHand, fact)
  const refund = await insertRefund(tx, {
    paymentId: payment.id,
    kind: 'event',
    amountPaise: fact.paise,
    state: fact.state,
    providerRefundId: fact.refundId,
    reason: ORDER_WORDS.atProvider,
    createdAt: now,
  })
  const order = await sameOrder(tx, { id: payment.orderId })
  if (await coverFailed(deps, tx, { orderId: order.id, paymentId: payment.id })) return
  const settles = await settleCancelled(tx, { orderId: order.id, refund, now })
  if (settles || (await gaveUpMoney(tx, order))) {
    await noteRefundElsewhere(tx, { orderId: order.id, refund, now })
    await settleRefundsElsewhere(tx, order.id, now)
  }
}

/** The paise that are due for a cancelled ticket at least. */
const dueFor = (pricePaise: number): number => refundOf(pricePaise).refundPaise || pricePaise

/** The paise that went or are going back by these refunds; a failed one moved none. */
const paiseBack = (refunds: readonly RefundRow[]): number =>
  refunds.reduce((paise, { state, amountPaise }) => (state === 'failed' ? paise : paise + amountPaise), 0)

/**
 * Gives a refund made elsewhere to the tickets cancelled before: to those without a refund whose money it holds, or to
 * one that it pays more of, such as the deduction. True if there were any.
 */
async function settleCancelled(
  tx: WriteTx,
  { orderId, refund, now }: { orderId: string; refund: RefundRow; now: Date },
): Promise<boolean> {
  const tickets = (await ticketsOfOrder(tx, orderId)).filter(({ status }) => status === 'cancelled')
  const known = Map.groupBy(await refundsOfTickets(tx, idsOf(tickets)), ({ ticketId }) => ticketId)
  let leftPaise = refund.amountPaise
  for (const ticket of tickets) {
    const { id, pricePaise, isRefundDone: done } = ticket
    const its = known.get(id) ?? []
    const back = paiseBack(its)
    const isWhole = leftPaise === refund.amountPaise
    const isIts =
      its.length === 0 ? done === null && leftPaise >= dueFor(pricePaise) : isWhole && leftPaise <= pricePaise - back
    if (!isIts) continue
    if (isWhole) await giveTo(tx, { ticket, refund, now })
    else await markPaidBack(tx, ticket, now)
    leftPaise -= Math.min(leftPaise, pricePaise - back)
  }
  return leftPaise < refund.amountPaise
}

/**
 * The refund of a payment that was marked as paid by hand and that a dashboard refund may be: one of its amount, or any
 * when money has now gone twice.
 */
async function paidByHand(tx: ReadTx, payment: PaymentRow, { paise }: RefundFact): Promise<RefundRow | undefined> {
  const all = await refundsOf(tx, [payment.id])
  const byHand = all.filter(({ state }) => state === 'manual')
  const isTwice = paiseBack(all) + paise > payment.amountPaise
  return byHand.find(({ amountPaise }) => amountPaise === paise) ?? (isTwice ? byHand[0] : undefined)
}

/**
 * A refund made elsewhere may be the money of one that failed, with its deduction or without, or of several tickets', if
 * it is exactly their sum. It then counts instead of them, for the first one's ticket. True if there was one.
 */
async function coverFailed(
  deps: Deps,
  tx: WriteTx,
  { orderId, paymentId }: { orderId: string; paymentId: string },
): Promise<boolean> {
  const all = await refundsOf(tx, [paymentId])
  const tickets = await ticketsWithIds(
    tx,
    all.flatMap(({ ticketId }) => ticketId ?? []),
  )
  const ticketOf = ({ ticketId }: RefundRow) => tickets.find(({ id }) => id === ticketId)
  const failed = withoutReplaced(all).filter((one) => one.state === 'failed' && !isValid(ticketOf(one)))
  const keepsMoney = !(await lacksMoney(tx, orderId))
  for (const made of all.filter(isLoose)) {
    const { amountPaise: paise } = made
    const mayBe = (one: RefundRow) =>
      keepsMoney && one.amountPaise <= paise && paise <= (ticketOf(one)?.pricePaise ?? one.amountPaise)
    const one = failed.find(({ amountPaise }) => amountPaise === paise) ?? failed.find(mayBe)
    const covered = one ? [one] : addingUpTo(failed.filter(ticketOf), paise)
    if (covered.length === 0) continue
    await cover(tx, { made, covered, now: deps.now() })
    const [first, ...others] = covered.flatMap((one) => ticketOf(one) ?? [])
    const row = await changeRefund(tx, made, { state: made.state, ticketId: first?.id ?? null, updatedAt: deps.now() })
    if (others.length > 0) await noteRefundElsewhere(tx, { orderId, refund: made, now: deps.now() })
    for (const ticket of others) if (ticket.status === 'cancelled') await markPaidBack(tx, ticket, deps.now())
    if (row) await follow(deps, tx, row)
    await settleRefundsElsewhere(tx, orderId, deps.now())
    return true
  }
  return false
}

/** From now on a refund counts instead of these, which failed. */
async function cover(
  tx: WriteTx,
  { made, covered, now }: { made: RefundRow; covered: readonly RefundRow[]; now: Date },
): Promise<void> {
  for (const one of covered) await changeRefund(tx, one, { state: 'failed', coveredBy: made.id, updatedAt: now })
}

const isValid = (ticket: TicketRow | undefined): boolean => ticket?.status === 'active' || ticket?.status === 'used'

const markPaidBack = (tx: WriteTx, ticket: TicketRow, now: Date) =>
  moveTicket(tx, ticket, { status: 'cancelled', isRefundDone: true }, now)

/** Some of these refunds that add up to this sum exactly; none if there are no such. */
function addingUpTo(refunds: readonly RefundRow[], paise: number): readonly RefundRow[] {
  const sums = new Map<number, readonly RefundRow[]>([[0, []]])
  for (const one of refunds)
    for (const [sum, some] of [...sums])
      if (sum + one.amountPaise <= paise && !sums.has(sum + one.amountPaise))
        sums.set(sum + one.amountPaise, [...some, one])
  return sums.get(paise) ?? []
}

/** Whether a refund made elsewhere is no ticket's yet. */
const isLoose = ({ ticketId, kind, state }: RefundRow): boolean =>
  ticketId === null && kind === 'event' && state !== 'failed'

interface RefundChange extends Partial<RefundRow> {
  state: RefundRow['state']
}

const failedKey = (id: string): string => `refundFailed:${id}`
const bouncedKey = (id: string): string => `refundBounced:${id}`

/** Takes the matters about a refund that failed off the desk's list. */
async function settleFailed(tx: WriteTx, id: string, set: Parameters<typeof resolveByKey>[2]): Promise<void> {
  for (const key of [failedKey(id), bouncedKey(id)]) await resolveByKey(tx, key, set)
}

/**
 * Changes a refund and what follows from it: its ticket's refund column, a message to the guest, and one to the desk
 * when it failed.
 */
export async function moveRefund(deps: Deps, tx: WriteTx, refund: RefundRow, set: RefundChange): Promise<void> {
  const now = deps.now()
  const row = await changeRefund(tx, refund, { ...set, updatedAt: now })
  if (!row || set.state === refund.state) return
  const order = await follow(deps, tx, row)
  if (row.state !== 'failed' || !order) return
  const isCovered = await coverFailed(deps, tx, { orderId: order.id, paymentId: row.paymentId })
  await settleRefundsElsewhere(tx, order.id, now)
  if (isCovered) return
  const bounced = refund.state === 'done'
  await insertAttention(tx, {
    kind: bounced ? 'refundBounced' : 'refundFailed',
    dedupeKey: bounced ? bouncedKey(row.id) : failedKey(row.id),
    orderId: order.id,
    paymentId: row.paymentId,
    amountPaise: row.amountPaise,
    detail: [order.code, bounced ? row.providerRefundId : row.lastError].filter(Boolean).join(': '),
    at: now,
  })
}

/** Carries a refund's new state to its ticket, its buyer, and the matters about it. */
async function follow(deps: Deps, tx: WriteTx, refund: RefundRow) {
  const now = deps.now()
  if (refund.ticketId !== null) await showRefunds(tx, refund.ticketId, now)
  if (refund.state === 'done') {
    const covered = (await refundsOf(tx, [refund.paymentId])).filter(({ coveredBy }) => coveredBy === refund.id)
    for (const id of [refund.id, refund.retryOf ?? [], idsOf(covered)].flat())
      await settleFailed(tx, id, { resolvedAt: now, resolution: ORDER_WORDS.paidAfterAll })
  }
  const payment = await findPayment(tx, refund.paymentId)
  if (!payment) return null
  const order = await sameOrder(tx, { id: payment.orderId })
  await tellOfRefund(deps, tx, order, refund)
  return order
}

/**
 * The refunds that were requested together, such as those of all tickets of an order. The first one's id stands for
 * all.
 */
export async function refundsAskedWith(
  tx: ReadTx,
  { paymentId, kind, createdAt }: RefundRow,
): Promise<[RefundRow, ...RefundRow[]]> {
  const payment = await findPayment(tx, paymentId)
  const payments = payment ? await paymentsOf(tx, payment.orderId) : []
  const all = await refundsOf(tx, idsOf(payments))
  return all.filter((other) => other.kind === kind && other.createdAt.getTime() === createdAt.getTime()) as [
    RefundRow,
    ...RefundRow[],
  ]
}

/** Whether the money has gone back, by the provider or by hand. */
export const isPaidBack = ({ state }: RefundRow): boolean => state === 'done' || state === 'manual'

/** A refund paid by hand after the provider failed: the buyer already had a mail that it was made, or had failed. */
const cameBack = ({ state, providerRefundId }: RefundRow): boolean => state === 'manual' && providerRefundId !== null

/**
 * Tells the buyer once that all refunds requested together were made, and once if one failed. A refund made while the
 * mail about the cancellation still waits is part of that mail.
 */
export async function tellOfRefund(
  deps: Pick<Deps, 'now' | 'mailer'>,
  tx: WriteTx,
  order: OrderRow,
  refund: RefundRow,
): Promise<void> {
  const together = await refundsAskedWith(tx, refund)
  const about = together[0].id
  if (refund.state === 'failed') await tell(deps, tx, order, { what: 'byHand', about })
  else if (!together.every(isPaidBack)) return
  else if (
    !(await willBeTold(
      tx,
      order.id,
      together.map(({ ticketId }) => ticketId),
    ))
  )
    await tell(deps, tx, order, { what: 'refunded', about: cameBack(refund) ? `${about}:byHand` : about })
}

/**
 * Handles refunds that this database did not request: made at the provider's own dashboard, or by this server after the
 * backup that was restored. Their tickets are unknown, so the desk is to cancel one while the order has more tickets
 * than money.
 */
const KIND = 'refundedElsewhere'
const keyOf = (refundId: string): string => `${KIND}:${refundId}`

/** The active and used tickets of an order, and the part of their price not covered by money received and kept. */
async function validTickets(tx: ReadTx, orderId: string): Promise<{ valid: TicketRow[]; missing: number }> {
  const left = (await capturedMoney(tx, orderId)).reduce((paise, { leftPaise }) => paise + leftPaise, 0)
  const valid = (await ticketsOfOrder(tx, orderId)).filter(({ status }) => status !== 'cancelled')
  return { valid, missing: valid.reduce((paise, { pricePaise }) => paise + pricePaise, 0) - left }
}

const lacksMoney = async (tx: ReadTx, orderId: string): Promise<boolean> =>
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

/** Whether refunds of no ticket took from the price of an order's tickets, cancelled or not. */
async function gaveUpMoney(tx: ReadTx, { id, state, totalPaise }: OrderRow): Promise<boolean> {
  const captured = (await paymentsOf(tx, id)).filter((payment) => payment.state === 'captured')
  const loose = (await refundsOf(tx, idsOf(captured))).filter(({ ticketId }) => ticketId === null)
  const received = captured.reduce((paise, { amountPaise }) => paise + amountPaise, 0)
  return state === 'paid' && received - paiseBack(loose) < totalPaise
}

/** Puts such a refund before the desk. */
async function noteRefundElsewhere(
  tx: WriteTx,
  { orderId, refund, now }: { orderId: string; refund: RefundRow; now: Date },
): Promise<void> {
  await insertAttention(tx, {
    kind: KIND,
    dedupeKey: keyOf(refund.id),
    orderId,
    paymentId: refund.paymentId,
    amountPaise: refund.amountPaise,
    detail: refund.providerRefundId ?? refund.id,
    at: now,
  })
}

/** The refunds made elsewhere that the desk has not settled. */
async function openElsewhere(tx: ReadTx, orderId: string): Promise<RefundRow[]> {
  const open = await openAttentionOf(tx, { orderId, kind: KIND })
  const refunds = await Array.fromAsync(open, ({ dedupeKey }) => findRefund(tx, dedupeKey.slice(keyOf('').length)))
  return refunds.filter((refund) => refund !== undefined)
}

/**
 * The refunds made elsewhere that hold the money of a ticket, without those that are another's already; null if none
 * do. One of less than is due for the ticket is a favour.
 */
export async function refundsElsewhere(
  tx: ReadTx,
  { orderId, pricePaise }: Pick<TicketRow, 'orderId' | 'pricePaise'>,
): Promise<RefundRow[] | null> {
  const made = orderId === null ? [] : (await openElsewhere(tx, orderId)).filter(({ state }) => state !== 'failed')
  const loose = made.filter(({ ticketId }) => ticketId === null)
  // One refund at the provider may have taken the money of several tickets.
  return loose.length < made.length || paiseBack(loose) >= dueFor(pricePaise) ? loose : null
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
    // They failed before the ticket was made valid again.
    const failed = (await refundsOfTickets(tx, [ticket.id])).filter(({ state }) => state === 'failed')
    await cover(tx, { made: refund, covered: failed, now })
    await giveTo(tx, { ticket, refund, now })
    due -= refund.amountPaise
  }
  if (refunds.length === 0) await markPaidBack(tx, ticket, now)
  await settleRefundsElsewhere(tx, ticket.orderId, now)
  return true
}

async function giveTo(
  tx: WriteTx,
  { ticket, refund, now }: { ticket: TicketRow; refund: RefundRow; now: Date },
): Promise<void> {
  const row = await changeRefund(tx, refund, { state: refund.state, ticketId: ticket.id, updatedAt: now })
  if (row) await showRefunds(tx, ticket.id, now)
}

/**
 * Takes the matters off the desk's list once the tickets of the order agree with its money. What was given back for no
 * ticket waits for the desk's word.
 */
export async function settleRefundsElsewhere(tx: WriteTx, orderId: string, now: Date): Promise<void> {
  const made = await openElsewhere(tx, orderId)
  if (made.length === 0 || (await lacksMoney(tx, orderId))) return
  for (const refund of made)
    if (!isLoose(refund)) await resolveByKey(tx, keyOf(refund.id), { resolvedAt: now, resolution: ORDER_WORDS.agrees })
}

/** The refund column of a cancelled ticket follows its refunds, if it has any. */
export async function showRefunds(tx: WriteTx, ticketId: string, now: Date): Promise<void> {
  const ticket = await findTicket(tx, ticketId)
  if (ticket?.status !== 'cancelled') return
  const refunds = await refundsOfTickets(tx, [ticket.id])
  const done = isRefundDone(refunds.map(({ state }) => state))
  if (refunds.length === 0 || ticket.isRefundDone === done) return
  await moveTicket(tx, ticket, { status: 'cancelled', isRefundDone: done }, now)
  tx.announce('roster', 'evening')
}

/** Nobody is to pay the failed refunds of a ticket by hand that is valid again. */
export async function withdrawFailed(tx: WriteTx, ticketId: string, now: Date): Promise<void> {
  for (const { id } of await refundsOfTickets(tx, [ticketId]))
    await settleFailed(tx, id, { resolvedAt: now, resolution: ORDER_WORDS.agrees })
}

/** A captured payment, and the paise of it that neither went nor are going back; a failed refund leaves them here. */
interface Captured {
  payment: PaymentRow
  leftPaise: number
}

/** The captured payments of an order, oldest first. */
export async function capturedMoney(tx: ReadTx, orderId: string): Promise<Captured[]> {
  const captured = (await paymentsOf(tx, orderId)).filter(({ state }) => state === 'captured')
  const refunds = Map.groupBy(await refundsOf(tx, idsOf(captured)), ({ paymentId }) => paymentId)
  return captured.map((payment) => ({
    payment,
    leftPaise: payment.amountPaise - paiseBack(refunds.get(payment.id) ?? []),
  }))
}
