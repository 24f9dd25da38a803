import { ORDER_WORDS } from '@garba/shared/messages/order'
import { nextRefundState } from '@garba/shared/rules/orders/orderMoney'
import type { RefundFact } from '../../../providers/provider.ts'
import { insertAttention } from '../../../store/attention.ts'
import { listIds, type ReadTx, type WriteTx } from '../../../store/engine/sql.ts'
import type { OrderRow } from '../../../store/orders.ts'
import { findPayment, findPaymentByProviderId, listOrderPayments, type PaymentRow } from '../../../store/payments.ts'
import {
  changeRefund,
  findRefund,
  findRefundByProviderId,
  insertRefund,
  listPaymentRefunds,
  type RefundRow,
  refundsOfTickets,
  withoutReplaced,
} from '../../../store/refunds.ts'
import { hasSeat, ticketsWithIds } from '../../../store/tickets.ts'
import type { Deps } from '../../deps.ts'
import { getOrderById } from '../orders/orderRows.ts'
import { queueBuyerMail, willBeTold } from '../upkeep/tell.ts'
import {
  addElsewhereMatter,
  assignElsewhereRefund,
  bouncedKey,
  coverRefunds,
  divideFailed,
  dueFor,
  failedKey,
  gaveUpMoney,
  isLoose,
  lacksMoney,
  markPaidBack,
  paiseBack,
  resolveElsewhereMatters,
  resolveFailedMatters,
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
    return fact.state === 'done' ? addPaidTwiceMatter(deps, tx, known, fact) : undefined
  }
  const state = nextRefundState(known.state, fact.state)
  if (state === known.state && known.providerRefundId !== null) return
  await moveRefund(deps, tx, known, { state, providerRefundId })
}

async function isPaidAnotherWay(tx: ReadTx, { id, state, paymentId }: RefundRow): Promise<boolean> {
  if (state === 'manual') return true
  return state === 'failed' && !withoutReplaced(await listPaymentRefunds(tx, [paymentId])).some((one) => one.id === id)
}

async function addPaidTwiceMatter(
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
  if (byHand) return addPaidTwiceMatter(deps, tx, byHand, fact)
  const refund = await insertRefund(tx, {
    paymentId: payment.id,
    kind: 'event',
    amountPaise: fact.paise,
    state: fact.state,
    providerRefundId: fact.refundId,
    reason: ORDER_WORDS.atProvider,
    createdAt: now,
  })
  const order = await getOrderById(tx, { id: payment.orderId })
  const coveredIds = await coverFailed(deps, tx, { orderId: order.id, paymentId: payment.id })
  if (!coveredIds.includes(refund.id)) {
    const isAssigned = await assignElsewhereRefund(tx, { orderId: order.id, refund, now })
    if (isAssigned || (await gaveUpMoney(tx, order))) await addElsewhereMatter(tx, { orderId: order.id, refund, now })
  }
  await resolveElsewhereMatters(tx, order.id, now)
}

/**
 * The refund marked as paid by hand that this dashboard refund may duplicate: a refund of the same amount, or any if
 * more than the payment has now gone back.
 */
async function paidByHand(tx: ReadTx, payment: PaymentRow, { paise }: RefundFact): Promise<RefundRow | undefined> {
  const all = await listPaymentRefunds(tx, [payment.id])
  const byHand = all.filter(({ state }) => state === 'manual')
  const isTwice = paiseBack(all) + paise > payment.amountPaise
  return byHand.find(({ amountPaise }) => amountPaise === paise) ?? (isTwice ? byHand[0] : undefined)
}

/**
 * A refund made elsewhere may return the money of a failed refund, with or without its deduction, of several that add
 * up to it exactly, or of all with deductions. It then replaces them and belongs to the ticket of the first. Returns
 * the ids of all these refunds.
 */
async function coverFailed(
  deps: Deps,
  tx: WriteTx,
  { orderId, paymentId }: { orderId: string; paymentId: string },
): Promise<string[]> {
  const all = await listPaymentRefunds(tx, [paymentId])
  const tickets = await ticketsWithIds(
    tx,
    all.flatMap(({ ticketId }) => ticketId ?? []),
  )
  const now = deps.now()
  const ticketOf = ({ ticketId }: RefundRow) => tickets.find(({ id }) => id === ticketId)
  const isValid = (one: RefundRow) => hasSeat(ticketOf(one)?.status ?? 'cancelled')
  let failed = withoutReplaced(all).filter((one) => one.state === 'failed' && !isValid(one))
  const keepsMoney = !(await lacksMoney(tx, orderId))
  const settled: string[] = []
  for (const made of all.filter((one) => isLoose(one) && !all.some(({ coveredBy }) => coveredBy === one.id))) {
    const { amountPaise: paise } = made
    const priceOf = (one: RefundRow) => ticketOf(one)?.pricePaise ?? 0
    const isWhole = (some: readonly RefundRow[]) =>
      keepsMoney &&
      some.every((one) => dueFor(priceOf(one)) <= one.amountPaise) &&
      sumPaise(some.map(({ amountPaise }) => amountPaise)) <= paise &&
      paise <= sumPaise(some.map(priceOf))
    const one = failed.find(({ amountPaise }) => amountPaise === paise) ?? failed.find((one) => isWhole([one]))
    const ofTickets = failed.filter(ticketOf)
    const exact = one ? [one] : addingUpTo(ofTickets, paise)
    const covered = exact.length === 0 && isWhole(ofTickets) ? ofTickets : exact
    if (covered.length === 0) continue
    failed = failed.filter((one) => !covered.includes(one))
    settled.push(made.id, ...listIds(covered))
    await coverRefunds(tx, { made, covered, now })
    const [first, ...others] = covered.flatMap((one) => ticketOf(one) ?? [])
    const kind = covered[0]?.kind ?? made.kind
    const set = { state: made.state, kind, ticketId: first?.id ?? null, updatedAt: made.updatedAt }
    const row = await changeRefund(tx, made, set)
    // The failed refund may have had no ticket, like this one.
    if (others.length > 0 || (!first && (await gaveUpMoney(tx, await getOrderById(tx, { id: orderId })))))
      await addElsewhereMatter(tx, { orderId, refund: made, now })
    for (const ticket of others) if (ticket.status === 'cancelled') await markPaidBack(tx, ticket, now)
    if (row) await follow(deps, tx, row)
  }
  return settled
}

const sumPaise = (amounts: readonly number[]): number => amounts.reduce((sum, paise) => sum + paise, 0)

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
 * A new refund of everything left of a payment also returns the money of failed refunds, so no one has to pay those by
 * hand.
 */
export async function replaceFailed(tx: WriteTx, made: RefundRow, now: Date): Promise<void> {
  const all = withoutReplaced(await listPaymentRefunds(tx, [made.paymentId]))
  const covered = all.filter(({ state, ticketId }) => state === 'failed' && ticketId === null)
  await coverRefunds(tx, { made, covered, now })
}

export async function moveRefund(deps: Deps, tx: WriteTx, refund: RefundRow, set: RefundChange): Promise<void> {
  const now = deps.now()
  const row = await changeRefund(tx, refund, { ...set, updatedAt: now })
  if (!row || set.state === refund.state) return
  const order = await follow(deps, tx, row)
  if (row.state !== 'failed' || !order) return
  await divideFailed(tx, { orderId: order.id, refund: row, now })
  const settled = await coverFailed(deps, tx, { orderId: order.id, paymentId: row.paymentId })
  await resolveElsewhereMatters(tx, order.id, now)
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

async function follow(deps: Deps, tx: WriteTx, refund: RefundRow) {
  const now = deps.now()
  if (refund.ticketId !== null) await showRefunds(tx, refund.ticketId, now)
  if (refund.state === 'done')
    await resolveFailedMatters(tx, refund, { resolvedAt: now, resolution: ORDER_WORDS.paidAfterAll })
  const payment = await findPayment(tx, refund.paymentId)
  if (!payment) return null
  const order = await getOrderById(tx, { id: payment.orderId })
  await tellOfRefund(deps, tx, order, refund)
  return order
}

/**
 * The refunds that were requested together, such as those of all tickets of an order. The first refund's id stands for
 * all.
 */
export async function refundsRequestedWith(
  tx: ReadTx,
  { paymentId, kind, createdAt }: RefundRow,
): Promise<[RefundRow, ...RefundRow[]]> {
  const payment = await findPayment(tx, paymentId)
  const payments = payment ? await listOrderPayments(tx, payment.orderId) : []
  const all = await listPaymentRefunds(tx, listIds(payments))
  return all.filter((other) => other.kind === kind && other.createdAt.getTime() === createdAt.getTime()) as [
    RefundRow,
    ...RefundRow[],
  ]
}

export const isPaidBack = ({ state }: RefundRow): boolean => state === 'done' || state === 'manual'

/**
 * Tells the buyer once of the refunds requested together, when each was made or has failed, and once if any failed. A
 * refund made after that has a mail of its own. A refund made while the mail about the cancellation still waits is part
 * of that mail.
 */
export async function tellOfRefund(
  deps: Pick<Deps, 'now' | 'mailer'>,
  tx: WriteTx,
  order: OrderRow,
  refund: RefundRow,
): Promise<void> {
  const together = await refundsRequestedWith(tx, refund)
  const about = together[0].id
  if (refund.state === 'failed') await queueBuyerMail(deps, tx, order, { what: 'byHand', about })
  const made = together.filter(isPaidBack)
  if (made.length === 0 || !together.every((one) => isPaidBack(one) || one.state === 'failed')) return
  const ids = together.map(({ ticketId }) => ticketId)
  if (await willBeTold(tx, order.id, ids)) return
  const isFirst = await queueBuyerMail(deps, tx, order, { what: 'refunded', about })
  if (!isFirst && isPaidBack(refund))
    await queueBuyerMail(deps, tx, order, { what: 'refunded', about: `${refund.id}:alone` })
}

/** The failed refunds of a ticket that is valid again need not be paid by hand. */
export async function withdrawFailed(tx: WriteTx, ticketId: string, now: Date): Promise<void> {
  for (const refund of await refundsOfTickets(tx, [ticketId]))
    await resolveFailedMatters(tx, refund, { resolvedAt: now, resolution: ORDER_WORDS.agrees })
}
