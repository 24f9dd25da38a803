import { ORDER_WORDS } from '@garba/shared/messages/order'
import { nextRefundState } from '@garba/shared/rules/orders/orderMoney'
import type { RefundFact } from '../../../providers/provider.ts'
import { insertAttention } from '../../../store/attention.ts'
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
import { seated, ticketsWithIds } from '../../../store/tickets.ts'
import type { Deps } from '../../deps.ts'
import { sameOrder } from '../orders/orderRows.ts'
import { tell, willBeTold } from '../upkeep/tell.ts'
import {
  bouncedKey,
  cover,
  divideFailed,
  dueFor,
  failedKey,
  gaveUpMoney,
  isLoose,
  lacksMoney,
  markPaidBack,
  noteRefundElsewhere,
  paiseBack,
  settleCancelled,
  settleFailed,
  settleRefundsElsewhere,
  showRefunds,
} from './refundsElsewhere.ts'

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
      await changeRefund(tx, known, { state: known.state, providerRefundId, updatedAt: known.updatedAt })
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
  const settled = await coverFailed(deps, tx, { orderId: order.id, paymentId: payment.id })
  if (!settled.includes(refund.id)) {
    const settles = await settleCancelled(tx, { orderId: order.id, refund, now })
    if (settles || (await gaveUpMoney(tx, order))) await noteRefundElsewhere(tx, { orderId: order.id, refund, now })
  }
  await settleRefundsElsewhere(tx, order.id, now)
}

/**
 * The refund marked as paid by hand that this dashboard refund may duplicate: one of the same amount, or any if more
 * than the payment has now gone back.
 */
async function paidByHand(tx: ReadTx, payment: PaymentRow, { paise }: RefundFact): Promise<RefundRow | undefined> {
  const all = await refundsOf(tx, [payment.id])
  const byHand = all.filter(({ state }) => state === 'manual')
  const isTwice = paiseBack(all) + paise > payment.amountPaise
  return byHand.find(({ amountPaise }) => amountPaise === paise) ?? (isTwice ? byHand[0] : undefined)
}

/**
 * A refund made elsewhere may return the money of a failed refund, with or without its deduction, of several that add
 * up to it exactly, or of all with deductions. It then replaces them and belongs to the first one's ticket. Returns the
 * ids of all these refunds.
 */
async function coverFailed(
  deps: Deps,
  tx: WriteTx,
  { orderId, paymentId }: { orderId: string; paymentId: string },
): Promise<string[]> {
  const all = await refundsOf(tx, [paymentId])
  const tickets = await ticketsWithIds(
    tx,
    all.flatMap(({ ticketId }) => ticketId ?? []),
  )
  const now = deps.now()
  const ticketOf = ({ ticketId }: RefundRow) => tickets.find(({ id }) => id === ticketId)
  const isValid = (one: RefundRow) => seated(ticketOf(one)?.status ?? 'cancelled')
  let failed = withoutReplaced(all).filter((one) => one.state === 'failed' && !isValid(one))
  const keepsMoney = !(await lacksMoney(tx, orderId))
  const settled: string[] = []
  for (const made of all.filter((one) => isLoose(one) && !all.some(({ coveredBy }) => coveredBy === one.id))) {
    const { amountPaise: paise } = made
    const priceOf = (one: RefundRow) => ticketOf(one)?.pricePaise ?? 0
    const isWhole = (some: readonly RefundRow[]) =>
      keepsMoney &&
      some.every((one) => dueFor(priceOf(one)) <= one.amountPaise) &&
      paiseOf(some.map(({ amountPaise }) => amountPaise)) <= paise &&
      paise <= paiseOf(some.map(priceOf))
    const one = failed.find(({ amountPaise }) => amountPaise === paise) ?? failed.find((one) => isWhole([one]))
    const ofTickets = failed.filter(ticketOf)
    const exact = one ? [one] : addingUpTo(ofTickets, paise)
    const covered = exact.length === 0 && isWhole(ofTickets) ? ofTickets : exact
    if (covered.length === 0) continue
    failed = failed.filter((one) => !covered.includes(one))
    settled.push(made.id, ...idsOf(covered))
    await cover(tx, { made, covered, now })
    const [first, ...others] = covered.flatMap((one) => ticketOf(one) ?? [])
    const kind = covered[0]?.kind ?? made.kind
    const set = { state: made.state, kind, ticketId: first?.id ?? null, updatedAt: made.updatedAt }
    const row = await changeRefund(tx, made, set)
    // The failed refund may have had no ticket, like this one.
    if (others.length > 0 || (!first && (await gaveUpMoney(tx, await sameOrder(tx, { id: orderId })))))
      await noteRefundElsewhere(tx, { orderId, refund: made, now })
    for (const ticket of others) if (ticket.status === 'cancelled') await markPaidBack(tx, ticket, now)
    if (row) await follow(deps, tx, row)
  }
  return settled
}

const paiseOf = (amounts: readonly number[]): number => amounts.reduce((sum, paise) => sum + paise, 0)

/** Refunds that add up to this sum exactly; empty if there are none. */
function addingUpTo(refunds: readonly RefundRow[], paise: number): readonly RefundRow[] {
  const sums = new Map<number, readonly RefundRow[]>([[0, []]])
  for (const one of refunds)
    for (const [sum, some] of [...sums])
      if (sum + one.amountPaise <= paise && !sums.has(sum + one.amountPaise))
        sums.set(sum + one.amountPaise, [...some, one])
  return sums.get(paise) ?? []
}

interface RefundChange extends Partial<RefundRow> {
  state: RefundRow['state']
}

/**
 * A new refund of everything left of a payment also returns the money of failed ones, so no one has to pay those by
 * hand.
 */
export async function replaceFailed(tx: WriteTx, made: RefundRow, now: Date): Promise<void> {
  const all = withoutReplaced(await refundsOf(tx, [made.paymentId]))
  const covered = all.filter(({ state, ticketId }) => state === 'failed' && ticketId === null)
  await cover(tx, { made, covered, now })
}

/**
 * Changes a refund and what follows from it: its ticket's refund column, a mail to the buyer, and a matter for the desk
 * if it failed.
 */
export async function moveRefund(deps: Deps, tx: WriteTx, refund: RefundRow, set: RefundChange): Promise<void> {
  const now = deps.now()
  const row = await changeRefund(tx, refund, { ...set, updatedAt: now })
  if (!row || set.state === refund.state) return
  const order = await follow(deps, tx, row)
  if (row.state !== 'failed' || !order) return
  await divideFailed(tx, { orderId: order.id, refund: row, now })
  const settled = await coverFailed(deps, tx, { orderId: order.id, paymentId: row.paymentId })
  await settleRefundsElsewhere(tx, order.id, now)
  if (settled.includes(row.id)) return
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
  if (refund.state === 'done') await settleFailed(tx, refund, { resolvedAt: now, resolution: ORDER_WORDS.paidAfterAll })
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
export async function refundsRequestedWith(
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

/**
 * Tells the buyer once of the refunds requested together, when each was made or has failed, and once if one failed. One
 * that is made after that has a mail of its own. A refund made while the mail about the cancellation still waits is
 * part of that mail.
 */
export async function tellOfRefund(
  deps: Pick<Deps, 'now' | 'mailer'>,
  tx: WriteTx,
  order: OrderRow,
  refund: RefundRow,
): Promise<void> {
  const together = await refundsRequestedWith(tx, refund)
  const about = together[0].id
  if (refund.state === 'failed') await tell(deps, tx, order, { what: 'byHand', about })
  const made = together.filter(isPaidBack)
  if (made.length === 0 || !together.every((one) => isPaidBack(one) || one.state === 'failed')) return
  const ids = together.map(({ ticketId }) => ticketId)
  if (await willBeTold(tx, order.id, ids)) return
  const isFirst = await tell(deps, tx, order, { what: 'refunded', about })
  if (!isFirst && isPaidBack(refund)) await tell(deps, tx, order, { what: 'refunded', about: `${refund.id}:alone` })
}

/** The failed refunds of a ticket that is valid again need not be paid by hand. */
export async function withdrawFailed(tx: WriteTx, ticketId: string, now: Date): Promise<void> {
  for (const refund of await refundsOfTickets(tx, [ticketId]))
    await settleFailed(tx, refund, { resolvedAt: now, resolution: ORDER_WORDS.agrees })
}
