import type { CallInput } from '@garba/shared/calls/calls'
import { UNPROVEN_TICKETS_MAX } from '@garba/shared/constants'
import type { PhoneSale, UnprovenSum } from '@garba/shared/contracts/order'
import { AUDIT } from '@garba/shared/messages/audit'
import { CANCELLATION } from '@garba/shared/messages/codes'
import { DEVICE } from '@garba/shared/messages/gate'
import { ORDER } from '@garba/shared/messages/order'
import { toLocalDay } from '@garba/shared/rules/event/calendar'
import { formatRupees, toPaise, toRupees } from '@garba/shared/rules/money'
import { orRefuse, Refusal } from '../../../refusal.ts'
import { resolveOrderMatter } from '../../../store/attention.ts'
import { findPairedDevice } from '../../../store/devices.ts'
import { listIds, type ReadTx, type WriteTx } from '../../../store/engine/sql.ts'
import { getEventFor, isEventClosed } from '../../../store/events.ts'
import { changeOrderState, heldOrdersOfSeller, type OrderRow } from '../../../store/orders.ts'
import { changePayment, listOrderPayments } from '../../../store/payments.ts'
import { listPaymentRefunds } from '../../../store/refunds.ts'
import { moveTicket, NO_ENTRY, ticketsOfOrder } from '../../../store/tickets.ts'
import { type ClaimedSale, claimsOfPhone, countUnlooked, markLooked, unprovenSales } from '../../../store/unproven.ts'
import { aboutBuyer, auditChange } from '../../audited.ts'
import type { Caller, Deps } from '../../deps.ts'
import { releaseAdmission } from '../../tickets/changeTickets.ts'
import { capturedMoney } from '../refunds/refundsElsewhere.ts'
import { endHold } from './orderRows.ts'

export async function requireFewUnlooked(tx: ReadTx, phoneId: string, quantity: number): Promise<void> {
  if ((await countUnlooked(tx, phoneId)) + quantity > UNPROVEN_TICKETS_MAX) throw new Refusal('UNPROVEN_LIMIT')
}

export const listPhoneSales = ({ store }: Pick<Deps, 'store'>, id: string): Promise<PhoneSale[]> =>
  store.read((tx) => buildPhoneSales(tx, id))

async function buildPhoneSales(tx: ReadTx, id: string): Promise<PhoneSale[]> {
  orRefuse(await findPairedDevice(tx, id), 'DEVICE_NOT_FOUND')
  return (await claimsOfPhone(tx, id)).map(({ order, number, used }) => ({
    order: order.code,
    at: order.createdAt.toISOString(),
    method: order.provider,
    isHeld: order.state === 'held',
    buyer: order.buyerName,
    seller: order.sellerName ?? '',
    quantity: order.quantity,
    used,
    total: toRupees(order.totalPaise),
    number,
    isLooked: order.lookedAt !== null,
  }))
}

interface ByAdmin {
  admin: Pick<Caller, 'id' | 'name'>
  now: Date
}
interface ChosenSales {
  admin: Caller
  id: string
  orders: readonly string[]
}

const listChosenSales = async (tx: ReadTx, { id, orders }: ChosenSales): Promise<ClaimedSale[]> => {
  const codes = new Set(orders)
  return (await claimsOfPhone(tx, id)).filter(({ order }) => codes.has(order.code))
}

export const markSalesReviewed = (deps: Deps, chosen: ChosenSales): Promise<PhoneSale[]> =>
  deps.store.write(async (tx) => {
    const now = deps.now()
    const sales = (await listChosenSales(tx, chosen))
      .map(({ order }) => order)
      .filter(({ lookedAt }) => lookedAt === null)
    await markLooked(tx, listIds(sales), now)
    const phone = orRefuse(await findPairedDevice(tx, chosen.id), 'DEVICE_NOT_FOUND')
    const detail = DEVICE.looked(sales.length)
    const subject = { id: phone.id, name: DEVICE.subject(phone.name) }
    if (sales.length > 0)
      await auditChange(tx, { at: now, action: 'order.attention', actor: chosen.admin, subject, detail })
    return buildPhoneSales(tx, chosen.id)
  })

/**
 * Cancels sales whose money never came: their tickets end, those of people inside too, nothing goes back, and what the
 * seller claimed no longer counts as received. Sales that were refunded stay on the list.
 */
export const cancelPhoneSales = (deps: Deps, { reason, ...chosen }: ChosenSales & { reason: string }) =>
  deps.store.write(async (tx) => {
    const by = { admin: chosen.admin, now: deps.now() }
    for (const { order } of await listChosenSales(tx, chosen)) await cancelClaim(tx, order, { ...by, reason })
    tx.announceChanges('roster', 'evening')
    return buildPhoneSales(tx, chosen.id)
  })

async function cancelClaim(
  tx: WriteTx,
  order: OrderRow,
  { admin, now, reason }: ByAdmin & { reason: string },
): Promise<void> {
  if (order.state === 'held') return cancelHold(tx, order, { admin, now, reason })
  const payments = await listOrderPayments(tx, order.id)
  if ((await listPaymentRefunds(tx, listIds(payments))).length > 0) return
  for (const ticket of await ticketsOfOrder(tx, order.id)) {
    if (isEventClosed(await getEventFor(tx, ticket))) throw new Refusal('EVENT_CLOSED')
    const set = { status: 'cancelled', cancelledAt: now, cancellationReason: reason, isRefundDone: true } as const
    if (typeof (await moveTicket(tx, ticket, { ...NO_ENTRY, ...set }, now)) === 'string')
      throw new Refusal('UNAVAILABLE')
    await releaseAdmission(tx, ticket)
  }
  for (const payment of payments) await changePayment(tx, payment, { state: 'void', updatedAt: now })
  await changeOrderState(tx, { id: order.id, from: 'paid', to: 'cancelled', now })
  for (const kind of ['unproven', 'slipTwice'] as const)
    await resolveOrderMatter(tx, { kind, orderId: order.id }, { resolvedAt: now, resolution: CANCELLATION.byOrganiser })
  const detail = `${AUDIT.order(order.code)}; ${reason}`
  await auditChange(tx, { at: now, action: 'order.cancelled', actor: admin, subject: aboutBuyer(order), detail })
}

export async function cancelPhoneHolds(tx: WriteTx, phoneId: string, by: ByAdmin): Promise<void> {
  for (const order of await heldOrdersOfSeller(tx, phoneId))
    await cancelHold(tx, order, { ...by, reason: DEVICE.holdEnded })
}

/** Orders whose money came in part stay held. */
async function cancelHold(
  tx: WriteTx,
  order: OrderRow,
  { admin, now, reason }: ByAdmin & { reason: string },
): Promise<void> {
  if ((await capturedMoney(tx, order.id)).length > 0) return
  await endHold(tx, order, { to: 'cancelled', now })
  const detail = `${AUDIT.order(order.code)}; ${reason}`
  await auditChange(tx, { at: now, action: 'order.cancelled', actor: admin, subject: aboutBuyer(order), detail })
}

const buildSumKey = ({ order }: ClaimedSale, timezone: string) => ({
  sellerId: order.sellerId ?? '',
  seller: order.sellerName ?? '',
  day: toLocalDay(order.createdAt, timezone),
  method: order.provider,
})

export const unprovenSums = ({ store, settings }: Pick<Deps, 'store' | 'settings'>): Promise<UnprovenSum[]> =>
  store.read(async (tx) => {
    const byKey = Map.groupBy(await unprovenSales(tx), (sale) => JSON.stringify(buildSumKey(sale, settings.timezone)))
    return [...byKey.entries()].map(([key, sales]) => ({
      ...(JSON.parse(key) as ReturnType<typeof buildSumKey>),
      orders: sales.length,
      tickets: sales.reduce((sum, { order }) => sum + order.quantity, 0),
      amount: toRupees(sales.reduce((sum, { order }) => sum + order.totalPaise, 0)),
    }))
  })

type TickingOff = CallInput<'tickOffCards'> & { admin: Caller }

/**
 * Ticks a seller's card sales of a day off against the terminal's total, which must be their sum. A second time changes
 * nothing.
 */
export const tickOffCards = (deps: Deps, { admin, amount, sellerId, seller, day }: TickingOff): Promise<void> =>
  deps.store.write(async (tx) => {
    const now = deps.now()
    const wanted = JSON.stringify({ sellerId, seller, day, method: 'card' })
    const isWanted = (sale: ClaimedSale) => JSON.stringify(buildSumKey(sale, deps.settings.timezone)) === wanted
    const sales = (await unprovenSales(tx)).filter(isWanted)
    const paise = sales.reduce((sum, { order }) => sum + order.totalPaise, 0)
    if (sales.length === 0) return
    if (paise !== toPaise(amount)) throw new Refusal('TOTAL_DIFFERS', { total: toRupees(paise) })
    const resolution = ORDER.terminalTotal(day, formatRupees(amount))
    const done = { resolvedAt: now, resolvedByName: admin.name, resolution }
    for (const { order } of sales) await resolveOrderMatter(tx, { kind: 'unproven', orderId: order.id }, done)
    const subject = { id: sellerId, name: seller }
    await auditChange(tx, { at: now, action: 'order.attention', actor: admin, subject, detail: resolution })
  })
