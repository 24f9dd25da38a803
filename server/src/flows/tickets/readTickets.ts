import type { TicketStatus } from '@garba/shared/contracts/names'
import type { ScannedTicket } from '@garba/shared/contracts/phones/scan'
import type { ManagedTicket, Ticket } from '@garba/shared/contracts/ticket'
import type { HeldType, NamedType } from '@garba/shared/contracts/types/ticketType'
import { refundOfCancelled } from '@garba/shared/rules/cancellation'
import { toRupees } from '@garba/shared/rules/money'
import { hasSeveralTypes, isTypeShown } from '@garba/shared/rules/types/ticketTypes'
import { correction, generate } from 'lean-qr'
import { toSvgDataURL } from 'lean-qr/extras/svg'
import { orRefuse, Refusal } from '../../refusal.ts'
import { listEventBlocks } from '../../store/codeBlocks.ts'
import { buildPagination, inPieces, listIds, type PageQuery, type ReadTx, toSlice } from '../../store/engine/sql.ts'
import { type EventRow, everyEvent, getEventFor } from '../../store/events.ts'
import {
  listTickets as findTickets,
  listTicketIds,
  pricesWithoutRefund,
  readTicketPage,
  refundsAskedFor,
  type TicketFilter,
} from '../../store/lists.ts'
import { idsOfNow } from '../../store/newCodes.ts'
import { orderOrigins } from '../../store/orders.ts'
import { paymentsOfOrders } from '../../store/payments.ts'
import { refundsOfTickets } from '../../store/refunds.ts'
import { entriesAt, lightsOf } from '../../store/scans.ts'
import { sentTickets } from '../../store/ticketLinks.ts'
import { findTicket, getNameOnTicket, listUserTickets, type TicketRow, ticketsWithIds } from '../../store/tickets.ts'
import type { Caller, Deps } from '../deps.ts'
import { requestedEvent } from '../event/readEvent.ts'

type TicketQuery = Omit<TicketFilter, 'eventId'> & { event?: string | undefined }

/** A query by refund also gets the sum of all its tickets, in rupees. */
export const listTicketPage = ({ store }: Deps, query: TicketQuery & PageQuery) =>
  store.read(async (tx) => {
    const { eventId, event } = await requestedEvent(tx, query.event)
    const filter = { ...query, eventId }
    const { total: totalTickets, rows } = await readTicketPage(tx, filter, toSlice(query))
    const tickets = event ? await managed(tx, event, rows) : []
    const page = {
      tickets,
      ...severalTypes(event),
      pagination: { ...buildPagination(query, { rows: totalTickets, shown: tickets.length }), totalTickets },
    }
    return query.refund === undefined ? page : { ...page, refundTotal: await refundTotal(tx, filter) }
  })

async function refundTotal(tx: ReadTx, filter: TicketFilter): Promise<number> {
  const prices = await pricesWithoutRefund(tx, filter)
  const unasked = prices.reduce((sum, { n, ...ticket }) => sum + n * refundOfCancelled(ticket).refundPaise, 0)
  return toRupees(unasked + (await refundsAskedFor(tx, filter)))
}

async function refundsByTicket(
  tx: ReadTx,
  rows: readonly TicketRow[],
): Promise<Map<string, NonNullable<ManagedTicket['refund']>>> {
  const cancelled = rows.filter(({ status }) => status === 'cancelled')
  const refunds = Map.groupBy(await refundsOfTickets(tx, listIds(cancelled)), ({ ticketId }) => ticketId)
  const done = cancelled.filter(({ id, isRefundDone }) => isRefundDone === true && !refunds.has(id))
  const orderIds = done.flatMap(({ orderId }) => orderId ?? [])
  const paid = new Set((await paymentsOfOrders(tx, orderIds)).map(({ orderId }) => orderId))
  return new Map(
    cancelled.map((row) => {
      const own = refunds.get(row.id) ?? (row.isRefundDone && paid.has(row.orderId ?? '') ? [] : undefined)
      const paise = own?.reduce((sum, { amountPaise }) => sum + amountPaise, 0)
      const amount = toRupees(paise ?? refundOfCancelled(row).refundPaise)
      const doubtful = own?.find(({ state }) => state === 'asking')
      return [row.id, { amount, inDoubt: doubtful?.updatedAt.toISOString() ?? null }]
    }),
  )
}

async function managed(tx: ReadTx, event: EventRow, rows: readonly TicketRow[]): Promise<ManagedTicket[]> {
  const refunds = await refundsByTicket(tx, rows)
  const origins = await orderOrigins(
    tx,
    rows.flatMap(({ orderId }) => orderId ?? []),
  )
  const blocks = new Map((await listEventBlocks(tx, event.id)).map(({ id, label }) => [id, label]))
  return rows.map((row) => {
    const { code: order = null, channel = null } = origins.get(row.orderId ?? '') ?? {}
    const paperBlock = blocks.get(row.paperBlockId ?? '')
    return {
      ...ticketView(row, event),
      order,
      channel,
      refund: refunds.get(row.id) ?? null,
      ...(paperBlock === undefined ? {} : { paperBlock }),
    }
  })
}

export const everyTicket = ({ store }: Deps, query: TicketQuery): Promise<ManagedTicket[]> =>
  store.read(async (tx) => {
    const { eventId, event } = await requestedEvent(tx, query.event)
    return event ? managed(tx, event, await findTickets(tx, { ...query, eventId })) : []
  })

export type ExportedTicket = ManagedTicket & {
  gate: string | null
  /** The people let in on it, on its earlier codes too. The first entry stays when the ticket is cancelled. */
  people: number
}

interface TicketFile {
  rows: AsyncIterable<ExportedTicket[]>
  hasTypes: boolean
}

const isReplaced = ({ replacedAt }: TicketRow) => replacedAt !== null

/**
 * Yields the tickets in portions, so that memory does not grow with their number. Each ticket that the query finds at
 * the start comes once, as it is when its portion is read.
 */
export async function ticketsForCsv({ store }: Deps, query: TicketQuery): Promise<TicketFile> {
  const { event, ids, entries } = await store.read(async (tx) => {
    const { eventId, event } = await requestedEvent(tx, query.event)
    const now = await idsOfNow(tx, eventId)
    return {
      event,
      ids: event ? await listTicketIds(tx, { ...query, eventId }) : [],
      entries: Map.groupBy(await entriesAt(tx, eventId), ({ ticketId: id }) => now.get(id ?? '') ?? id),
    }
  })
  const readPortion = (event: EventRow, some: readonly string[]) =>
    store.read(async (tx) => {
      const found = await ticketsWithIds(tx, some)
      // A ticket that gets a new code meanwhile has another id.
      const now = found.some(isReplaced) ? await idsOfNow(tx, event.id) : null
      const current = now ? await ticketsWithIds(tx, [...some, ...some.flatMap((id) => now.get(id) ?? [])]) : found
      const rows = current.filter(({ status }) => status !== 'deleted').toReversed()
      const views = await managed(tx, event, rows)
      return rows.flatMap(({ id, entryTime, entryGate }, at) => {
        const [view, own = []] = [views[at], entries.get(id)]
        const [first] = entryTime === null ? own : []
        const entry = first && { entryTime: first.at.toISOString(), scannedBy: { name: first.checkerName } }
        return view ? { ...view, ...entry, gate: first ? first.gate : entryGate, people: own.length } : []
      })
    })
  const rows = (async function* () {
    if (event) for (const some of inPieces(ids)) yield await readPortion(event, some)
  })()
  return { rows, hasTypes: hasSeveralTypes(event) }
}

const NO_LIGHTS: ReadonlyMap<string, number> = new Map()

export const myTickets = ({ store }: Deps, user: Caller): Promise<Ticket[]> =>
  store.read(async (tx) => {
    const events = await everyEvent(tx)
    const sent = await sentTickets(tx, { userId: user.id })
    const rows = await listUserTickets(tx, user.id)
    const refunds = await refundsByTicket(tx, rows)
    const lights = rows.some(({ status }) => status === 'used') ? await lightsOf(tx, user.id) : NO_LIGHTS
    return rows.map((ticket) => {
      const how = ticket.status === 'active' ? sent.get(ticket.id) : undefined
      const refund = refunds.get(ticket.id)
      const light = lights.get(ticket.id)
      return {
        ...ticketView(ticket, events(ticket)),
        ...(how && { sent: how }),
        ...(refund && { refundAmount: refund.amount }),
        ...(light && { light }),
      }
    })
  })

/** Draws pure black on pure white, with the quiet zone a reader needs. */
const drawn = (qrCode: string): string => {
  const code = generate(qrCode, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M })
  return toSvgDataURL(code, { on: '#000000', off: '#ffffff', padX: 4, padY: 4 })
}

export async function oneTicket(
  { store }: Deps,
  { user, id }: { user: Caller; id: string },
): Promise<Ticket & { qrCodeImage: string | null }> {
  const ticket = await store.read(async (tx) => {
    const row = orRefuse(await findTicket(tx, id), 'TICKET_NOT_FOUND')
    if (row.userId !== user.id && user.role !== 'admin') throw new Refusal('FORBIDDEN')
    return ticketView(row, await getEventFor(tx, row))
  })
  return { ...ticket, qrCodeImage: ticket.qrCode === null ? null : drawn(ticket.qrCode) }
}

/** Scanners treat a tombstone as "not found". Where a ticket must be shown, it counts as cancelled. */
export const shownStatus = ({ status }: TicketRow): TicketStatus => (status === 'deleted' ? 'cancelled' : status)

export const heldType = ({ types }: Pick<EventRow, 'types'>, typeId: string): HeldType => ({
  id: typeId,
  name: types.find(({ id }) => id === typeId)?.name ?? { en: '' },
  ...(isTypeShown(types, typeId) ? { isShown: true as const } : {}),
})

export const severalTypes = (event: Pick<EventRow, 'types'> | null): { types?: NamedType[] } =>
  event === null || !hasSeveralTypes(event) ? {} : { types: event.types.map(({ id, name }) => ({ id, name })) }

type EventOfTicket = Pick<EventRow, 'name' | 'closedAt' | 'types'>

export const ticketView = (ticket: TicketRow, { name, closedAt, types }: EventOfTicket): Ticket => ({
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
  ...(ticket.nothingToRefund ? { nothingToRefund: true as const } : {}),
  holderName: ticket.holderName,
  number: ticket.number,
  newCodes: ticket.newCodes,
  type: heldType({ types }, ticket.typeId),
  ...(ticket.paperNumber === null ? {} : { paperNumber: ticket.paperNumber }),
})

type EventOfScan = Pick<EventRow, 'name' | 'types'> | null

function gateType(event: EventOfScan, { typeId }: TicketRow): Pick<ScannedTicket, 'type'> {
  const type = hasSeveralTypes(event) && event?.types.find(({ id }) => id === typeId)
  return type ? { type: { id: type.id, name: type.name, note: type.note } } : {}
}

/** A ticket for a scanner phone: a name, no email, no price. */
export const scannedTicketView = (ticket: TicketRow, event: EventOfScan): ScannedTicket => ({
  _id: ticket.id,
  id: ticket.id,
  ticketId: ticket.id,
  user: { name: getNameOnTicket(ticket) },
  eventName: event?.name ?? '',
  status: shownStatus(ticket),
  entryTime: ticket.entryTime?.toISOString() ?? null,
  ...(ticket.leftAt && { leftAt: ticket.leftAt.toISOString() }),
  scannedBy: ticket.scannedByName === null ? null : { name: ticket.scannedByName },
  scannedAtDevice: ticket.scannedAtDevice,
  ...(ticket.entryGate === null ? {} : { scannedAtGate: ticket.entryGate }),
  cancelledAt: ticket.cancelledAt?.toISOString() ?? null,
  ...gateType(event, ticket),
})
