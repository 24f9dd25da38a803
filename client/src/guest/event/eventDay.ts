import type { GarbaEvent } from '@garba/shared/contracts/event'
import { dayOf } from '@garba/shared/rules/calendar'

export type EventDay = 'tonight' | 'today'

/** From then on an event is of the evening. */
const EVENING = '17:00'

/** How the event's day is called on the day itself, until the event ends; null at any other time. `now` in ms. */
export function eventDayOf(event: GarbaEvent | null, timeZone: string, now: number): EventDay | null {
  if (event === null || dayOf(new Date(now), timeZone) !== event.date || now >= Date.parse(event.endsAt)) return null
  return event.startTime >= EVENING ? 'tonight' : 'today'
}
