import type { Ticket } from '@garba/shared/contracts/ticket'
import { correction, generate } from 'lean-qr'
import { toSvgDataURL } from 'lean-qr/extras/svg'
import { Refusal } from '../refusal.ts'
import { findEvent } from '../store/events.ts'
import type { ReadTx } from '../store/sql.ts'
import { countTickets, findTicket, listTickets as findTickets, type TicketFilter, ticketsOf } from '../store/tickets.ts'
import type { Caller, Deps } from './deps.ts'
import { type PageQuery, pageOf, sliceOf } from './pages.ts'
import { ticketView } from './views/ticket.ts'

/** One page of tickets, filtered by status and by id, name or email, newest first (DECISIONS 2). */
export const listTickets = ({ store }: Deps, query: TicketFilter & PageQuery) =>
  store.read(async (tx) => {
    const eventName = await currentEventName(tx)
    const totalTickets = await countTickets(tx, query)
    const tickets = (await findTickets(tx, query, sliceOf(query))).map((row) => ticketView(row, eventName))
    return { tickets, pagination: { ...pageOf(query, { rows: totalTickets, shown: tickets.length }), totalTickets } }
  })

/** Every ticket, newest first, for an export. */
export const everyTicket = ({ store }: Deps): Promise<Ticket[]> =>
  store.read(async (tx) => {
    const eventName = await currentEventName(tx)
    return (await findTickets(tx, {})).map((row) => ticketView(row, eventName))
  })

/** The caller's own tickets, newest first. */
export const myTickets = ({ store }: Deps, user: Caller): Promise<Ticket[]> =>
  store.read(async (tx) => {
    const eventName = await currentEventName(tx)
    return (await ticketsOf(tx, user.id)).map((ticket) => ticketView(ticket, eventName))
  })

const currentEventName = async (tx: ReadTx): Promise<string> => (await findEvent(tx))?.name ?? ''

/** Pure black on pure white with the quiet zone a reader needs (LOOK 2). */
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
    const row = await findTicket(tx, id)
    if (!row) throw new Refusal('TICKET_NOT_FOUND')
    if (row.userId !== user.id && user.role !== 'admin') throw new Refusal('FORBIDDEN')
    return ticketView(row, await currentEventName(tx))
  })
  return { ...ticket, qrCodeImage: ticket.qrCode === null ? null : drawn(ticket.qrCode) }
}
