import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { EventFormField } from '@garba/shared/rules/eventForm'

/** The form as typed: every field is text; the image is a data URL, a stored image's address or ''. */
export type EventValues = Record<EventFormField, string>

export const NO_EVENT: EventValues = {
  name: '',
  date: '',
  venue: '',
  description: '',
  startTime: '',
  endTime: '',
  /** 'true', or '' as long as the box is not ticked. */
  endsNextDay: '',
  ticketPrice: '',
  groupPrice4: '',
  totalTickets: '',
  features: '',
  aboutText: '',
  eventImage: '',
}

export const FIELDS = Object.keys(NO_EVENT) as EventFormField[]

export const isField = (name: string): name is EventFormField => name in NO_EVENT

export const valuesOf = (event: GarbaEvent): EventValues => ({
  name: event.name,
  date: event.date,
  venue: event.venue,
  description: event.description,
  startTime: event.startTime,
  endTime: event.endTime,
  endsNextDay: event.endsNextDay ? 'true' : '',
  ticketPrice: String(event.ticketPrice),
  groupPrice4: String(event.groupPrice4),
  totalTickets: String(event.totalTickets),
  features: event.features.join(', '),
  aboutText: event.aboutText ?? '',
  eventImage: event.eventImage ?? '',
})
