import type { CallInput } from '@garba/shared/calls/calls'
import { HOUR_MS, MINUTE_MS, UNPAID_ORDERS_PER_HOUR, UPI_CONFIRM_MS } from '@garba/shared/constants'
import type { GuestProvider } from '@garba/shared/contracts/names'
import type { Order, ownOrdersAnswerSchema, WholeOrder } from '@garba/shared/contracts/order'
import { ORDER } from '@garba/shared/messages/order'
import type * as z from 'zod'
import { Refusal, wrongField } from '../../../refusal.ts'
import { listIds, type WriteTx } from '../../../store/engine/sql.ts'
import { everyEvent } from '../../../store/events.ts'
import {
  addToSearch,
  countUserOrders,
  extendHold,
  findHeldOrder,
  findOrder,
  insertOrder,
  type OrderRow,
  sliceOfOrders,
  unpaidBetween,
} from '../../../store/orders.ts'
import { changePayment, insertPayment, listOrderPayments, paymentsOfOrders } from '../../../store/payments.ts'
import { isCreditOpen } from '../../../store/statementLines.ts'
import { findUser } from '../../../store/users.ts'
import type { Caller, Deps } from '../../deps.ts'
import { countSeats, isSameChoice, priceSale } from '../../tickets/saleLines.ts'
import { eventOnSale, personKey } from '../../tickets/sellTickets.ts'
import { returnAll } from '../refunds/requestRefund.ts'
import { closeLink, logProviderProblem, refreshPayment, startPayment } from './links.ts'
import {
  endHold,
  getOrderById,
  orderByCode,
  orderView,
  ownOrder,
  readOrderRows,
  readWholeOrderRows,
  wholeOrderView,
} from './orderRows.ts'
import { holdSeats, requireShownTotal } from './recordSale.ts'
import { requireFewClaims, requireNewUtr } from './utrClaims.ts'

type OwnOrders = Omit<z.input<typeof ownOrdersAnswerSchema>, 'success'>

/**
 * A page of the caller's orders, newest first. It takes four queries for any number of orders, because a scan may be
 * waiting.
 */
export const myOrders = (
  { store, settings }: Deps,
  { user, page, limit }: { user: Caller; page: number; limit: number },
): Promise<OwnOrders> =>
  store.read(async (tx) => {
    const rows = await sliceOfOrders(tx, user.id, { limit, offset: (page - 1) * limit })
    const totalOrders = await countUserOrders(tx, user.id)
    const eventOf = await everyEvent(tx)
    const paid = Map.groupBy(await paymentsOfOrders(tx, listIds(rows)), ({ orderId }) => orderId)
    const orders = rows.map((order) => {
      const event = eventOf({ eventId: order.eventId ?? '' })
      return orderView({ order, event, payments: paid.get(order.id) ?? [] }, settings.payments)
    })
    const pagination = { current: page, total: Math.ceil(totalOrders / limit), count: orders.length, totalOrders }
    return { orders, pagination }
  })

/**
 * An order with its money and tickets, for its owner and admins. While it is held, the provider is asked first.
 * ORDER_NOT_FOUND also hides other people's orders.
 */
export async function oneOrder(deps: Deps, request: { user: Caller; code: string }): Promise<WholeOrder> {
  const { user, code } = request
  const order = await deps.store.read((tx) => (user.role === 'admin' ? orderByCode(tx, code) : ownOrder(tx, request)))
  if (order.state === 'held') await refreshPayment(deps, order)
  return deps.store.read(async (tx) => {
    const now = await getOrderById(tx, order)
    const view = wholeOrderView(await readWholeOrderRows(tx, now), deps.settings.payments)
    const mayBePaid = now.provider === 'upi' && now.state !== 'paid'
    return mayBePaid && (await isCreditOpen(tx, now)) ? { ...view, creditSeen: true } : view
  })
}

type OrderRequest = CallInput<'placeOrder'> & { user: Caller; idempotencyKey: string; language: string }

/**
 * Holds seats for an order and starts its payment. A user's repeated key gets the same order in its present state. When
 * the provider gives no answer the order stands without `payUrl`, and reading it tries again.
 */
export async function placeOrder(deps: Deps, placing: OrderRequest): Promise<Order> {
  const { payments } = deps.settings
  if (!payments.on) throw new Refusal('PAYMENT_NOT_NEEDED')
  const provider = placing.provider ?? payments.guest[0]
  if (provider === undefined || !payments.guest.includes(provider)) throw wrongField('provider', ORDER.provider)
  const order = await deps.store.write((tx) => hold(deps, tx, { ...placing, provider }), {
    touches: [personKey(placing.user), 'unpaid'],
  })
  if (order.state === 'held') await startPayment(deps, order)
  return deps.store.read(async (tx) => orderView(await readOrderRows(tx, await getOrderById(tx, order)), payments))
}

async function hold(
  deps: Deps,
  tx: WriteTx,
  { user, total, provider, idempotencyKey, language, ...choice }: OrderRequest & { provider: GuestProvider },
): Promise<OrderRow> {
  const [known, account, open] = await Promise.all([
    findOrder(tx, user.id, idempotencyKey),
    findUser(tx, user.id),
    findHeldOrder(tx, user.id),
  ])
  if (known) {
    if ((await isSameChoice(tx, known, choice)) && known.provider === provider) return known
    throw new Refusal('IDEMPOTENCY_KEY_REUSED', { body: { order: known.code } })
  }
  if (!account) throw new Refusal('UNAUTHENTICATED')
  if (open) throw new Refusal('ORDER_OPEN', { body: { order: open.code } })
  await requireFewUnpaid(tx, user, deps.now())
  const event = await eventOnSale(deps, tx, { userId: user.id, choice })
  const { tier: _, ...price } = await priceSale(deps, tx, event, { userId: user.id, choice })
  requireShownTotal(total, price)
  await holdSeats(tx, event, { lines: price.lines, by: user.id })
  const createdAt = deps.now()
  const order = await insertOrder(tx, {
    eventId: event.id,
    userId: user.id,
    buyerName: account.name,
    buyerEmail: account.email,
    state: 'held',
    provider,
    language,
    idempotencyKey,
    quantity: countSeats(event, choice),
    ...price,
    createdAt,
    holdUntil: new Date(createdAt.getTime() + deps.settings.payments.holdMinutes * MINUTE_MS),
    settledAt: null,
  })
  await insertPayment(tx, { orderId: order.id, provider, amountPaise: price.totalPaise, state: 'created', createdAt })
  return order
}

/** Placing and cancelling orders costs nothing, so it could fill the database. */
async function requireFewUnpaid(tx: WriteTx, { id }: Caller, now: Date): Promise<void> {
  // The clock may have been ahead and set back since.
  const unpaid = await unpaidBetween(tx, id, { since: new Date(now.getTime() - HOUR_MS), until: now })
  const oldest = unpaid.at(-UNPAID_ORDERS_PER_HOUR)
  if (oldest === undefined) return
  const retryAfterSeconds = Math.max(1, Math.ceil((oldest.getTime() + HOUR_MS - now.getTime()) / 1_000))
  throw new Refusal('TOO_MANY_ORDERS', { retryAfterSeconds })
}

type UtrClaim = CallInput<'giveUtr'> & { user: Caller; code: string }

/**
 * Stores the bank's number of a UPI payment as its buyer gives it: a claim, not money. The seats are then held for a
 * day, in which the desk looks it up in the bank's statement; a new number replaces the last.
 */
export const giveUtr = (deps: Deps, { utr, ...request }: UtrClaim): Promise<Order> =>
  deps.store.write(async (tx) => {
    const order = await ownOrder(tx, request)
    if (order.state !== 'held' || order.provider !== 'upi') throw new Refusal('ORDER_NOT_HELD')
    const payments = await listOrderPayments(tx, order.id)
    const claim = payments.find(({ state }) => state !== 'captured')
    await requireNewUtr(tx, { utr, paymentId: claim?.id ?? null })
    const now = deps.now()
    if (claim?.utr !== utr) requireFewClaims(payments)
    if (claim && claim.utr !== utr)
      await changePayment(tx, claim, { state: 'pending', utr, claims: claim.claims + 1, updatedAt: now })
    // Part of the money has arrived, so this number belongs to the rest.
    if (!claim) {
      const received = payments.reduce((sum, { amountPaise }) => sum + amountPaise, 0)
      const rest = { amountPaise: Math.max(0, order.totalPaise - received), utr, claims: 1, state: 'pending' } as const
      await insertPayment(tx, { orderId: order.id, provider: 'upi', createdAt: now, ...rest })
    }
    if (claim?.utr !== utr) await addToSearch(tx, order.id, utr, claim?.utr)
    const until = new Date(order.createdAt.getTime() + UPI_CONFIRM_MS)
    if ((order.holdUntil ?? now) < until) await extendHold(tx, order.id, until)
    return orderView(await readOrderRows(tx, await getOrderById(tx, order)), deps.settings.payments)
  })

/**
 * Cancels an unpaid order: first its link is made unusable, then its seats go back on sale. An order that was paid
 * meanwhile stays paid. Refuses with UNAVAILABLE when the provider does not answer: then the seats stay held.
 */
export async function cancelOrder(deps: Deps, request: { user: Caller; code: string }): Promise<Order> {
  const order = await deps.store.read((tx) => ownOrder(tx, request))
  await cancelHeld(deps, order)
  return deps.store.read(async (tx) =>
    orderView(await readOrderRows(tx, await getOrderById(tx, order)), deps.settings.payments),
  )
}

/**
 * Closes an unpaid order's link and ends its hold; money that came meanwhile goes back. Resolves to false if the order
 * was paid meanwhile.
 */
export async function cancelHeld(deps: Deps, order: OrderRow): Promise<boolean> {
  if (order.state !== 'held') throw new Refusal('ORDER_NOT_HELD')
  try {
    await closeLink(deps, order)
  } catch (error) {
    if (logProviderProblem(deps, error, order)) throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 5 })
    throw error
  }
  return deps.store.write(async (tx) => {
    const now = deps.now()
    await endHold(tx, await getOrderById(tx, order), { to: 'cancelled', now })
    const { state } = await getOrderById(tx, order)
    if (state === 'cancelled') await returnAll(tx, order, { kind: 'event', now })
    return state !== 'paid'
  })
}
