import type { GarbaEvent } from '@garba/shared/contracts/event'
import { instantOf } from '@garba/shared/rules/calendar'
import { toRupees } from '@garba/shared/rules/money'
import type { EventRow } from '../../store/tables/events.ts'

/** Where the client finds a stored image. */
export const imageAddress = (hash: string): string => `/api/event/image/${hash}`

let lastEnd = { of: '', at: 0 }

/** Every sale asks for it, and the calendar of a time zone is slow to ask: the last answer is kept. */
export function endOf({ date, endTime }: EventRow, timezone: string): Date {
  const of = `${date} ${endTime} ${timezone}`
  if (lastEnd.of !== of) lastEnd = { of, at: instantOf(date, endTime, timezone).getTime() }
  return new Date(lastEnd.at)
}

export const eventView = (event: EventRow, timezone: string): GarbaEvent => ({
  _id: event.id,
  name: event.name,
  venue: event.venue,
  description: event.description,
  date: event.date,
  startTime: event.startTime,
  endTime: event.endTime,
  startsAt: instantOf(event.date, event.startTime, timezone).toISOString(),
  endsAt: endOf(event, timezone).toISOString(),
  ticketPrice: toRupees(event.ticketPricePaise),
  groupPrice4: toRupees(event.groupPricePaise ?? event.ticketPricePaise),
  totalTickets: event.totalTickets,
  availableTickets: event.totalTickets - event.takenSeats,
  eventImage: event.imageHash === null ? null : imageAddress(event.imageHash),
  features: event.features,
  aboutText: event.aboutText,
  createdAt: event.createdAt.toISOString(),
  updatedAt: event.updatedAt.toISOString(),
})
