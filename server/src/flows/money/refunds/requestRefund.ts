import { paysByLink, type RefundKind, type RefundState } from '@garba/shared/contracts/names'
import type { DeskOrder } from '@garba/shared/contracts/order'
import { ORDER, ORDER_WORDS } from '@garba/shared/messages/order'
import { refundOf } from '@garba/shared/rules/cancellation'
import { formatRupees, toRupees } from '@garba/shared/rules/money'
import { isFree } from '@garba/shared/rules/orders/orderMoney'
import { Refusal } from '../../../refusal.ts'
import { type AttentionRow, insertAttention, openAttentionOf, resolveByKey } from '../../../store/attention.ts'
import { idsOf, type ReadTx, type WriteTx } from '../../../store/engine/sql.ts'
import { insertJob } from '../../../store/jobs.ts'
import { claimRequest } from '../../../store/knownRequests.ts'
import { findOrderById, type OrderRow } from '../../../store/orders.ts'
import { findPayment, type PaymentRow } from '../../../store/payments.ts'
import { changeRefund, insertRefund, type RefundRow, refundsOf, refundsOfTickets } from '../../../store/refunds.ts'
import { moveTicket, NO_ENTRY, type TicketRow, ticketsOfOrder } from '../../../store/tickets.ts'
import { aboutBuyer, audited } from '../../audited.ts'
import type { Caller, Deps } from '../../deps.ts'
import { openEventOf } from '../../event/readEvent.ts'
import { moveByAdmin, releaseAdmission, requireNoneUsed } from '../../tickets/changeTickets.ts'
import { moveCashPaidBack, requireUncounted } from '../drawers.ts'
import { deskOrderOf } from '../orders/deskOrders.ts'
import { endHold, orderByCode } from '../orders/orderRows.ts'
import { tell, tellOfCancellation } from '../upkeep/tell.ts'
import { replaceFailed, tellOfRefund } from './applyRefund.ts'
import {
  capturedMoney,
  claimRefundElsewhere,
  refundsElsewhere,
  settleRefundsElsewhere,
  wentBackElsewhere,
} from './refundsElsewhere.ts'

interface Requested {
  payment: PaymentRow
  kind: RefundKind
  paise: number
  now: Date
  ticketId?: string | null
  reason?: string | null | undefined
  /** The person who requested it; absent if the server did. */
  by?: string | null
  /** Replaces `requested` when an admin acts by hand. */
  state?: RefundState
  /** The refund that this one replaces, because it failed or was not made by hand after all. */
  retryOf?: string | null
}

/** Whether the provider can pay it back; otherwise a person must do so by hand. */
const refundsItself = ({ provider, providerPaymentId }: PaymentRow): boolean =>
  paysByLink(provider) && providerPaymentId !== null

/**
 * Stores a refund, with the job that asks the provider for it. Money that came another way waits on the desk's list of
 * due refunds. Returns the refund; null when there is nothing to give back.
 */
export async function requestRefund(tx: WriteTx, request: Requested): Promise<RefundRow | null> {
  const { payment, kind, paise, now, state = 'requested' } = request
  if (paise <= 0) return null
  const { ticketId = null, reason = null, by: requestedByName = null, retryOf = null } = request
  const facts = { paymentId: payment.id, kind, amountPaise: paise, state, createdAt: now }
  const refund = await insertRefund(tx, { ...facts, ticketId, reason, requestedByName, retryOf })
  const { id } = refund
  if (state === 'requested' && refundsItself(payment))
    await insertJob(tx, {
      kind: 'refund',
      id: `refund:${id}`,
      payload: { refundId: id },
      orderId: payment.orderId,
      createdAt: now,
    })
  else if (state === 'requested' && ticketId === null) await notePayBack(tx, { id, payment, paise, now })
  return refund
}

const PAY_BACK = 'payBack:'

/** No ticket shows this refund, so the desk has it as a matter until it has been paid. */
async function notePayBack(
  tx: WriteTx,
  { id, payment, paise, now }: { id: string; payment: PaymentRow; paise: number; now: Date },
): Promise<void> {
  await insertAttention(tx, {
    kind: 'payBack',
    dedupeKey: `${PAY_BACK}${id}`,
    orderId: payment.orderId,
    paymentId: payment.id,
    amountPaise: paise,
    detail: payment.utr ?? '',
    at: now,
  })
}

const ABOUT_REFUNDS: ReadonlySet<AttentionRow['kind']> = new Set(['payBack', 'refundFailed', 'refundBounced'])

/** The refund that a matter concerns, if any. */
export const refundOfMatter = ({ kind, dedupeKey }: Pick<AttentionRow, 'kind' | 'dedupeKey'>): string | null =>
  ABOUT_REFUNDS.has(kind) ? dedupeKey.slice(dedupeKey.indexOf(':') + 1) : null

/** Resolves the matters about an order that was not paid in full. */
export async function settleShort(
  tx: WriteTx,
  { id: orderId }: Pick<OrderRow, 'id'>,
  set: { resolvedAt: Date; resolution: string },
): Promise<void> {
  for (const { dedupeKey } of await openAttentionOf(tx, { orderId, kind: 'short' }))
    await resolveByKey(tx, dedupeKey, set)
}

/** Sends back all that an order without tickets still holds. Returns the paise. */
export async function returnAll(
  tx: WriteTx,
  order: Pick<OrderRow, 'id'>,
  request: Pick<Requested, 'kind' | 'now' | 'reason' | 'by'>,
): Promise<number> {
  let sum = 0
  for (const { payment, leftPaise: paise } of await capturedMoney(tx, order.id)) {
    const refund = await requestRefund(tx, { payment, paise, ...request })
    if (refund) await replaceFailed(tx, refund, request.now)
    sum += Math.max(0, paise)
  }
  if (sum > 0) await settleShort(tx, order, { resolvedAt: request.now, resolution: ORDER_WORDS.goesBack })
  return sum
}

/**
 * Requests a part of an order's money back: from one payment that holds it all, or else from as many as needed. Returns
 * the paise requested, which are fewer when less of its money is left.
 */
export async function requestFromOrder(
  tx: WriteTx,
  { id }: Pick<OrderRow, 'id'>,
  { paise, ...request }: Omit<Requested, 'payment'>,
): Promise<number> {
  const captured = await capturedMoney(tx, id)
  const whole = captured.find(({ leftPaise }) => leftPaise >= paise)
  // These refunds failed before the ticket was made valid again.
  const failed = request.ticketId ? (await refundsOfTickets(tx, [request.ticketId])).map((refund) => refund.id) : []
  let due = paise
  for (const { payment, leftPaise } of whole ? [whole] : captured) {
    const part = Math.min(due, Math.max(0, leftPaise))
    if (part > 0) await requestRefund(tx, { payment, paise: part, retryOf: failed.shift() ?? null, ...request })
    due -= part
  }
  return paise - due
}

/** The order of a ticket, if money was paid for it. */
export async function paidOrderOf(tx: ReadTx, { orderId }: TicketRow): Promise<OrderRow | null> {
  const order = orderId === null ? undefined : await findOrderById(tx, orderId)
  return order && !isFree(order.provider) ? order : null
}

/**
 * Requests the refund of a ticket that its owner has cancelled: its price less the two deductions. (Spec: Limits and
 * constants.)
 */
export async function refundCancelled(
  deps: Pick<Deps, 'now' | 'mailer'>,
  tx: WriteTx,
  { ticket, reason }: { ticket: TicketRow; reason: string },
): Promise<void> {
  const order = await paidOrderOf(tx, ticket)
  if (!order) return
  const now = deps.now()
  const { refundPaise } = refundOf(ticket.pricePaise)
  if (!(await claimRefundElsewhere(tx, ticket, now)))
    await requestFromOrder(tx, order, { kind: 'guest', paise: refundPaise, now, ticketId: ticket.id, reason })
  await tellOfCancellation(deps, tx, order, ticket.id)
}

interface ByHand {
  ticket: TicketRow
  /** true: Done, false: Failed, null: Pending. */
  isRefundDone: boolean | null
  now: Date
  reason?: string | undefined
  by: string
  byId: string
}

const STATES = new Map<boolean | null, RefundState>([
  [true, 'manual'],
  [false, 'failed'],
  [null, 'requested'],
])

/**
 * Writes an admin's report on the refund of a paid ticket into its refunds, makes them if there are none, and tells the
 * buyer when the money was paid back. Refuses with REFUND_IN_DOUBT while it is unknown whether the provider made one,
 * with REFUND_ON_ITS_WAY while the provider is paying it back, or has, and with DRAWER_COUNTED for cash from a drawer
 * counted since.
 */
export async function recordByHand(deps: Pick<Deps, 'now' | 'mailer'>, tx: WriteTx, report: ByHand): Promise<void> {
  const order = await paidOrderOf(tx, report.ticket)
  if (!order) return
  if (report.isRefundDone !== true) await requireUncounted(tx, report.ticket.id)
  await write(tx, order, report)
  await moveCashPaidBack(tx, { ticketId: report.ticket.id, byId: report.byId })
  const [refund] = (await refundsOfTickets(tx, [report.ticket.id])).filter(({ state }) => state === 'manual')
  if (refund) await tellOfRefund(deps, tx, order, refund)
}

/** Refuses with REFUND_IN_DOUBT while the provider has not reported the outcome of a refund of these tickets. */
export async function requireNoDoubt(tx: WriteTx, ticketIds: readonly string[]): Promise<RefundRow[]> {
  const refunds = await refundsOfTickets(tx, ticketIds)
  if (refunds.some(({ state }) => state === 'asking')) throw new Refusal('REFUND_IN_DOUBT')
  return refunds
}

async function write(tx: WriteTx, order: OrderRow, report: ByHand): Promise<void> {
  const { ticket, isRefundDone, now, by } = report
  const known = await requireNoDoubt(tx, [ticket.id])
  const open = known.filter(({ state }) => state !== 'done')
  if (known.some(({ state }) => state === 'sent') || (known.length > 0 && open.length === 0))
    throw new Refusal('REFUND_ON_ITS_WAY')
  for (const refund of open)
    if (isRefundDone !== true || !(await wentBackElsewhere(tx, { ticket, refund, now })))
      await change(tx, refund, report)
  await settleRefundsElsewhere(tx, order.id, now)
  if (known.length > 0) return
  const paise = refundOf(ticket.pricePaise).refundPaise
  // Its money is in the refund of another ticket.
  if (ticket.isRefundDone === true && paise > 0) throw new Refusal('REFUND_ON_ITS_WAY')
  const state = STATES.get(isRefundDone) ?? 'requested'
  await requestFromOrder(tx, order, {
    kind: 'guest',
    paise,
    now,
    ticketId: ticket.id,
    by,
    state,
    reason: report.reason,
  })
}

async function change(tx: WriteTx, refund: RefundRow, { isRefundDone, now, reason, by }: ByHand): Promise<void> {
  const state = STATES.get(isRefundDone) ?? 'requested'
  const changes = { updatedAt: now, requestedByName: by, reason: reason ?? refund.reason }
  const payment = await findPayment(tx, refund.paymentId)
  if (state !== 'requested' || refund.state === 'requested' || !payment || !refundsItself(payment)) {
    await changeRefund(tx, refund, { ...changes, state })
    return
  }
  // It is pending again: the provider is asked once more, with another key.
  await changeRefund(tx, refund, { ...changes, state: 'failed' })
  const { id: retryOf, kind, amountPaise: paise, ticketId } = refund
  await requestRefund(tx, { payment, kind, paise, now, ticketId, by, retryOf, reason: changes.reason })
}

interface Refunding {
  admin: Caller
  code: string
  /** Undefined means the whole order. */
  ticketIds?: readonly string[] | undefined
  reason: string
  /** The number of uncancelled tickets that the admin saw. */
  seen?: number | undefined
  /** Also cancels tickets whose holders went in. */
  includeUsed?: boolean | undefined
  idempotencyKey: string
}

/**
 * Gives money back for the organiser's own reasons, in full: the tickets are cancelled, and money that came through a
 * provider goes back by itself. Tickets cancelled before stay as they are. For the whole order, money that bought no
 * tickets goes back too, and a UPI order that waits for the rest is cancelled. An admin's repeated key changes nothing
 * more. Refuses with ORDER_NOT_FOUND, NOTHING_TO_REFUND, ORDER_CHANGED when it no longer has as many tickets as the
 * admin saw, EVENT_CLOSED, REFUND_IN_DOUBT, TICKET_USED, IDEMPOTENCY_KEY_REUSED, or TICKET_NOT_FOUND for a ticket of
 * another order.
 */
export function refundOrder(deps: Deps, refunding: Refunding): Promise<DeskOrder> {
  const { admin, code, ticketIds, reason, idempotencyKey: key } = refunding
  const asking = {
    call: 'refundOrder',
    userId: admin.id,
    key,
    asked: [code, ticketIds?.toSorted() ?? 'all', reason],
    reused: { message: ORDER.refundKeyReused },
  }
  return deps.store.write(async (tx) => {
    const order = await orderByCode(tx, code)
    if (await claimRequest(tx, asking, deps.now())) await refund(deps, tx, { order, ...refunding })
    return deskOrderOf(deps, tx, order)
  })
}

async function refund(
  deps: Deps,
  tx: WriteTx,
  { order, admin, code, ticketIds, reason, seen, includeUsed = false }: Refunding & { order: OrderRow },
): Promise<void> {
  const tickets = await ticketsOfOrder(tx, order.id)
  if (seen !== undefined && tickets.filter(({ status }) => status !== 'cancelled').length !== seen)
    throw new Refusal('ORDER_CHANGED')
  const chosen = ticketIds ? new Set(ticketIds) : null
  const own = idsOf(tickets)
  if (ticketIds && !ticketIds.every((id) => own.includes(id))) throw new Refusal('TICKET_NOT_FOUND')
  if ((await capturedMoney(tx, order.id)).length === 0) throw new Refusal('NOTHING_TO_REFUND')
  const leaving = tickets.filter(({ id, status }) => status !== 'cancelled' && (!chosen || chosen.has(id)))
  for (const ticket of leaving) await openEventOf(tx, ticket)
  if (!includeUsed) requireNoneUsed(leaving)
  if (ticketIds) await requireNoDoubt(tx, ticketIds)
  const now = deps.now()
  let paise = 0
  for (const ticket of leaving) paise += await refundTicket(tx, { order, ticket, reason, now, admin })
  if (!chosen && order.state !== 'paid')
    paise += await returnAll(tx, order, { kind: 'event', now, reason, by: admin.name })
  if (paise === 0) await requireNoDoubtOf(tx, order)
  else {
    // Otherwise the buyer would be asked for the rest of a sum that is being refunded.
    if (order.provider === 'upi') await endHold(tx, order, { to: 'cancelled', now })
    tx.announce('roster', 'evening')
    const detail = `${ORDER.refunding(code, formatRupees(toRupees(paise)))}; ${reason}`
    await audited(tx, { at: now, action: 'order.refunded', actor: admin, subject: aboutBuyer(order), detail })
    await tell(deps, tx, order, { what: 'event', about: `${order.id}:${now.getTime()}`, paise })
  }
}

/** A refund still in doubt must not let an order with nothing left to refund pass as settled. */
async function requireNoDoubtOf(tx: WriteTx, { id }: OrderRow): Promise<void> {
  const payments = (await capturedMoney(tx, id)).map(({ payment }) => payment.id)
  if ((await refundsOf(tx, payments)).some(({ state }) => state === 'asking')) throw new Refusal('REFUND_IN_DOUBT')
}

interface Part {
  order: OrderRow
  reason: string
  now: Date
  admin: Caller
}

async function refundTicket(
  tx: WriteTx,
  { order, ticket, reason, now, admin }: Part & { ticket: TicketRow },
): Promise<number> {
  if (await refundsElsewhere(tx, ticket)) {
    tx.announce('roster', 'evening')
    await moveByAdmin(tx, { admin, id: ticket.id, to: 'cancelled', now, seats: 0, includeUsed: true })
    return 0
  }
  const holdsMoney = (await capturedMoney(tx, order.id)).some(({ leftPaise }) => leftPaise > 0)
  if (ticket.status === 'deleted' || !holdsMoney) return 0
  const set = { status: 'cancelled' as const, cancelledAt: now, cancellationReason: reason, isRefundDone: null }
  const moved = await moveTicket(tx, ticket, { ...NO_ENTRY, ...set }, now)
  if (typeof moved === 'string') throw new Refusal('UNAVAILABLE')
  await releaseAdmission(tx, ticket)
  const part = { kind: 'event', paise: ticket.pricePaise, now, ticketId: ticket.id, reason, by: admin.name } as const
  return requestFromOrder(tx, order, part)
}
