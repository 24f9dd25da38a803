import type { GarbaEvent } from '@garba/shared/contracts/event'
import { dayOf } from '@garba/shared/rules/calendar'
import { isAtNight } from '@garba/shared/rules/evening'

export type EventDay = 'tonight' | 'today'

/** How the event's day is called from its first moment until the event ends, which may be after midnight; null at any other time. `now` in ms. */
export function eventDayOf(event: GarbaEvent | null, timeZone: string, now: number): EventDay | null {
  if (event === null || dayOf(new Date(now), timeZone) < event.date || now >= Date.parse(event.endsAt)) return null
  return isAtNight(event) ? 'tonight' : 'today'
}
