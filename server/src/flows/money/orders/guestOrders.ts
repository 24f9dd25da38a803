import { UNPAID_ORDERS_PER_HOUR, UPI_CONFIRM_MS, UPI_SEATS_PER_PERSON } from '@garba/shared/constants'
import type { GuestProvider } from '@garba/shared/contracts/names'
import type { Order, ownOrdersAnswerSchema, WholeOrder } from '@garba/shared/contracts/order'
import { ORDER } from '@garba/shared/messages/order'
import { upiSeatsAtMost } from '@garba/shared/rules/orders/sale'
import { quote } from '@garba/shared/rules/pricing'
import type * as z from 'zod'
import { Refusal, wrongField } from '../../../refusal.ts'
import { idsOf, type WriteTx } from '../../../store/engine/sql.ts'
import { type EventRow, everyEvent } from '../../../store/events.ts'
import { upiWaiting } from '../../../store/lists.ts'
import {
  addToSearch,
  countOrdersOf,
  extendHold,
  findOrder,
  heldOrderOf,
  insertOrder,
  type OrderRow,
  sliceOfOrders,
  unpaidBetween,
} from '../../../store/orders.ts'
import { changePayment, insertPayment, paymentsOf, paymentsOfOrders } from '../../../store/payments.ts'
import { isCreditOpen } from '../../../store/statementLines.ts'
import { findUser } from '../../../store/users.ts'
import type { Caller, Deps } from '../../deps.ts'
import { eventOnSale, personKey, takeSeatsOf } from '../../tickets/sellTickets.ts'
import { returnAll } from '../refunds/requestRefund.ts'
import { closeLink, lookAt, notedProblem, startPayment } from './links.ts'
import {
  endHold,
  orderByCode,
  orderView,
  ownOrder,
  rowsOf,
  sameOrder,
  wholeOrderView,
  wholeRowsOf,
} from './orderRows.ts'
import { requireNewUtr, requireShownTotal } from './recordSale.ts'

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
    const totalOrders = await countOrdersOf(tx, user.id)
    const eventOf = await everyEvent(tx)
    const paid = Map.groupBy(await paymentsOfOrders(tx, idsOf(rows)), ({ orderId }) => orderId)
    const orders = rows.map((order) => {
      const event = eventOf({ eventId: order.eventId ?? '' })
      return orderView({ order, event, payments: paid.get(order.id) ?? [] }, settings.payments)
    })
    const pagination = { current: page, total: Math.ceil(totalOrders / limit), count: orders.length, totalOrders }
    return { orders, pagination }
  })

/**
 * One order with its money and tickets, for its owner and admins. While it is held, the provider is asked first.
 * Refuses with ORDER_NOT_FOUND, which also hides other people's orders.
 */
export async function oneOrder(deps: Deps, request: { user: Caller; code: string }): Promise<WholeOrder> {
  const { user, code } = request
  const order = await deps.store.read((tx) => (user.role === 'admin' ? orderByCode(tx, code) : ownOrder(tx, request)))
  if (order.state === 'held') await lookAt(deps, order)
  return deps.store.read(async (tx) => {
    const now = await sameOrder(tx, order)
    const view = wholeOrderView(await wholeRowsOf(tx, now), deps.settings.payments)
    const mayBePaid = now.provider === 'upi' && now.state !== 'paid'
    return mayBePaid && (await isCreditOpen(tx, now.code)) ? { ...view, creditSeen: true } : view
  })
}

interface Placing {
  user: Caller
  quantity: number
  /** The total that the buyer was shown, in rupees. */
  total: number | undefined
  provider: GuestProvider | undefined
  idempotencyKey: string
  /** The language the buyer reads, for mails. */
  language: string
}

const MINUTE_MS = 60_000

/**
 * Holds seats for an order and starts its payment. A user's repeated key gets the same order in its present state. When
 * the provider gives no answer the order stands without `payUrl`, and reading it tries again. Refuses with
 * PAYMENT_NOT_NEEDED, VALIDATION_FAILED for a provider that is not offered, ORDER_OPEN with the code of the waiting
 * order, TOO_MANY_ORDERS, PRICE_CHANGED, UPI_ORDER_TOO_LARGE, UPI_SEATS_WAITING, IDEMPOTENCY_KEY_REUSED,
 * UNAUTHENTICATED, or as `eventOnSale` does.
 */
export async function placeOrder(deps: Deps, placing: Placing): Promise<Order> {
  const { payments } = deps.settings
  if (!payments.on) throw new Refusal('PAYMENT_NOT_NEEDED')
  const provider = placing.provider ?? payments.guest[0]
  if (provider === undefined || !payments.guest.includes(provider)) throw wrongField('provider', ORDER.provider)
  const order = await deps.store.write((tx) => hold(deps, tx, { ...placing, provider }), {
    // The limit on seats waiting for UPI payments counts all people.
    touches: [personKey(placing.user), ...(provider === 'upi' ? ['upi'] : [])],
  })
  if (order.state === 'held') await startPayment(deps, order)
  return deps.store.read(async (tx) => orderView(await rowsOf(tx, await sameOrder(tx, order)), payments))
}

async function hold(
  deps: Deps,
  tx: WriteTx,
  { user, quantity, total, provider, idempotencyKey, language }: Placing & { provider: GuestProvider },
): Promise<OrderRow> {
  const [known, account, open] = await Promise.all([
    findOrder(tx, user.id, idempotencyKey),
    findUser(tx, user.id),
    heldOrderOf(tx, user.id),
  ])
  if (known) {
    if (known.quantity === quantity && known.provider === provider) return known
    throw new Refusal('IDEMPOTENCY_KEY_REUSED', { body: { order: known.code } })
  }
  if (!account) throw new Refusal('UNAUTHENTICATED')
  if (open) throw new Refusal('ORDER_OPEN', { body: { order: open.code } })
  await requireFewUnpaid(tx, user, deps.now())
  const event = await eventOnSale(deps, tx, { userId: user.id, quantity })
  const { unitPaise, totalPaise } = quote({ quantity, ...event })
  requireShownTotal(total, totalPaise)
  if (provider === 'upi') await requireRoomForUpi(tx, event, quantity)
  await takeSeatsOf(tx, event, quantity)
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
    quantity,
    unitPaise,
    totalPaise,
    createdAt,
    holdUntil: new Date(createdAt.getTime() + deps.settings.payments.holdMinutes * MINUTE_MS),
    settledAt: null,
  })
  await insertPayment(tx, { orderId: order.id, provider, amountPaise: totalPaise, state: 'created', createdAt })
  return order
}

/** Refuses with UPI_ORDER_TOO_LARGE or UPI_SEATS_WAITING. */
async function requireRoomForUpi(tx: WriteTx, { id, totalTickets }: EventRow, quantity: number): Promise<void> {
  if (quantity > UPI_SEATS_PER_PERSON) throw new Refusal('UPI_ORDER_TOO_LARGE')
  const { seats } = await upiWaiting(tx, id)
  if (seats + quantity > upiSeatsAtMost(totalTickets)) throw new Refusal('UPI_SEATS_WAITING')
}

const HOUR_MS = 60 * MINUTE_MS

/** Placing and cancelling orders costs nothing, so it could fill the database. Refuses with TOO_MANY_ORDERS. */
async function requireFewUnpaid(tx: WriteTx, { id }: Caller, now: Date): Promise<void> {
  // The clock may have been ahead and set back since.
  const unpaid = await unpaidBetween(tx, id, { since: new Date(now.getTime() - HOUR_MS), until: now })
  const oldest = unpaid.at(-UNPAID_ORDERS_PER_HOUR)
  if (oldest === undefined) return
  const retryAfterSeconds = Math.max(1, Math.ceil((oldest.getTime() + HOUR_MS - now.getTime()) / 1_000))
  throw new Refusal('TOO_MANY_ORDERS', { retryAfterSeconds })
}

interface Given {
  user: Caller
  code: string
  /** 12 digits. */
  utr: string
}

/**
 * Stores the bank's number of a UPI payment as its buyer gives it: a claim, not money. The seats are then held for a
 * day, in which the desk looks it up in the bank's statement; a new number replaces the last. Refuses with
 * ORDER_NOT_FOUND, ORDER_NOT_HELD for an order that is settled or paid another way, or UTR_USED.
 */
export const giveUtr = (deps: Deps, { utr, ...request }: Given): Promise<Order> =>
  deps.store.write(async (tx) => {
    const order = await ownOrder(tx, request)
    if (order.state !== 'held' || order.provider !== 'upi') throw new Refusal('ORDER_NOT_HELD')
    const payments = await paymentsOf(tx, order.id)
    const claim = payments.find(({ state }) => state !== 'captured')
    await requireNewUtr(tx, { utr, paymentId: claim?.id ?? null })
    const now = deps.now()
    if (claim && claim.utr !== utr) await changePayment(tx, claim, { state: 'pending', utr, updatedAt: now })
    // Part of the money has arrived, so this number belongs to the rest.
    if (!claim) {
      const received = payments.reduce((sum, { amountPaise }) => sum + amountPaise, 0)
      const rest = { amountPaise: Math.max(0, order.totalPaise - received), utr, state: 'pending' } as const
      await insertPayment(tx, { orderId: order.id, provider: 'upi', createdAt: now, ...rest })
    }
    if (claim?.utr !== utr) await addToSearch(tx, order.id, utr, claim?.utr)
    const until = new Date(order.createdAt.getTime() + UPI_CONFIRM_MS)
    if ((order.holdUntil ?? now) < until) await extendHold(tx, order.id, until)
    return orderView(await rowsOf(tx, await sameOrder(tx, order)), deps.settings.payments)
  })

/**
 * Cancels an unpaid order: first its link is made unusable, then its seats go back on sale. An order that was paid
 * meanwhile stays paid. Refuses with ORDER_NOT_FOUND, ORDER_NOT_HELD, or UNAVAILABLE when the provider does not answer:
 * then the seats stay held.
 */
export async function cancelOrder(deps: Deps, request: { user: Caller; code: string }): Promise<Order> {
  const order = await deps.store.read((tx) => ownOrder(tx, request))
  await cancelHeld(deps, order)
  return deps.store.read(async (tx) => orderView(await rowsOf(tx, await sameOrder(tx, order)), deps.settings.payments))
}

/**
 * Closes an unpaid order's link and ends its hold; money that came meanwhile goes back. Resolves to false if the order
 * was paid meanwhile. Refuses as `cancelOrder` does.
 */
export async function cancelHeld(deps: Deps, order: OrderRow): Promise<boolean> {
  if (order.state !== 'held') throw new Refusal('ORDER_NOT_HELD')
  try {
    await closeLink(deps, order)
  } catch (error) {
    if (notedProblem(deps, error, order)) throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 5 })
    throw error
  }
  return deps.store.write(async (tx) => {
    const now = deps.now()
    await endHold(tx, await sameOrder(tx, order), { to: 'cancelled', now })
    const { state } = await sameOrder(tx, order)
    // Part of its money may have arrived.
    if (state === 'cancelled') await returnAll(tx, order, { kind: 'event', now })
    return state !== 'paid'
  })
}
