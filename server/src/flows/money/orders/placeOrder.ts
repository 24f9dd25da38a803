import { UNPAID_ORDERS_PER_HOUR, UPI_SEATS_PER_PERSON } from '@garba/shared/constants'
import type { GuestProvider } from '@garba/shared/contracts/names'
import type { Order } from '@garba/shared/contracts/order'
import { ORDER } from '@garba/shared/messages/order'
import { quote } from '@garba/shared/rules/pricing'
import { upiSeatsAtMost } from '@garba/shared/rules/sale'
import { Refusal } from '../../../refusal.ts'
import type { EventRow } from '../../../store/events.ts'
import { newId } from '../../../store/ids.ts'
import { findOrder, heldOrderOf, insertOrder, newOrder, type OrderRow, unpaidSince } from '../../../store/orders.ts'
import { insertPayment, newPayment } from '../../../store/payments.ts'
import type { WriteTx } from '../../../store/sql.ts'
import { upiWaiting } from '../../../store/upiOrders.ts'
import { findUser } from '../../../store/users.ts'
import type { Caller, Deps } from '../../deps.ts'
import { eventOnSale, takeSeatsOf } from '../../tickets/onSale.ts'
import { startPayment } from './links.ts'
import { rowsOf, sameOrder } from './orderRows.ts'
import { orderView } from './orderView.ts'

interface Placing {
  user: Caller
  quantity: number
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
 * order, TOO_MANY_ORDERS, UPI_ORDER_TOO_LARGE, UPI_SEATS_WAITING, IDEMPOTENCY_KEY_REUSED, UNAUTHENTICATED, or as
 * `eventOnSale`.
 */
export async function placeOrder(deps: Deps, placing: Placing): Promise<Order> {
  const { payments } = deps.settings
  if (!payments.on) throw new Refusal('PAYMENT_NOT_NEEDED')
  const provider = placing.provider ?? payments.guest[0]
  if (provider === undefined || !payments.guest.includes(provider)) throw notOffered()
  const order = await deps.store.write((tx) => hold(deps, tx, { ...placing, provider }))
  if (order.state === 'held') await startPayment(deps, order)
  return deps.store.read(async (tx) => orderView(await rowsOf(tx, await sameOrder(tx, order)), payments))
}

const notOffered = () =>
  new Refusal('VALIDATION_FAILED', {
    message: ORDER.provider,
    errors: [{ field: 'provider', message: ORDER.provider }],
  })

async function hold(
  deps: Deps,
  tx: WriteTx,
  { user, quantity, provider, idempotencyKey, language }: Placing & { provider: GuestProvider },
): Promise<OrderRow> {
  const known = await findOrder(tx, user.id, idempotencyKey)
  if (known) {
    if (known.quantity === quantity && known.provider === provider) return known
    throw new Refusal('IDEMPOTENCY_KEY_REUSED', { body: { order: known.code } })
  }
  const account = await findUser(tx, user.id)
  if (!account) throw new Refusal('UNAUTHENTICATED')
  const open = await heldOrderOf(tx, user.id)
  if (open) throw new Refusal('ORDER_OPEN', { body: { order: open.code } })
  await requireFewUnpaid(tx, user, deps.now())
  const event = await eventOnSale(deps, tx, { userId: user.id, quantity })
  const { unitPaise, totalPaise } = quote({ quantity, ...event })
  if (provider === 'upi') await requireRoomForUpi(tx, event, quantity)
  await takeSeatsOf(tx, event, quantity)
  const createdAt = deps.now()
  const order = newOrder({
    id: newId(createdAt),
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
  await insertOrder(tx, order)
  const asked = { provider, amountPaise: totalPaise, state: 'created' } as const
  await insertPayment(tx, newPayment({ id: newId(createdAt), orderId: order.id, ...asked, createdAt }))
  return order
}

/** Refuses with UPI_ORDER_TOO_LARGE or UPI_SEATS_WAITING. */
async function requireRoomForUpi(tx: WriteTx, { id, totalTickets }: EventRow, quantity: number): Promise<void> {
  if (quantity > UPI_SEATS_PER_PERSON) throw new Refusal('UPI_ORDER_TOO_LARGE')
  const { seats } = await upiWaiting(tx, id)
  if (seats + quantity > upiSeatsAtMost(totalTickets)) throw new Refusal('UPI_SEATS_WAITING')
}

const HOUR_MS = 60 * MINUTE_MS

/** Placing and dropping an order costs nothing, so it could fill the database. Refuses with TOO_MANY_ORDERS. */
async function requireFewUnpaid(tx: WriteTx, { id }: Caller, now: Date): Promise<void> {
  const unpaid = await unpaidSince(tx, id, new Date(now.getTime() - HOUR_MS))
  const oldest = unpaid.at(-UNPAID_ORDERS_PER_HOUR)
  if (oldest === undefined) return
  const retryAfterSeconds = Math.max(1, Math.ceil((oldest.getTime() + HOUR_MS - now.getTime()) / 1_000))
  throw new Refusal('TOO_MANY_ORDERS', { retryAfterSeconds })
}
