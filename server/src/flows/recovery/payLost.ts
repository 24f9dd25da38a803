import type { CallInput } from '@garba/shared/calls/calls'
import { LOST_PAYMENT, ORDER, ORDER_WORDS } from '@garba/shared/messages/order'
import { quotePrice } from '@garba/shared/rules/pricing'
import { type Fact, ProviderRefused, ProviderUnavailable, type RefundFact } from '../../providers/provider.ts'
import { orRefuse, Refusal } from '../../refusal.ts'
import { type AttentionRow, findAttention, linkMatterToOrder, resolveByKey } from '../../store/attention.ts'
import type { ReadTx, WriteTx } from '../../store/engine/sql.ts'
import type { EventRow } from '../../store/events.ts'
import { addTicketToOrder, addToSearch, findOrderByCode, insertOrder, type OrderRow } from '../../store/orders.ts'
import {
  addToPayment,
  findPaymentByProviderId,
  findPaymentByUtr,
  insertPayment,
  type PaymentRow,
} from '../../store/payments.ts'
import { getFirstType } from '../../store/typeSeats.ts'
import type { UserRow } from '../../store/users.ts'
import type { Caller, Deps } from '../deps.ts'
import { getOrderById } from '../money/orders/orderRows.ts'
import { capturedMoney } from '../money/refunds/refundsElsewhere.ts'

export type HowPaid = CallInput<'confirmLost'>

interface ProviderMoney {
  what: AttentionRow
  paymentId: string
  ref: string
  code: string | null
  capture: Extract<Fact, { type: 'captured' }> | undefined
  refunds: RefundFact[]
}

/** Asks the provider before the write. Without an answer, the stored facts are used. */
export async function moneyAtProvider(deps: Deps, id: string | undefined): Promise<ProviderMoney | null> {
  if (id === undefined) return null
  const what = await deps.store.read((tx) => openMoney(tx, id))
  const [paymentId, ref = ''] = what.detail.split(' ')
  if (!paymentId) throw new Refusal('NOT_FOUND')
  const found: ProviderMoney = { what, paymentId, ref, code: null, capture: undefined, refunds: [] }
  const [provider] = Object.values(deps.providers)
  if (!provider || ref === '') return found
  try {
    for (const fact of await provider.fetchLinkFacts(ref)) {
      if (fact.type === 'captured' && fact.paymentId === paymentId) found.capture = fact
      if (fact.type === 'refund' && fact.paymentId === paymentId) found.refunds.push(fact)
    }
    found.code = await provider.codeOf(ref)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefused)) throw error
  }
  return found
}

async function openMoney(tx: ReadTx, id: string): Promise<AttentionRow> {
  const what = await findAttention(tx, id)
  if (what?.kind !== 'unknown') throw new Refusal('NOT_FOUND')
  if (what.resolvedAt === null) return what
  throw new Refusal('NOT_FOUND', { message: ORDER.settledBefore(what.resolvedByName, what.resolution) })
}

interface LostTicketPayment {
  ticketId: string
  account: UserRow
  event: EventRow
  unitPaise: number
  createdAt: Date
  admin: Caller
  paid: HowPaid
  found: ProviderMoney | null
}
interface LostTicketOrder {
  order: OrderRow
  paise: number
}

/**
 * Tickets bought together share one payment: the first makes its order, the others join it. Surplus money stays on the
 * desk's list.
 */
export async function orderOfLost(deps: Deps, tx: WriteTx, paying: LostTicketPayment): Promise<LostTicketOrder> {
  const { paid, found, unitPaise } = paying
  if (!deps.settings.payments.on) return { order: await write(tx, paying, { paise: unitPaise }), paise: unitPaise }
  if (found) return byProvider(deps, tx, { ...paying, found })
  if (paid.utr !== undefined) return byTransfer(deps, tx, { ...paying, utr: paid.utr })
  if (paid.reason === undefined)
    throw new Refusal('VALIDATION_FAILED', {
      message: LOST_PAYMENT.how,
      errors: [{ field: 'reason', message: ORDER.reason }],
    })
  const order = await write(tx, paying, { paise: 0, provider: 'complimentary', reason: paid.reason })
  return { order, paise: 0 }
}

interface Written extends Partial<OrderRow> {
  paise: number
}

const write = (
  tx: WriteTx,
  { ticketId, account, event, createdAt }: LostTicketPayment,
  { paise, ...facts }: Written,
): Promise<OrderRow> =>
  insertOrder(tx, {
    eventId: event.id,
    userId: account.id,
    buyerName: account.name,
    buyerEmail: account.email,
    idempotencyKey: `${KEY}${ticketId}`,
    quantity: 1,
    lines: [lostLine(event, paise)],
    unitPaise: paise,
    totalPaise: paise,
    createdAt,
    ...facts,
  })

/** A code does not say of which type it was, so it counts as one of the first. */
export const lostLine = (event: EventRow, unitPaise: number) => ({
  ...{ typeId: getFirstType(event).id, quantity: 1, seats: 1 },
  unitPaise,
})

const KEY = 'lost:'

async function orderToJoin(tx: WriteTx, payment: PaymentRow, { account }: LostTicketPayment): Promise<OrderRow | null> {
  const order = await getOrderById(tx, { id: payment.orderId })
  return order.userId === account.id && order.idempotencyKey.startsWith(KEY) ? order : null
}

async function byProvider(
  deps: Deps,
  tx: WriteTx,
  paying: LostTicketPayment & { found: ProviderMoney },
): Promise<LostTicketOrder> {
  const { event, found } = paying
  const { paymentId } = found
  // Somebody may have settled it while the provider was asked.
  const what = await openMoney(tx, found.what.id)
  const now = deps.now()
  const paise = findUnitPrice(event, what.amountPaise) ?? paying.unitPaise
  const known = await findPaymentByProviderId(tx, paymentId)
  const joined = known ? await orderToJoin(tx, known, paying) : null
  if (known && !joined) throw new Refusal('LOST_MONEY_SHORT')
  const refunded = found.refunds.reduce((sum, refund) => (refund.state === 'failed' ? sum : sum + refund.paise), 0)
  // The provider may not have answered this time.
  const spent = Math.max(refunded, joined ? await computeSpentPaise(tx, joined, what.amountPaise) : 0)
  if (what.amountPaise - spent - (joined?.totalPaise ?? 0) < paise) throw new Refusal('LOST_MONEY_SHORT')
  const order = joined ? await addTicketToOrder(tx, joined, paise) : await insertProviderOrder(deps, tx, paying, paise)
  if (what.amountPaise - spent <= order.totalPaise)
    await resolveByKey(tx, what.dedupeKey, { resolvedAt: now, resolution: ORDER_WORDS.hasHome(order.code) })
  return { order, paise }
}

const computeSpentPaise = async (tx: WriteTx, { id }: OrderRow, paise: number): Promise<number> =>
  paise - (await capturedMoney(tx, id)).reduce((sum, { leftPaise }) => sum + leftPaise, 0)

function findUnitPrice(event: EventRow, amountPaise: number): number | null {
  for (let quantity = 1; quantity <= event.totalTickets; quantity += 1) {
    const { unitPaise, totalPaise } = quotePrice({ quantity, ...event })
    if (totalPaise === amountPaise) return unitPaise
    if (unitPaise * quantity > amountPaise * 2) break
  }
  return null
}

async function insertProviderOrder(
  deps: Deps,
  tx: WriteTx,
  paying: LostTicketPayment & { found: ProviderMoney },
  paise: number,
): Promise<OrderRow> {
  const { found, createdAt } = paying
  const { what, paymentId, ref, capture } = found
  const [provider] = Object.keys(deps.providers)
  const free = found.code !== null && (await findOrderByCode(tx, found.code)) === undefined
  const order = await write(tx, paying, {
    paise,
    provider: provider === 'demo' ? 'demo' : 'razorpay',
    ...(free && found.code ? { code: found.code } : {}),
  })
  const payment = await insertPayment(tx, {
    orderId: order.id,
    provider: order.provider,
    providerRef: ref === '' ? null : ref,
    providerPaymentId: paymentId,
    amountPaise: what.amountPaise,
    feePaise: capture?.feePaise ?? null,
    state: 'captured',
    createdAt,
    updatedAt: deps.now(),
    capturedAt: capture?.at ?? createdAt,
  })
  await addToSearch(tx, order.id, paymentId)
  await linkMatterToOrder(tx, what.id, { orderId: order.id, paymentId: payment.id })
  return order
}

async function byTransfer(
  deps: Deps,
  tx: WriteTx,
  paying: LostTicketPayment & { utr: string },
): Promise<LostTicketOrder> {
  const { utr, unitPaise: paise, admin, createdAt } = paying
  const known = await findPaymentByUtr(tx, utr)
  if (known) {
    const joined = orRefuse(await orderToJoin(tx, known, paying), 'UTR_USED')
    await addToPayment(tx, known, { paise, now: deps.now() })
    return { order: await addTicketToOrder(tx, joined, paise), paise }
  }
  const order = await write(tx, paying, { paise, provider: 'upi' })
  await insertPayment(tx, {
    orderId: order.id,
    provider: 'upi',
    utr,
    amountPaise: paise,
    state: 'captured',
    recordedById: admin.id,
    recordedByName: admin.name,
    createdAt,
    capturedAt: createdAt,
  })
  await addToSearch(tx, order.id, utr)
  return { order, paise }
}
