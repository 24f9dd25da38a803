import type { ClosedEvent, GarbaEvent } from '@garba/shared/contracts/event'
import type { EventAsForm } from '@garba/shared/messages/audit'
import { endOfEvent, instantOf, lastDayOf } from '@garba/shared/rules/calendar'
import type { EventFormField } from '@garba/shared/rules/eventForm'
import { toRupees } from '@garba/shared/rules/money'
import type { ClosedEventRow, EventRow } from '../../store/events.ts'

/** The address at which the client finds a stored image. */
export const imageAddress = (hash: string): string => `/api/event/image/${hash}`

let lastEnd = { of: '', at: 0 }

/** The last result is cached: every sale needs it, and time zone arithmetic is slow. */
export function endOf(event: EventRow, timezone: string): Date {
  const of = `${lastDayOf(event)} ${event.endTime} ${timezone}`
  if (lastEnd.of !== of) lastEnd = { of, at: endOfEvent(event, timezone).getTime() }
  return new Date(lastEnd.at)
}

/**
 * The fields of the event form, for any stored event, even one with an impossible date. A new field of the form does not
 * compile until the audit row names it too.
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
