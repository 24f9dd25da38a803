import { randomUUID } from 'node:crypto'
import type { CallInput } from '@garba/shared/calls/calls'
import type { DeskMethod } from '@garba/shared/contracts/names'
import type { Order } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { ORDER } from '@garba/shared/messages/order'
import { hasSeveralTypes } from '@garba/shared/rules/types/ticketTypes'
import { Refusal, wrongField } from '../../../refusal.ts'
import { hasBlockCodes } from '../../../store/codeBlocks.ts'
import { listIds, type ReadTx, type WriteTx } from '../../../store/engine/sql.ts'
import type { EventRow } from '../../../store/events.ts'
import { findSellersOrder, type OrderRow } from '../../../store/orders.ts'
import { listOrderPayments } from '../../../store/payments.ts'
import { handedOver } from '../../../store/ticketLinks.ts'
import { insertTickets } from '../../../store/tickets.ts'
import type { AnyCaller, Deps } from '../../deps.ts'
import { admitWithin } from '../../gate/admit.ts'
import { type SignedId, signIds, ticketsFor } from '../../tickets/issueTickets.ts'
import { ticketView } from '../../tickets/readTickets.ts'
import { countSeats, isSameChoice, priceSale, type SaleChoice } from '../../tickets/saleLines.ts'
import { eventOnSale, takeSeatsOrRefuse } from '../../tickets/sellTickets.ts'
import { openDrawer } from '../drawers.ts'
import { orderView, readOrderRows, readWholeOrderRows } from './orderRows.ts'
import { requireFewUnlooked } from './phoneSales.ts'
import { holdForBank, holdSeats, priceByHand, recordSale, requireShownTotal, type SaleByHand } from './recordSale.ts'

interface DeskSale {
  order: Order
  tickets: Ticket[]
  scanIds?: string[]
}
type DeskSaleRequest = CallInput<'sellAtDesk'> & { seller: AnyCaller; idempotencyKey: string }

/**
 * Sells tickets at the counter: the seller has the money, or gives them away with a reason. Its tickets are made at
 * once. A seller's repeated key gets the first sale.
 *
 * A payment by UPI is a claim until the bank has it. Unless UPI_AT_DOOR lets such sales through at once, the order is
 * held for a day like a guest's, and its tickets are made when the desk confirms it.
 */
export async function sellAtDesk(deps: Deps, selling: DeskSaleRequest): Promise<DeskSale> {
  const { method } = selling
  requireMethod(deps, method)
  const before = await deps.store.read(async (tx) => {
    const first = await firstSale(deps, tx, selling)
    return first ? { first } : { event: await eventOnSale(deps, tx, { userId: null, choice: selling }) }
  })
  if (before.first) return before.first
  const quantity = countSeats(before.event, selling)
  const signed = await signIds(deps, { eventId: before.event.id, quantity })
  return deps.store.write(async (tx) => {
    const first = await firstSale(deps, tx, selling)
    if (first) return first
    const event = await eventOnSale(deps, tx, { userId: null, choice: selling })
    if (event.id !== before.event.id || countSeats(event, selling) !== quantity) throw new Refusal('UNAVAILABLE')
    const order = await sell(deps, tx, { selling, event, signed })
    return buildDeskSale(deps, tx, { order, seller: selling.seller })
  })
}

export function requireMethod({ settings }: Pick<Deps, 'settings'>, method: DeskMethod): void {
  if (method === 'complimentary' || settings.payments.desk) return
  throw wrongField('method', ORDER.deskTakesNone)
}

async function firstSale(
  deps: Deps,
  tx: ReadTx,
  { seller, idempotencyKey, ...request }: DeskSaleRequest,
): Promise<DeskSale | null> {
  const first = await findSellersOrder(tx, seller.id, idempotencyKey)
  if (!first) return null
  const isSame =
    !(await hasBlockCodes(tx, first.id)) &&
    (await isSameChoice(tx, first, request)) &&
    (await isSameSale(tx, first, request))
  if (!isSame) throw new Refusal('IDEMPOTENCY_KEY_REUSED', { bought: first.quantity })
  return buildDeskSale(deps, tx, { order: first, seller })
}

type RepeatedSale = Omit<SaleByHand, 'channel' | 'seller' | 'drawerId' | 'idempotencyKey' | 'quantity'> & SaleChoice

/**
 * A request stays the same if the sale has got a number since, the desk has found it under another number, or the
 * admission was undone.
 */
export async function isSameSale(
  tx: ReadTx,
  order: OrderRow,
  { quantity, method, reference, ...request }: RepeatedSale,
): Promise<boolean> {
  if ((quantity !== undefined && order.lines[0]?.quantity !== quantity) || order.provider !== method) return false
  const given = [request.name, request.email ?? '', request.phone ?? null, request.reason ?? null]
  const first = [order.buyerName, order.buyerEmail, order.buyerPhone, order.reason]
  if (given.some((one, at) => one !== first[at])) return false
  if (reference === undefined || (method !== 'upi' && method !== 'card')) return true
  if (method === 'upi') return order.searchText.includes(` ${reference}`)
  return (await listOrderPayments(tx, order.id)).some((payment) => payment.reference === reference)
}

async function buildDeskSale(
  { settings }: Deps,
  tx: ReadTx,
  { order, seller }: { order: OrderRow; seller: AnyCaller },
): Promise<DeskSale> {
  const { tickets, event } = await readWholeOrderRows(tx, order)
  const gone = seller.device ? await handedOver(tx, listIds(tickets)) : new Set<string>()
  return {
    order: orderView(await readOrderRows(tx, order), settings.payments),
    tickets: tickets.map((ticket) => {
      const view = ticketView(ticket, event)
      const isGone = seller.device && (ticket.userId !== null || gone.has(ticket.id))
      return isGone ? withoutOwner(view, order) : view
    }),
    ...(tickets.some(({ entryScanId }) => entryScanId !== null) && {
      scanIds: tickets.map(({ entryScanId }) => entryScanId ?? ''),
    }),
  }
}

/**
 * When a phone repeats a sale, its buyer's device or account may have the tickets by then. The phone must not learn their
 * codes or owner.
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
  { selling, event, signed }: { selling: DeskSaleRequest; event: EventRow; signed: readonly SignedId[] },
): Promise<OrderRow> {
  const { seller, method } = selling
  const quantity = signed.length
  const waits = method === 'upi' && deps.settings.payments.upiAtDoor === 'wait'
  if (waits && selling.admit) throw new Refusal('UPI_NOT_CONFIRMED')
  if (seller.device && method !== 'cash') await requireFewUnlooked(tx, seller.id, quantity)
  const drawerId = method === 'cash' ? (await openDrawer(tx, seller)).id : null
  // With one type, a phone sells as the desk does.
  const sellsAll = !seller.device || !hasSeveralTypes(event)
  const price = priceByHand(await priceSale(deps, tx, event, { choice: selling, userId: null, sellsAll }), method)
  requireShownTotal(selling.total, price)
  if (waits) await holdSeats(tx, event, { lines: price.lines, by: seller.id })
  else await takeSeatsOrRefuse(tx, event, price.lines)
  const at = deps.now()
  const channel = seller.device ? ('door' as const) : ('desk' as const)
  const sale = { ...selling, quantity, channel, drawerId }
  if (waits) return holdForBank(deps, tx, { sale, eventId: event.id, price, at })
  const order = await recordSale(deps, tx, { sale, eventId: event.id, price, signed, at, action: 'order.deskSale' })
  await insertTickets(tx, await ticketsFor(tx, order, { eventId: event.id, signed, createdAt: at }))
  if (selling.admit) for (const { id } of signed) await admitBuyer(deps, tx, { ticketId: id, event, seller, at })
  return order
}

/** Admits a buyer in the write of the sale, so that the ticket never counts as sold but unused. */
async function admitBuyer(
  { settings }: Deps,
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
    timezone: settings.timezone,
  })
}
