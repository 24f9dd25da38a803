import { paysByLink, type RefundKind, type RefundState } from '@garba/shared/contracts/names'
import { ORDER_WORDS } from '@garba/shared/messages/order'
import { LEAST_REFUND_PAISE, refundOfCancelled } from '@garba/shared/rules/cancellation'
import { isFree } from '@garba/shared/rules/orders/orderMoney'
import { Refusal } from '../../../refusal.ts'
import { type AttentionRow, insertAttention, listOrderAttention, resolveByKey } from '../../../store/attention.ts'
import type { ReadTx, WriteTx } from '../../../store/engine/sql.ts'
import { insertJob } from '../../../store/jobs.ts'
import { findOrderById, type OrderRow } from '../../../store/orders.ts'
import { findPayment, type PaymentRow } from '../../../store/payments.ts'
import { changeRefund, insertRefund, type RefundRow, refundsOfTickets } from '../../../store/refunds.ts'
import type { TicketRow } from '../../../store/tickets.ts'
import type { Deps } from '../../deps.ts'
import { moveCashPaidBack, requireUncounted } from '../drawers.ts'
import { tellOfCancellation } from '../upkeep/tell.ts'
import { replaceFailed, tellOfRefund } from './applyRefund.ts'
import { capturedMoney, claimRefundElsewhere, resolveElsewhereMatters, wentBackElsewhere } from './refundsElsewhere.ts'

interface NewRefund {
  payment: PaymentRow
  kind: RefundKind
  paise: number
  now: Date
  ticketId?: string | null
  reason?: string | null | undefined
  by?: string | null
  state?: RefundState
  retryOf?: string | null
}

const refundsItself = ({ provider, providerPaymentId }: PaymentRow, paise: number): boolean =>
  paysByLink(provider) && providerPaymentId !== null && paise >= LEAST_REFUND_PAISE

export async function requestRefund(tx: WriteTx, request: NewRefund): Promise<RefundRow | null> {
  const { payment, kind, paise, now, state = 'requested' } = request
  if (paise <= 0) return null
  const { ticketId = null, reason = null, by: requestedByName = null, retryOf = null } = request
  const facts = { paymentId: payment.id, kind, amountPaise: paise, state, createdAt: now }
  const refund = await insertRefund(tx, { ...facts, ticketId, reason, requestedByName, retryOf })
  const { id } = refund
  if (state === 'requested' && refundsItself(payment, paise))
    await insertJob(tx, {
      kind: 'refund',
      id: `refund:${id}`,
      payload: { refundId: id },
      orderId: payment.orderId,
      createdAt: now,
    })
  else if (state === 'requested' && ticketId === null) await addPayBackMatter(tx, { id, payment, paise, now })
  return refund
}

const PAY_BACK = 'payBack:'

async function addPayBackMatter(
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

export const refundOfMatter = ({ kind, dedupeKey }: Pick<AttentionRow, 'kind' | 'dedupeKey'>): string | null =>
  ABOUT_REFUNDS.has(kind) ? dedupeKey.slice(dedupeKey.indexOf(':') + 1) : null

export async function resolveShortMatters(
  tx: WriteTx,
  { id: orderId }: Pick<OrderRow, 'id'>,
  set: { resolvedAt: Date; resolution: string },
): Promise<void> {
  for (const { dedupeKey } of await listOrderAttention(tx, { orderId, kind: 'short' }))
    await resolveByKey(tx, dedupeKey, set)
}

export async function returnAll(
  tx: WriteTx,
  order: Pick<OrderRow, 'id'>,
  request: Pick<NewRefund, 'kind' | 'now' | 'reason' | 'by'>,
): Promise<number> {
  let sum = 0
  for (const { payment, refundablePaise: paise } of await capturedMoney(tx, order.id)) {
    const refund = await requestRefund(tx, { payment, paise, ...request })
    if (refund) await replaceFailed(tx, refund, request.now)
    sum += Math.max(0, paise)
  }
  if (sum > 0) await resolveShortMatters(tx, order, { resolvedAt: request.now, resolution: ORDER_WORDS.goesBack })
  return sum
}

/**
 * Requests a part of an order's money back: from one payment that holds it all, or else from as many as needed. Returns
 * the paise requested, which are fewer when less of its money is left.
 */
export async function requestFromOrder(
  tx: WriteTx,
  { id }: Pick<OrderRow, 'id'>,
  { paise, ...request }: Omit<NewRefund, 'payment'>,
): Promise<number> {
  const captured = await capturedMoney(tx, id)
  const whole = captured.find(({ refundablePaise }) => refundablePaise >= paise)
  const failed = request.ticketId ? (await refundsOfTickets(tx, [request.ticketId])).map((refund) => refund.id) : []
  let due = paise
  for (const { payment, refundablePaise } of whole ? [whole] : captured) {
    const part = Math.min(due, Math.max(0, refundablePaise))
    if (part > 0) await requestRefund(tx, { payment, paise: part, retryOf: failed.shift() ?? null, ...request })
    due -= part
  }
  return paise - due
}

export async function findPaidOrder(tx: ReadTx, { orderId }: TicketRow): Promise<OrderRow | null> {
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
  const order = await findPaidOrder(tx, ticket)
  if (!order) return
  const now = deps.now()
  const { refundPaise } = refundOfCancelled(ticket)
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
 * buyer when the money was paid back. Refuses with REFUND_IN_DOUBT while it is unknown whether the provider made a
 * refund, with REFUND_ON_ITS_WAY once the provider is paying it back, and as `requireSeen` does.
 */
export async function recordByHand(deps: Pick<Deps, 'now' | 'mailer'>, tx: WriteTx, report: ByHand): Promise<void> {
  const order = await findPaidOrder(tx, report.ticket)
  if (!order) return
  if (report.isRefundDone !== true) await requireUncounted(tx, report.ticket.id)
  else await requireSeen(tx, order.id)
  await write(tx, order, report)
  await moveCashPaidBack(tx, { ticketId: report.ticket.id, byId: report.byId, now: report.now })
  const [refund] = (await refundsOfTickets(tx, [report.ticket.id])).filter(({ state }) => state === 'manual')
  if (refund) await tellOfRefund(deps, tx, order, refund)
}

/** Refuses with MONEY_UNPROVEN: otherwise money that only a seller claims to have taken could be paid out in cash. */
export async function requireSeen(tx: ReadTx, orderId: string): Promise<void> {
  if ((await listOrderAttention(tx, { orderId, kind: 'unproven' })).length > 0) throw new Refusal('MONEY_UNPROVEN')
}

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
  await resolveElsewhereMatters(tx, order.id, now)
  if (known.length > 0) return
  const paise = refundOfCancelled(ticket).refundPaise
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
  if (
    state !== 'requested' ||
    refund.state === 'requested' ||
    !payment ||
    !refundsItself(payment, refund.amountPaise)
  ) {
    await changeRefund(tx, refund, { ...changes, state })
    return
  }
  // It is pending again: the provider is asked once more, with another key.
  await changeRefund(tx, refund, { ...changes, state: 'failed' })
  const { id: retryOf, kind, amountPaise: paise, ticketId } = refund
  await requestRefund(tx, { payment, kind, paise, now, ticketId, by, retryOf, reason: changes.reason })
}
