import type { RefundState } from '@garba/shared/contracts/names'
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
import { findTicket, moveTicket, type TicketRow, ticketsOfOrder } from '../../../store/tickets.ts'
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
  const { byHand, failed } = await alike(tx, payment, fact)
  if (byHand) return notePaidTwice(deps, tx, byHand, fact)
  const refund = await insertRefund(tx, {
    paymentId: payment.id,
    kind: failed?.kind ?? 'event',
    amountPaise: fact.paise,
    state: fact.state,
    providerRefundId: fact.refundId,
    reason: ORDER_WORDS.atProvider,
    ticketId: failed?.ticketId ?? null,
    retryOf: failed?.id ?? null,
    createdAt: now,
  })
  if (failed) return void (await follow(deps, tx, refund))
  for (const one of withoutReplaced(await refundsOf(tx, [payment.id])).filter(({ state }) => state === 'failed'))
    if (await coverFailed(deps, tx, { orderId: payment.orderId, failed: one })) return
  const settles = await settleCancelled(tx, { orderId: payment.orderId, refund, now })
  if (settles || (await lacksMoney(tx, payment.orderId))) {
    await noteRefundElsewhere(tx, { orderId: payment.orderId, refund, now })
    await settleRefundsElsewhere(tx, payment.orderId, now)
  }
}

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
      its.length === 0
        ? done === null && leftPaise >= (refundOf(pricePaise).refundPaise || pricePaise)
        : isWhole && leftPaise <= pricePaise - back
    if (!isIts) continue
    if (isWhole) await giveTo(tx, { ticket, refund, now })
    else await moveTicket(tx, ticket, { status: 'cancelled', isRefundDone: true }, now)
    leftPaise -= Math.min(leftPaise, pricePaise - back)
  }
  return leftPaise < refund.amountPaise
}

/**
 * The refunds of a payment that a dashboard refund may match: one marked as paid by hand, of its amount or of money that
 * has now gone twice, or else a failed one that is still unpaid.
 */
async function alike(
  tx: ReadTx,
  payment: PaymentRow,
  { paise }: RefundFact,
): Promise<Record<'byHand' | 'failed', RefundRow | undefined>> {
  const all = await refundsOf(tx, [payment.id])
  const like = (wanted: RefundState) => (one: RefundRow) => one.state === wanted && one.amountPaise === paise
  const twice = paiseBack(all) + paise > payment.amountPaise ? all.find(({ state }) => state === 'manual') : undefined
  return { byHand: all.find(like('manual')) ?? twice, failed: withoutReplaced(all).find(like('failed')) }
}

/** A refund made elsewhere may be the money of one that failed, with its deduction or without. True if there was one. */
async function coverFailed(
  deps: Deps,
  tx: WriteTx,
  { orderId, failed }: { orderId: string; failed: RefundRow },
): Promise<boolean> {
  const { id, paymentId, amountPaise, ticketId } = failed
  const ticket = ticketId === null ? undefined : await findTicket(tx, ticketId)
  if (await lacksMoney(tx, orderId)) return false
  const made = (await refundsOf(tx, [paymentId])).find(
    (one) =>
      one.ticketId === null &&
      one.kind === 'event' &&
      one.state !== 'failed' &&
      one.amountPaise >= amountPaise &&
      one.amountPaise <= (ticket?.pricePaise ?? amountPaise),
  )
  const row =
    made && (await changeRefund(tx, made, { state: made.state, ticketId, retryOf: id, updatedAt: deps.now() }))
  if (row) await follow(deps, tx, row)
  return row !== undefined
}

interface RefundChange extends Partial<RefundRow> {
  state: RefundState
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
  const isCovered = await coverFailed(deps, tx, { orderId: order.id, failed: row })
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
  if (refund.state === 'done')
    for (const id of refund.retryOf === null ? [refund.id] : [refund.id, refund.retryOf])
      await settleFailed(tx, id, { resolvedAt: now, resolution: ORDER_WORDS.paidAfterAll })
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

/** Whether money of an order went back for a ticket that is still valid. */
export const isRefundedElsewhere = async (tx: ReadTx, orderId: string): Promise<boolean> =>
  (await openAttentionOf(tx, { orderId, kind: KIND })).length > 0

/**
 * Assigns a refund made elsewhere to a ticket cancelled now. True if the order had one: the money of this ticket is
 * back already, and no other refund is due.
 */
export async function claimRefundElsewhere(tx: WriteTx, ticket: TicketRow, now: Date): Promise<boolean> {
  if (ticket.orderId === null) return false
  const open = await openAttentionOf(tx, { orderId: ticket.orderId, kind: KIND })
  if (open.length === 0) return false
  let claimed = false
  for (const { dedupeKey } of open) {
    const refund = await findRefund(tx, dedupeKey.slice(keyOf('').length))
    if (claimed || refund?.ticketId !== null || refund.state === 'failed') continue
    await giveTo(tx, { ticket, refund, now })
    claimed = true
  }
  // One refund at the provider took the money of several tickets.
  if (!claimed) await moveTicket(tx, ticket, { status: 'cancelled', isRefundDone: true }, now)
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

/** Takes the matter off the desk's list once the tickets of the order agree with its money. */
export async function settleRefundsElsewhere(tx: WriteTx, orderId: string, now: Date): Promise<void> {
  const open = await openAttentionOf(tx, { orderId, kind: KIND })
  if (open.length === 0 || (await lacksMoney(tx, orderId))) return
  for (const { dedupeKey } of open)
    await resolveByKey(tx, dedupeKey, { resolvedAt: now, resolution: ORDER_WORDS.agrees })
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
