import { EVENT_DAY_MARGIN_MS } from '../../constants.ts'
import { endOfEvent, toInstant } from './calendar.ts'

export interface EventTimes {
  startsAt: Date
  endsAt: Date
}

/** Throws RangeError as `toInstant` does. */
export const findEventTimes = (
  event: { startTime: string } & Parameters<typeof endOfEvent>[0],
  timeZone: string,
): EventTimes => ({
  startsAt: toInstant(event.date, event.startTime, timeZone),
  endsAt: endOfEvent(event, timeZone),
})

export const findEventDay = ({ startsAt, endsAt }: EventTimes): { from: Date; until: Date } => ({
  from: new Date(startsAt.getTime() - EVENT_DAY_MARGIN_MS),
  until: new Date(endsAt.getTime() + EVENT_DAY_MARGIN_MS),
})

export function isOtherDay(event: EventTimes, at: Date): boolean {
  const { from, until } = findEventDay(event)
  return at < from || at >= until
}

/**
 * The deadline of a phone and of the codes it holds: its own moment or, with null, the end of the event's day. It is
 * computed each time, so that it moves with the event. Null, which is no deadline, as long as there is no event.
 */
export const findDeadline = (until: Date | null, event: EventTimes | null): Date | null =>
  until ?? (event && findEventDay(event).until)

/**
 * Whether a phone's own deadline comes before the end of an event that is not over, which is then without the phone. A
 * deadline from before the event was made belongs to an earlier event.
 */
export const endsTooEarly = (
  until: Date | null,
  { endsAt, createdAt, now }: { endsAt: Date; createdAt: Date; now: Date },
): boolean => until !== null && now < endsAt && until < endsAt && until >= createdAt
