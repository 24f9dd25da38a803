import type { ClosedEvent, GarbaEvent } from '@garba/shared/contracts/event'
import type { EventAsForm } from '@garba/shared/messages/audit'
import { endOfEvent, instantOf, lastDayOf } from '@garba/shared/rules/calendar'
import type { EventFormField } from '@garba/shared/rules/eventForm'
import { toRupees } from '@garba/shared/rules/money'
import { orRefuse, Refusal } from '../../refusal.ts'
import type { ReadTx } from '../../store/engine/sql.ts'
import {
  type ClosedEventRow,
  closedEvents,
  type EventRow,
  eventOf,
  findEvent,
  findEventById,
  findImage,
  type ImageRow,
  isClosed,
} from '../../store/events.ts'
import type { Deps } from '../deps.ts'

/** The event, or null if there is none yet. */
export async function readEvent({ store, settings }: Pick<Deps, 'store' | 'settings'>): Promise<GarbaEvent | null> {
  const event = await store.read(findEvent)
  return event ? eventView(event, settings.timezone) : null
}

/**
 * The event for a page's link preview, or null if it cannot be read: a page without a preview is better than no page,
 * and admins need the desk to repair the event. The app itself reads the event from the API, which reports the failure.
 */
export async function readEventIfPossible(deps: Deps): Promise<GarbaEvent | null> {
  try {
    return await readEvent(deps)
  } catch (error) {
    deps.log.error({ err: error }, 'a page was sent without the event')
    return null
  }
}

/** The address at which the client finds a stored image. */
export const imageAddress = (hash: string): string => `/api/event/image/${hash}`

/** A stored image. Refuses with IMAGE_NOT_FOUND. */
export const readImage = async ({ store }: Deps, hash: string): Promise<ImageRow> =>
  orRefuse(await store.read((tx) => findImage(tx, hash)), 'IMAGE_NOT_FOUND')

let lastEnd = { of: '', at: 0 }

/** The last result is cached: every sale needs it, and time zone arithmetic is slow. */
export function endOf(event: EventRow, timezone: string): Date {
  const of = `${lastDayOf(event)} ${event.endTime} ${timezone}`
  if (lastEnd.of !== of) lastEnd = { of, at: endOfEvent(event, timezone).getTime() }
  return new Date(lastEnd.at)
}

/**
 * The fields of the event form, for any stored event, even one with an impossible date. A new field of the form does
 * not compile until the audit row names it too.
 */
export const eventAsForm = (event: EventRow): { [Field in EventFormField]: EventAsForm[Field] } => ({
  name: event.name,
  venue: event.venue,
  description: event.description,
  date: event.date,
  startTime: event.startTime,
  endTime: event.endTime,
  endsNextDay: event.endsNextDay,
  ticketPrice: toRupees(event.ticketPricePaise),
  groupPrice4: toRupees(event.groupPricePaise ?? event.ticketPricePaise),
  totalTickets: event.totalTickets,
  eventImage: event.imageHash === null ? null : imageAddress(event.imageHash),
  features: event.features,
  aboutText: event.aboutText,
})

export const closedEventView = (event: ClosedEventRow, timezone: string): ClosedEvent => ({
  ...eventView(event, timezone),
  closedAt: event.closedAt.toISOString(),
})

export const eventView = (event: EventRow, timezone: string): GarbaEvent => ({
  ...eventAsForm(event),
  _id: event.id,
  startsAt: instantOf(event.date, event.startTime, timezone).toISOString(),
  endsAt: endOf(event, timezone).toISOString(),
  availableTickets: event.totalTickets - event.takenSeats,
  createdAt: event.createdAt.toISOString(),
  updatedAt: event.updatedAt.toISOString(),
})

/** The closed events, last closed first. */
export const listClosedEvents = ({ store, settings }: Deps): Promise<ClosedEvent[]> =>
  store.read(async (tx) => (await closedEvents(tx)).map((event) => closedEventView(event, settings.timezone)))

interface EventFilter {
  /** An empty id, which matches no row, if there is no event. */
  eventId: string
  event: EventRow | null
}

/** The event of a list or figures: the requested one, or else the current one. Refuses with EVENT_NOT_FOUND. */
export async function requestedEvent(tx: ReadTx, id: string | undefined): Promise<EventFilter> {
  const event = id === undefined ? await findEvent(tx) : await findEventById(tx, id)
  if (!event && id !== undefined) throw new Refusal('EVENT_NOT_FOUND')
  return { eventId: event?.id ?? '', event: event ?? null }
}

/** The event of a ticket about to change. Refuses with EVENT_CLOSED. */
export async function openEventOf(tx: ReadTx, ticket: { eventId: string }): Promise<EventRow> {
  const event = await eventOf(tx, ticket)
  if (isClosed(event)) throw new Refusal('EVENT_CLOSED')
  return event
}
