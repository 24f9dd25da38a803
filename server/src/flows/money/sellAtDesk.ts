import type { DeskMethod } from '@garba/shared/contracts/names'
import type { Order } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { ORDER } from '@garba/shared/messages/order'
import { type Quote, quote } from '@garba/shared/rules/pricing'
import { Refusal } from '../../refusal.ts'
import { openSessionOf } from '../../store/cashSessions.ts'
import type { EventRow } from '../../store/events.ts'
import { newId } from '../../store/ids.ts'
import { findSellersOrder, insertOrder, newOrder, type OrderRow } from '../../store/orders.ts'
import { insertPayment, newPayment } from '../../store/payments.ts'
import type { ReadTx, WriteTx } from '../../store/sql.ts'
import { insertTickets } from '../../store/tickets.ts'
import { aboutBuyer, audited } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { type SignedId, saleLine, signIds, ticketsFor } from '../issueTickets.ts'
import { eventOnSale, takeSeatsOf } from '../onSale.ts'
import { orderView } from '../views/order.ts'
import { ticketView } from '../views/ticket.ts'
import { requireNewUtr } from './giveUtr.ts'
import { rowsOf, wholeRowsOf } from './orderRows.ts'
import { tell } from './tell.ts'

export interface DeskSale {
  order: Order
  tickets: Ticket[]
}
interface Selling {
  seller: Caller
  idempotencyKey: string
  quantity: number
  method: DeskMethod
  name: string
  email?: string | undefined
  phone?: string | undefined
  /** Given with a complimentary order. */
  reason?: string | undefined
  utr?: string | undefined
}

/**
 * Sells tickets at the counter: the seller has the money, or gives them away with a reason. Its tickets are made at once. A
 * seller's repeated key gets the first sale. Refuses with VALIDATION_FAILED where the desk takes no money (PAYMENTS without
 * `desk`), IDEMPOTENCY_KEY_REUSED, UTR_USED, or as `eventOnSale` (DECISIONS 7 and 9).
 */
export async function sellAtDesk(deps: Deps, selling: Selling): Promise<DeskSale> {
  const { quantity, method } = selling
  if (method !== 'complimentary' && !deps.settings.payments.desk) throw wrongMethod()
  const asked = await deps.store.read(async (tx) => {
    const first = await firstSale(deps, tx, selling)
    return first ? { first } : { event: await eventOnSale(deps, tx, { userId: null, quantity }) }
  })
  if (asked.first) return asked.first
  const signed = await signIds(deps, { eventId: asked.event.id, quantity })
  return deps.store.write(async (tx) => {
    const first = await firstSale(deps, tx, selling)
    if (first) return first
    const event = await eventOnSale(deps, tx, { userId: null, quantity })
    if (event.id !== asked.event.id) throw new Refusal('UNAVAILABLE')
    return saleOf(deps, tx, await sell(deps, tx, { selling, event, signed }))
  })
}

const wrongMethod = () =>
  new Refusal('VALIDATION_FAILED', {
    message: ORDER.deskTakesNone,
    errors: [{ field: 'method', message: ORDER.deskTakesNone }],
  })

async function firstSale(
  deps: Deps,
  tx: ReadTx,
  { seller, idempotencyKey, ...asked }: Selling,
): Promise<DeskSale | null> {
  const first = await findSellersOrder(tx, seller.id, idempotencyKey)
  if (!first) return null
  if (first.quantity !== asked.quantity || first.provider !== asked.method || first.buyerName !== asked.name)
    throw new Refusal('IDEMPOTENCY_KEY_REUSED', { bought: first.quantity })
  return saleOf(deps, tx, first)
}

async function saleOf({ settings }: Deps, tx: ReadTx, order: OrderRow): Promise<DeskSale> {
  const { tickets, event } = await wholeRowsOf(tx, order)
  return {
    order: orderView(await rowsOf(tx, order), settings.payments),
    tickets: tickets.map((ticket) => ticketView(ticket, event)),
  }
}

async function sell(
  deps: Deps,
  tx: WriteTx,
  { selling, event, signed }: { selling: Selling; event: EventRow; signed: readonly SignedId[] },
): Promise<OrderRow> {
  const { seller, quantity, method, utr } = selling
  if (utr !== undefined) await requireNewUtr(tx, { utr, paymentId: null })
  await takeSeatsOf(tx, event, quantity)
  const createdAt = deps.now()
  const price = priceOf(quote({ quantity, ...event }), method)
  const order = newOrder({
    id: newId(createdAt),
    eventId: event.id,
    channel: 'desk',
    provider: method,
    userId: null,
    sellerId: seller.id,
    sellerName: seller.name,
    buyerName: selling.name,
    buyerEmail: selling.email ?? '',
    buyerPhone: selling.phone ?? null,
    reason: selling.reason ?? null,
    idempotencyKey: selling.idempotencyKey,
    quantity,
    unitPaise: price.unitPaise,
    totalPaise: price.totalPaise,
    createdAt,
  })
  await insertOrder(tx, order)
  if (method !== 'complimentary') await recordMoney(tx, { order, selling })
  await insertTickets(tx, await ticketsFor(tx, order, { eventId: event.id, signed, createdAt }))
  tx.announce('roster', 'evening')
  await audited(tx, {
    at: createdAt,
    action: 'order.deskSale',
    actor: seller,
    subject: aboutBuyer(order),
    detail: [ORDER.methods[method], saleLine(signed, price), selling.reason].filter(Boolean).join('; '),
  })
  await tell(deps, tx, order, { what: 'paid', about: order.id })
  return order
}

const priceOf = (price: Quote, method: DeskMethod): Quote =>
  method === 'complimentary' ? { ...price, unitPaise: 0, totalPaise: 0 } : price

async function recordMoney(tx: WriteTx, { order, selling }: { order: OrderRow; selling: Selling }): Promise<void> {
  const { seller, method, utr } = selling
  const session = method === 'cash' ? await openSessionOf(tx, seller.id) : undefined
  const { id, createdAt, provider, totalPaise } = order
  await insertPayment(
    tx,
    newPayment({
      id: newId(createdAt),
      orderId: id,
      provider,
      amountPaise: totalPaise,
      state: 'captured',
      utr: utr ?? null,
      recordedById: seller.id,
      recordedByName: seller.name,
      cashSessionId: session?.id ?? null,
      createdAt,
      capturedAt: createdAt,
    }),
  )
}
