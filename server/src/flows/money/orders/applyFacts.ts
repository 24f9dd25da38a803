import { UPI_CONFIRM_MS } from '@garba/shared/constants'
import { paysByLink } from '@garba/shared/contracts/names'
import { ORDER_WORDS } from '@garba/shared/messages/order'
import { formatRupees, toRupees } from '@garba/shared/rules/money'
import { afterCapture, nextPaymentState } from '@garba/shared/rules/orders/orderMoney'
import { mayStillBuy, saleState } from '@garba/shared/rules/orders/sale'
import type { Fact } from '../../../providers/provider.ts'
import { Refusal } from '../../../refusal.ts'
import { insertAttention, resolveByKey } from '../../../store/attention.ts'
import type { WriteTx } from '../../../store/engine/sql.ts'
import { type EventRow, isEventClosed } from '../../../store/events.ts'
import { addToSearch, changeOrderState, extendHold, type OrderRow } from '../../../store/orders.ts'
import { changePayment, insertPayment, type PaymentRow } from '../../../store/payments.ts'
import { findPromoCodeById, redeemCode } from '../../../store/promoCodes.ts'
import { countCodeUses } from '../../../store/soldTypes.ts'
import { insertTickets, ticketsOfOrder } from '../../../store/tickets.ts'
import { readTypeSeats, takeSeats } from '../../../store/typeSeats.ts'
import { aboutBuyer, auditChange } from '../../audited.ts'
import type { Deps } from '../../deps.ts'
import { getEventEnd } from '../../event/readEvent.ts'
import { queuePush } from '../../push/pushNews.ts'
import { type SignedId, saleLine, signUnpaid, ticketsFor } from '../../tickets/issueTickets.ts'
import { describeLines } from '../../tickets/saleLines.ts'
import { countLimitedSeats } from '../../tickets/sellTickets.ts'
import { applyRefund } from '../refunds/applyRefund.ts'
import { capturedMoney, mostBack } from '../refunds/refundsElsewhere.ts'
import { requestFromOrder, requestRefund, resolveShortMatters, returnAll } from '../refunds/requestRefund.ts'
import { queueBuyerMail } from '../upkeep/tell.ts'
import { endHold, endOfHold, eventOfOrder, findFactPayment, getOrderById } from './orderRows.ts'

/** Captures come first, so that an order does not expire when its payment arrives in the same batch. */
const RANK: Readonly<Record<Fact['type'], number>> = { captured: 0, pending: 1, failed: 2, refund: 3, linkDead: 4 }

/**
 * Applies a provider's facts, from any source and in any order. Each fact is one write; a fact applied before changes
 * nothing.
 */
export async function applyFacts(deps: Deps, facts: readonly Fact[]): Promise<void> {
  for (const fact of facts.toSorted((a, b) => RANK[a.type] - RANK[b.type])) await applyFact(deps, fact)
}

async function applyFact(deps: Deps, fact: Fact): Promise<void> {
  if (fact.type === 'refund') {
    await deps.store.write((tx) => applyRefund(deps, tx, fact))
  } else if (fact.type === 'captured') {
    const weighed = await weighByLink(deps, fact)
    const signed = await signedFor(deps, weighed)
    await deps.store.write((tx) => applyCapture(deps, tx, { fact: weighed, signed }))
  } else {
    await deps.store.write((tx) => applyOther(deps, tx, fact))
  }
}

/**
 * An amount alone does not say what a payment is worth: a fee on the payer makes it larger, an offer smaller. Where it
 * is not what the link asks for, the provider is asked about the link. Throws as `PaymentProvider.look` does.
 */
async function weighByLink(deps: Deps, fact: Capture): Promise<Capture> {
  const payment = await deps.store.read((tx) => findFactPayment(tx, fact))
  const isClear = fact.chargedPaise !== undefined || payment?.amountPaise === fact.paise
  if (!payment || isClear || isApplied(payment, fact) || !paysByLink(payment.provider)) return fact
  const facts = (await deps.providers[payment.provider]?.fetchLinkFacts(fact.ref)) ?? []
  return (
    (facts.find((one) => one.type === 'captured' && one.paymentId === fact.paymentId) as Capture | undefined) ?? fact
  )
}

const isCounted = (payment: PaymentRow, { paymentId }: Capture): boolean =>
  payment.state === 'captured' && payment.providerPaymentId === paymentId

/** A payment that fell short may turn out to have paid its link whole. */
const isApplied = (payment: PaymentRow, fact: Capture): boolean =>
  isCounted(payment, fact) && (fact.chargedPaise === undefined || fact.paise <= payment.amountPaise)

async function signedFor(deps: Deps, fact: Capture): Promise<SignedId[]> {
  const order = await deps.store.read(async (tx): Promise<OrderRow | null> => {
    const payment = await findFactPayment(tx, fact)
    if (!payment || isApplied(payment, fact)) return null
    return getOrderById(tx, { id: payment.orderId })
  })
  return order ? signUnpaid(deps, order) : []
}

async function applyOther(
  deps: Deps,
  tx: WriteTx,
  fact: Extract<Fact, { type: 'pending' | 'failed' | 'linkDead' }>,
): Promise<void> {
  const payment = await findFactPayment(tx, fact)
  if (!payment) return
  const now = deps.now()
  const reported = fact.type === 'linkDead' ? 'void' : fact.type
  const state = nextPaymentState(payment.state, reported)
  if (state !== payment.state) await changePayment(tx, payment, { state, updatedAt: now })
  if (fact.type !== 'linkDead') return
  const order = await getOrderById(tx, { id: payment.orderId })
  const to = fact.why === 'expired' ? 'expired' : endOfHold(order, now)
  await endHold(tx, order, { to, now })
}

type Capture = Extract<Fact, { type: 'captured' }>

/**
 * Records received money and acts on it: tickets, or its way back (rules/orders/orderMoney). Refuses with UNAVAILABLE
 * when the order has changed since its codes were signed; the fact is then applied again.
 */
async function applyCapture(
  deps: Deps,
  tx: WriteTx,
  { fact, signed }: { fact: Capture; signed: readonly SignedId[] },
): Promise<void> {
  const known = await findFactPayment(tx, fact)
  const now = deps.now()
  if (!known) return unknownMoney(tx, fact, now)
  if (isApplied(known, fact)) return
  const { code, state } = await getOrderById(tx, { id: known.orderId })
  // What has paid for tickets keeps its worth: counted again, it would be taken for a second payment and given back.
  if (state === 'paid' && isCounted(known, fact)) return
  const payment = await recorded(tx, { known, fact, now })
  await resolveByKey(tx, unknownKey(fact.paymentId), { resolvedAt: now, resolution: ORDER_WORDS.hasHome(code) })
  await addToSearch(tx, payment.orderId, fact.paymentId)
  await settleOrderPayment(deps, tx, { payment, signed })
}

export async function settleOrderPayment(
  deps: Deps,
  tx: WriteTx,
  { payment, signed }: { payment: PaymentRow; signed: readonly SignedId[] },
): Promise<void> {
  const now = deps.now()
  const order = await getOrderById(tx, { id: payment.orderId })
  const event = await eventOfOrder(tx, order)
  const captured = await capturedMoney(tx, order.id)
  const capturedPaise = captured.reduce((paise, { leftPaise }) => paise + leftPaise, 0)
  const result = afterCapture({
    order,
    capturedPaise,
    // Tickets of a sale that the desk has cancelled are not made a second time.
    freeSeats: (await ticketsOfOrder(tx, order.id)).length > 0 ? 0 : await countFreeSeats(deps, tx, { event, order }),
    onSale: onSale(deps, event, now),
  })
  switch (result) {
    case 'fulfil':
    case 'fulfilLate':
      await fulfil(deps, tx, { order, event, signed, now })
      await resolveShortMatters(tx, order, { resolvedAt: now, resolution: ORDER_WORDS.complete })
      return returnMore(deps, tx, { order, payment, paise: capturedPaise - order.totalPaise, now })
    case 'refundLate': {
      const paise = await returnAll(tx, order, { kind: 'late', now })
      await queueBuyerMail(deps, tx, order, { what: 'late', about: payment.id, paise })
      return
    }
    case 'refundDuplicate':
      await requestRefund(tx, { payment, kind: 'duplicate', paise: mostBack(payment), now })
      await queueBuyerMail(deps, tx, order, { what: 'duplicate', about: payment.id, paise: mostBack(payment) })
      return
    case 'short':
      return addShortMatter(tx, { order, payment, capturedPaise, now })
  }
}

/** An order has at most one open matter of this kind: each further payment replaces it with one about the whole sum. */
async function addShortMatter(
  tx: WriteTx,
  { order, payment, capturedPaise, now }: { order: OrderRow; payment: PaymentRow; capturedPaise: number; now: Date },
): Promise<void> {
  const [received, total] = [capturedPaise, order.totalPaise].map((paise) => formatRupees(toRupees(paise)))
  const detail = ORDER_WORDS.shortOf(order.code, received ?? '', total ?? '')
  await resolveShortMatters(tx, order, { resolvedAt: now, resolution: detail })
  await insertAttention(tx, {
    kind: 'short',
    dedupeKey: `short:${payment.id}`,
    orderId: order.id,
    paymentId: payment.id,
    amountPaise: capturedPaise,
    detail,
    at: now,
  })
  // A buyer who has paid part of the total gets time to send the rest.
  const until = new Date(now.getTime() + UPI_CONFIRM_MS)
  if (order.state === 'held' && order.provider === 'upi' && (order.holdUntil ?? now) < until)
    await extendHold(tx, order.id, until)
}

async function returnMore(
  deps: Deps,
  tx: WriteTx,
  { order, payment, paise, now }: { order: OrderRow; payment: PaymentRow; paise: number; now: Date },
): Promise<void> {
  if (paise <= 0) return
  await requestFromOrder(tx, order, { kind: 'duplicate', paise, now })
  await queueBuyerMail(deps, tx, order, { what: 'duplicate', about: payment.id, paise })
}

const onSale = ({ settings }: Deps, event: EventRow, now: Date): boolean =>
  !isEventClosed(event) &&
  saleState(
    { endsAt: getEventEnd(event, settings.timezone).getTime(), remaining: 1, state: event.state },
    now.getTime(),
  ) === 'open'

const unknownKey = (paymentId: string): string => `unknown:${paymentId}`

const unknownMoney = (tx: WriteTx, { paymentId, ref, paise }: Capture, now: Date): Promise<void> =>
  insertAttention(tx, {
    kind: 'unknown',
    dedupeKey: unknownKey(paymentId),
    amountPaise: paise,
    detail: [paymentId, ref].filter(Boolean).join(' '),
    at: now,
  })

async function recorded(
  tx: WriteTx,
  { known, fact, now }: { known: PaymentRow; fact: Capture; now: Date },
): Promise<PaymentRow> {
  const { paymentId: providerPaymentId, paise: amountPaise, chargedPaise = null, feePaise } = fact
  const money = { providerPaymentId, amountPaise, chargedPaise, feePaise }
  const set = { ...money, state: 'captured', capturedAt: fact.at, updatedAt: now } as const
  if (known.state !== 'captured' || known.providerPaymentId === fact.paymentId) {
    const row = await changePayment(tx, known, set)
    if (row) return row
    throw new Refusal('UNAVAILABLE')
  }
  const { orderId, provider } = known
  return insertPayment(tx, { orderId, provider, createdAt: now, ...set })
}

/** The seats that are free for an order whose hold has ended and for its buyer: all that it needs, or none. */
async function countFreeSeats(
  { settings }: Deps,
  tx: WriteTx,
  { event, order }: { event: EventRow; order: OrderRow },
): Promise<number> {
  const { lines, quantity, userId } = order
  const seatsOf = await readTypeSeats(tx, event)
  const isShort = lines.some(({ typeId, seats }) => {
    const type = event.types.find(({ id }) => id === typeId)
    return !type || (type.seats !== null && seatsOf(typeId).taken + seats > type.seats)
  })
  const owned = await countLimitedSeats(tx, { ...settings.limits, userId, eventId: event.id })
  const mayBuy = userId === null ? null : mayStillBuy(settings.limits, owned)
  if (isShort || (mayBuy !== null && quantity > mayBuy) || (await isCodeUsedUp(tx, order))) return 0
  return event.totalTickets - event.takenSeats
}

async function isCodeUsedUp(
  tx: WriteTx,
  { promoCodeId, promoUses, userId }: Pick<OrderRow, 'promoCodeId' | 'promoUses' | 'userId'>,
): Promise<boolean> {
  const code = promoCodeId === null ? undefined : await findPromoCodeById(tx, promoCodeId)
  if (!code) return false
  const own = userId === null || code.perPerson === null ? 0 : await countCodeUses(tx, { id: code.id, userId })
  const isAbove = (used: number, most: number | null) => most !== null && used + promoUses > most
  return isAbove(code.used, code.tickets) || isAbove(own, code.perPerson)
}

async function fulfil(
  deps: Deps,
  tx: WriteTx,
  { order, event, signed, now }: { order: OrderRow; event: EventRow; signed: readonly SignedId[]; now: Date },
): Promise<void> {
  if (signed.length !== order.quantity) throw new Refusal('UNAVAILABLE')
  if (order.state !== 'held') {
    const isSeated = (await takeSeats(tx, event, order.lines)) !== null
    const { promoCodeId, promoUses } = order
    if (!isSeated || (promoCodeId !== null && !(await redeemCode(tx, promoCodeId, promoUses))))
      throw new Refusal('UNAVAILABLE')
  }
  if (!(await changeOrderState(tx, { id: order.id, from: order.state, to: 'paid', now })))
    throw new Refusal('UNAVAILABLE')
  const rows = await ticketsFor(tx, order, { eventId: event.id, signed, createdAt: now })
  await insertTickets(tx, rows)
  tx.announceChanges('roster', 'evening')
  const tier = describeLines(event, order)
  const actor = { id: order.sellerId ?? order.userId, name: order.sellerName ?? order.buyerName }
  const detail = saleLine(signed, { tier, totalPaise: order.totalPaise })
  await auditChange(tx, { at: now, action: 'ticket.sold', actor, subject: aboutBuyer(order), detail })
  await queueBuyerMail(deps, tx, order, { what: 'paid', about: order.id })
  // A guest who pays through a link in time sees the tickets appear; a bank's confirmation or late money takes hours.
  if (order.userId !== null && (order.provider === 'upi' || order.state !== 'held'))
    await queuePush(tx, { what: 'paid', about: order.id, eventId: event.id, userId: order.userId, now })
}
