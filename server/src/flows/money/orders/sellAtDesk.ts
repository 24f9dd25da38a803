import { randomUUID } from 'node:crypto'
import type { DeskMethod } from '@garba/shared/contracts/names'
import type { Order } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { ORDER } from '@garba/shared/messages/order'
import { quote } from '@garba/shared/rules/pricing'
import { Refusal, wrongField } from '../../../refusal.ts'
import type { ReadTx, WriteTx } from '../../../store/engine/sql.ts'
import type { EventRow } from '../../../store/events.ts'
import { findSellersOrder, type OrderRow } from '../../../store/orders.ts'
import { paymentsOf } from '../../../store/payments.ts'
import { insertTickets } from '../../../store/tickets.ts'
import type { AnyCaller, Deps } from '../../deps.ts'
import { admitWithin } from '../../gate/admit.ts'
import { type SignedId, signIds, ticketsFor } from '../../tickets/issueTickets.ts'
import { ticketView } from '../../tickets/readTickets.ts'
import { eventOnSale, takeSeatsOf } from '../../tickets/sellTickets.ts'
import { openDrawer } from '../drawers.ts'
import { orderView, rowsOf, wholeRowsOf } from './orderRows.ts'
import { holdForBank, priceByHand, recordSale, requireShownTotal, type SaleByHand } from './recordSale.ts'

interface DeskSale {
  order: Order
  tickets: Ticket[]
  /** One scanId per ticket, in ticket order, if the buyers were let in at once. */
  scanIds?: string[]
}
interface Selling extends Omit<SaleByHand, 'channel' | 'seller' | 'drawerId'> {
  seller: AnyCaller
  /** The earlier name of `reference`, for UPI alone. */
  utr?: string | undefined
  /** The total that the seller was shown, in rupees. */
  total?: number | undefined
  /** Whether the buyers go in at once. */
  admit?: boolean | undefined
}

/**
 * Sells tickets at the counter: the seller has the money, or gives them away with a reason. Its tickets are made at
 * once. A seller's repeated key gets the first sale.
 *
 * A payment by UPI is a claim until the bank has it. Unless UPI_AT_DOOR lets such sales through at once, the order is
 * held for a day like a guest's, and its tickets are made when the desk confirms it.
 *
 * Refuses with VALIDATION_FAILED where the desk takes no money (PAYMENTS without `desk`), IDEMPOTENCY_KEY_REUSED,
 * UTR_USED, PRICE_CHANGED, NO_OPEN_DRAWER for cash, UPI_NOT_CONFIRMED for letting in a buyer who pays by UPI, or as
 * `eventOnSale` does.
 */
export async function sellAtDesk(deps: Deps, asking: Selling): Promise<DeskSale> {
  const { quantity, method, utr, ...rest } = asking
  const reference = asking.reference ?? (method === 'upi' ? utr : undefined)
  const selling: Selling = { ...rest, quantity, method, reference }
  requireMethod(deps, method)
  const before = await deps.store.read(async (tx) => {
    const first = await firstSale(deps, tx, selling)
    return first ? { first } : { event: await eventOnSale(deps, tx, { userId: null, quantity }) }
  })
  if (before.first) return before.first
  const signed = await signIds(deps, { eventId: before.event.id, quantity })
  return deps.store.write(async (tx) => {
    const first = await firstSale(deps, tx, selling)
    if (first) return first
    const event = await eventOnSale(deps, tx, { userId: null, quantity })
    if (event.id !== before.event.id) throw new Refusal('UNAVAILABLE')
    const order = await sell(deps, tx, { selling, event, signed })
    return saleOf(deps, tx, { order, seller: selling.seller })
  })
}

/** Refuses with VALIDATION_FAILED where the desk takes no money. */
export function requireMethod({ settings }: Pick<Deps, 'settings'>, method: DeskMethod): void {
  if (method === 'complimentary' || settings.payments.desk) return
  throw wrongField('method', ORDER.deskTakesNone)
}

async function firstSale(
  deps: Deps,
  tx: ReadTx,
  { seller, idempotencyKey, ...request }: Selling,
): Promise<DeskSale | null> {
  const first = await findSellersOrder(tx, seller.id, idempotencyKey)
  if (!first) return null
  if (!(await isSameSale(tx, first, request))) throw new Refusal('IDEMPOTENCY_KEY_REUSED', { bought: first.quantity })
  return saleOf(deps, tx, { order: first, seller })
}

/**
 * A request stays the same if the sale has got a number since, if the desk has found it under another number, or if the
 * admission was undone.
 */
export async function isSameSale(
  tx: ReadTx,
  order: OrderRow,
  { quantity, method, reference, ...request }: Omit<SaleByHand, 'channel' | 'seller' | 'drawerId' | 'idempotencyKey'>,
): Promise<boolean> {
  if (order.quantity !== quantity || order.provider !== method) return false
  const given = [request.name, request.email ?? '', request.phone ?? null, request.reason ?? null]
  const first = [order.buyerName, order.buyerEmail, order.buyerPhone, order.reason]
  if (given.some((one, at) => one !== first[at])) return false
  if (reference === undefined || (method !== 'upi' && method !== 'card')) return true
  if (method === 'upi') return order.searchText.includes(` ${reference}`)
  return (await paymentsOf(tx, order.id)).some((payment) => payment.reference === reference)
}

async function saleOf(
  { settings }: Deps,
  tx: ReadTx,
  { order, seller }: { order: OrderRow; seller: AnyCaller },
): Promise<DeskSale> {
  const { tickets, event } = await wholeRowsOf(tx, order)
  return {
    order: orderView(await rowsOf(tx, order), settings.payments),
    tickets: tickets.map((ticket) => {
      const view = ticketView(ticket, event)
      return seller.device && ticket.userId !== null ? withoutOwner(view, order) : view
    }),
    ...(tickets.some(({ entryScanId }) => entryScanId !== null) && {
      scanIds: tickets.map(({ entryScanId }) => entryScanId ?? ''),
    }),
  }
}

/**
 * When a phone repeats a sale, an account may own its tickets by then. The phone must not learn their codes or owner.
 */
const withoutOwner = (view: Ticket, { buyerName: name, buyerEmail: email }: OrderRow): Ticket => ({
  ...view,
  qrCode: null,
  holderName: null,
  user: { _id: null, name, email },
})

async function sell(
  deps: Deps,
  tx: WriteTx,
  { selling, event, signed }: { selling: Selling; event: EventRow; signed: readonly SignedId[] },
): Promise<OrderRow> {
  const { seller, quantity, method } = selling
  const waits = method === 'upi' && deps.settings.payments.upiAtDoor === 'wait'
  if (waits && selling.admit) throw new Refusal('UPI_NOT_CONFIRMED')
  const drawerId = method === 'cash' ? (await openDrawer(tx, seller)).id : null
  const price = priceByHand(quote({ quantity, ...event }), method)
  requireShownTotal(selling.total, price.totalPaise)
  await takeSeatsOf(tx, event, quantity)
  const at = deps.now()
  const channel = seller.device ? ('door' as const) : ('desk' as const)
  const sale = { ...selling, channel, drawerId }
  if (waits) return holdForBank(deps, tx, { sale, eventId: event.id, price, at })
  const order = await recordSale(deps, tx, { sale, eventId: event.id, price, signed, at, action: 'order.deskSale' })
  await insertTickets(tx, await ticketsFor(tx, order, { eventId: event.id, signed, createdAt: at }))
  if (selling.admit) for (const { id } of signed) await admitBuyer(tx, { ticketId: id, event, seller, at })
  return order
}

/** Admits a buyer in the write of the sale, so that the ticket never counts as sold but unused. */
async function admitBuyer(
  tx: WriteTx,
  { ticketId, event, seller, at }: { ticketId: string; event: EventRow; seller: AnyCaller; at: Date },
): Promise<void> {
  const { id, name, device } = seller
  await admitWithin(tx, {
    scanId: randomUUID(),
    code: { type: 'genuine', ticketId },
    event,
    admittedOffline: false,
    gate: device?.gate ?? null,
    bySale: true,
    device: { id: device?.id ?? null, name: device?.name ?? null },
    checker: { id, name },
    sender: { id, name },
    deviceTime: null,
    claimed: null,
    receivedAt: at,
  })
}
