import type { TicketStatus } from '@garba/shared/contracts/names'
import type { ScannedTicket } from '@garba/shared/contracts/phones/scan'
import type { ManagedTicket, Ticket } from '@garba/shared/contracts/ticket'
import { refundOf } from '@garba/shared/rules/cancellation'
import { toRupees } from '@garba/shared/rules/money'
import { correction, generate } from 'lean-qr'
import { toSvgDataURL } from 'lean-qr/extras/svg'
import { orRefuse, Refusal } from '../../refusal.ts'
import { type PageQuery, pageOf, type ReadTx, sliceOf } from '../../store/engine/sql.ts'
import { type EventRow, eventOf, everyEvent } from '../../store/events.ts'
import {
  countTickets,
  listTickets as findTickets,
  pricesWithoutRefund,
  refundsAskedFor,
  type TicketFilter,
} from '../../store/lists.ts'
import { paymentsOfOrders } from '../../store/payments.ts'
import { refundsOfTickets } from '../../store/refunds.ts'
import { peopleByTicket } from '../../store/scans.ts'
import { findTicket, nameOn, type TicketRow, ticketsOf } from '../../store/tickets.ts'
import type { Caller, Deps } from '../deps.ts'
import { requestedEvent } from '../event/readEvent.ts'

/** Asks about the current event unless `event` names another. */
type TicketQuery = Omit<TicketFilter, 'eventId'> & { event?: string | undefined }

/**
 * One page of tickets, filtered by status, refund, and id, name or email, newest first. A query by refund also gets the
 * sum of all its tickets, in rupees.
 */
export const listTickets = ({ store }: Deps, query: TicketQuery & PageQuery) =>
  store.read(async (tx) => {
    const { eventId, event } = await requestedEvent(tx, query.event)
    const filter = { ...query, eventId }
    const totalTickets = await countTickets(tx, filter)
    const tickets = event ? await managed(tx, event, await findTickets(tx, filter, sliceOf(query))) : []
    const page = {
      tickets,
      pagination: { ...pageOf(query, { rows: totalTickets, shown: tickets.length }), totalTickets },
    }
    return query.refund === undefined ? page : { ...page, refundTotal: await refundTotal(tx, filter) }
  })

async function refundTotal(tx: ReadTx, filter: TicketFilter): Promise<number> {
  const prices = await pricesWithoutRefund(tx, filter)
  const unasked = prices.reduce((sum, { pricePaise, n }) => sum + n * refundOf(pricePaise).refundPaise, 0)
  return toRupees(unasked + (await refundsAskedFor(tx, filter)))
}

/** Tickets as the desk lists them, with the refund amounts of cancelled ones. */
async function managed(tx: ReadTx, event: EventRow, rows: readonly TicketRow[]): Promise<ManagedTicket[]> {
  const cancelled = rows.filter(({ status }) => status === 'cancelled').map(({ id }) => id)
  const refunds = Map.groupBy(await refundsOfTickets(tx, cancelled), ({ ticketId }) => ticketId)
  const done = rows.filter(({ id, isRefundDone }) => isRefundDone === true && !refunds.has(id))
  const paid = new Set(
    (
      await paymentsOfOrders(
        tx,
        done.flatMap(({ orderId }) => orderId ?? []),
      )
    ).map((one) => one.orderId),
  )
  return rows.map((row) => {
    const own = refunds.get(row.id) ?? (row.isRefundDone && paid.has(row.orderId ?? '') ? [] : undefined)
    const paise = own?.reduce((sum, { amountPaise }) => sum + amountPaise, 0)
    const doubtful = own?.find(({ state }) => state === 'asking')
    const refund = {
      amount: toRupees(paise ?? refundOf(row.pricePaise).refundPaise),
      inDoubt: doubtful?.updatedAt.toISOString() ?? null,
    }
    return { ...ticketView(row, event), refund: row.status === 'cancelled' ? refund : null }
  })
}

/** Every ticket of a filter, newest first, for an export. */
export const everyTicket = ({ store }: Deps, query: TicketQuery): Promise<ManagedTicket[]> =>
  store.read(async (tx) => {
    const { eventId, event } = await requestedEvent(tx, query.event)
    return event ? managed(tx, event, await findTickets(tx, { ...query, eventId })) : []
  })

/** Counts the people let in on each ticket of the event; tickets without any are absent. */
export const peopleOnTickets = ({ store }: Deps, query: TicketQuery): Promise<Map<string, number>> =>
  store.read(async (tx) => peopleByTicket(tx, (await requestedEvent(tx, query.event)).eventId))

/** The caller's own tickets, newest first. */
export const myTickets = ({ store }: Deps, user: Caller): Promise<Ticket[]> =>
  store.read(async (tx) => {
    const events = await everyEvent(tx)
    return (await ticketsOf(tx, user.id)).map((ticket) => ticketView(ticket, events(ticket)))
  })

/** Draws pure black on pure white, with the quiet zone a reader needs. */
const drawn = (qrCode: string): string => {
  const code = generate(qrCode, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M })
  return toSvgDataURL(code, { on: '#000000', off: '#ffffff', padX: 4, padY: 4 })
}

/** One ticket with its QR code drawn, for its owner and for admins. Refuses with TICKET_NOT_FOUND or FORBIDDEN. */
export async function oneTicket(
  { store }: Deps,
  { user, id }: { user: Caller; id: string },
): Promise<Ticket & { qrCodeImage: string | null }> {
  const ticket = await store.read(async (tx) => {
    const row = orRefuse(await findTicket(tx, id), 'TICKET_NOT_FOUND')
    if (row.userId !== user.id && user.role !== 'admin') throw new Refusal('FORBIDDEN')
    return ticketView(row, await eventOf(tx, row))
  })
  return { ...ticket, qrCodeImage: ticket.qrCode === null ? null : drawn(ticket.qrCode) }
}

/** Scanners treat a tombstone as "not found". Where a ticket must be shown, it counts as cancelled. */
export const shownStatus = ({ status }: TicketRow): TicketStatus => (status === 'deleted' ? 'cancelled' : status)

/** A ticket for its owner and for admins. */
export const ticketView = (ticket: TicketRow, { name, closedAt }: Pick<EventRow, 'name' | 'closedAt'>): Ticket => ({
  _id: ticket.id,
  id: ticket.id,
  ticketId: ticket.id,
  user: { _id: ticket.userId, name: ticket.buyerName, email: ticket.buyerEmail },
  eventName: name,
  isPast: closedAt !== null,
  price: toRupees(ticket.pricePaise),
  status: shownStatus(ticket),
  createdAt: ticket.createdAt.toISOString(),
  updatedAt: ticket.updatedAt.toISOString(),
  qrCode: ticket.status === 'active' && closedAt === null ? ticket.qrCode : null,
  entryTime: ticket.entryTime?.toISOString() ?? null,
  scannedBy: ticket.scannedByName === null ? null : { name: ticket.scannedByName },
  cancelledAt: ticket.cancelledAt?.toISOString() ?? null,
  cancellationReason: ticket.cancellationReason,
  isRefundDone: ticket.isRefundDone,
  holderName: ticket.holderName,
  newCodes: ticket.newCodes,
})

/** A ticket for a scanner phone: a name, no email, no price. */
export const scannedTicketView = (ticket: TicketRow, eventName: string): ScannedTicket => ({
  _id: ticket.id,
  id: ticket.id,
  ticketId: ticket.id,
  user: { name: nameOn(ticket) },
  eventName,
  status: shownStatus(ticket),
  entryTime: ticket.entryTime?.toISOString() ?? null,
  scannedBy: ticket.scannedByName === null ? null : { name: ticket.scannedByName },
  scannedAtDevice: ticket.scannedAtDevice,
  ...(ticket.entryGate === null ? {} : { scannedAtGate: ticket.entryGate }),
  cancelledAt: ticket.cancelledAt?.toISOString() ?? null,
})
