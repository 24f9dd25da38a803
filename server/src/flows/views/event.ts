import type { GarbaEvent } from '@garba/shared/contracts/event'
import { instantOf } from '@garba/shared/rules/calendar'
import { toRupees } from '@garba/shared/rules/money'
import type { EventRow } from '../../store/tables/events.ts'

/** Where the client finds a stored image. */
export const imageAddress = (hash: string): string => `/api/event/image/${hash}`

export const endOf = (event: EventRow, timezone: string): Date => instantOf(event.date, event.endTime, timezone)

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
