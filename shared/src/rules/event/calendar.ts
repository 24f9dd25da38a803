import { DAY_MS } from '../../constants.ts'
/**
 * Days and times of the event's time zone, computed with Intl alone. A day is 'YYYY-MM-DD', a time 'HH:MM', an instant
 * a Date. An unknown time zone throws Intl's RangeError.
 */

import { dateFormat } from '../../intlFormats.ts'

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/
/** A 24-hour time, two digits each. */
export const HHMM = /^([01]\d|2[0-3]):([0-5]\d)$/

/** Whether the day exists in the calendar: '2025-02-29' does not. */
export function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return DAY.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const wallClockFormat = (timeZone: string) =>
  dateFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })

/** The local time at an instant, written as if it were UTC. */
function wallClock(instant: Date, timeZone: string): Date {
  const part = Object.fromEntries(
    wallClockFormat(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  )
  const { year = '', month, day, hour, minute, second } = part
  return new Date(`${year.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

/** Instants are written with a four-digit year, so no function here returns one outside these bounds. */
const FIRST = Date.parse('0000-01-01T00:00:00Z')
const LAST_DAY = '9999-12-31'
const LAST = Date.parse(`${LAST_DAY}T23:59:59Z`)
/** Offsets are computed for the years 0001 to 9999; outside them they stay the same. */
const FIRST_ASKED = Date.parse('0001-01-02T00:00:00Z')
const LAST_ASKED = LAST - DAY_MS

const within = (time: number, first: number, last: number): number => Math.min(Math.max(time, first), last)

/** The milliseconds by which the zone is ahead of UTC at a whole second. */
function offsetAt(time: number, timeZone: string): number {
  const bounded = within(time, FIRST_ASKED, LAST_ASKED)
  return wallClock(new Date(bounded), timeZone).getTime() - bounded
}

/**
 * The instant of a local day and time. A time that occurs twice (clocks set back) is its first occurrence; a skipped
 * time (clocks set forward) counts on from the change. The first and last hours of the years 0000 and 9999 that fall
 * into another year of UTC are moved to its edge. Throws RangeError on a day or time that does not exist.
 */
export function toInstant(day: string, hhmm: string, timeZone: string): Date {
  if (!isDay(day)) throw new RangeError(`Not a day: ${day}`)
  if (!HHMM.test(hhmm)) throw new RangeError(`Not a time: ${hhmm}`)
  const wall = Date.parse(`${day}T${hhmm}:00Z`)
  const before = wall - offsetAt(wall - DAY_MS, timeZone)
  const after = wall - offsetAt(wall + DAY_MS, timeZone)
  const fits = [before, after].filter((time) => time + offsetAt(time, timeZone) === wall)
  return new Date(within(fits.length > 0 ? Math.min(...fits) : before, FIRST, LAST))
}

/** The first moment of a day: midnight, or the end of the gap where clocks are set forward at midnight. */
export const startOfDay = (day: string, timeZone: string): Date => toInstant(day, '00:00', timeZone)

/** The same day this many years later; 29 February becomes the 28th where that year has no other. */
export const yearsAfter = (day: string, years: number): string => {
  const later = `${String(Number(day.slice(0, 4)) + years).padStart(4, '0')}${day.slice(4)}`
  return isDay(later) ? later : later.replace(/-02-29$/, '-02-28')
}

const dayLater = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

export const dayAfter = (day: string): string => dayLater(day, 1)
export const dayBefore = (day: string, days: number): string => dayLater(day, -days)

interface EventEnd {
  date: string
  endTime: string
  endsNextDay?: boolean | undefined
}

export const getLastDay = ({ date, endsNextDay }: Omit<EventEnd, 'endTime'>): string =>
  endsNextDay ? dayAfter(date) : date

/** The instant at which an event ends. Throws RangeError as `toInstant` does. */
export const endOfEvent = (event: EventEnd, timeZone: string): Date =>
  toInstant(getLastDay(event), event.endTime, timeZone)

export function daysBetween(first: string, last: string): string[] {
  const days: string[] = []
  for (let day = first; day <= last; day = dayAfter(day)) days.push(day)
  return days
}

const isWeekend = (day: string): boolean => [0, 6].includes(new Date(`${day}T00:00Z`).getUTCDay())

/**
 * The day that is this many business days earlier. Business days are Monday to Friday; bank holidays are not
 * considered.
 */
export function businessDaysBefore(day: string, count: number): string {
  let found = day
  for (let left = count; left > 0; ) {
    found = dayLater(found, -1)
    if (!isWeekend(found)) left -= 1
  }
  return found
}

export const toLocalDay = (instant: Date, timeZone: string): string =>
  wallClock(instant, timeZone).toISOString().slice(0, 10)

/** `toLocalDay` for many instants: Intl is asked only about the first of each day, because it is slow. */
export function makeDayFinder(timeZone: string): (instant: Date) => string {
  const known = new Map<number, { day: string; from: number; before: number }[]>()
  return (instant) => {
    const time = instant.getTime()
    const near = known.get(Math.floor(time / DAY_MS)) ?? []
    const found = near.find(({ from, before }) => time >= from && time < before)
    if (found) return found.day
    const day = toLocalDay(instant, timeZone)
    const { since, before } = toInstantRange({ from: day, to: day }, timeZone)
    const range = { day, from: since?.getTime() ?? time, before: before?.getTime() ?? time }
    known.set(Math.floor(time / DAY_MS), [...near, range])
    return day
  }
}

interface Days {
  from?: string | undefined
  to?: string | undefined
}

export const isWithin = (day: string, { from, to }: Days): boolean =>
  (from === undefined || day >= from) && (to === undefined || day <= to)

/** The first instant of a range of days, and the first after it; an open end is absent. */
export const toInstantRange = (
  { from, to }: Days,
  timeZone: string,
): { since: Date | undefined; before: Date | undefined } => ({
  since: from === undefined ? undefined : startOfDay(from, timeZone),
  // No day after the year 9999 can be written, so an open end leaves nothing out.
  before: to === undefined || to >= LAST_DAY ? undefined : startOfDay(dayAfter(to), timeZone),
})

export const toLocalHour = (instant: Date, timeZone: string): number => wallClock(instant, timeZone).getUTCHours()

/** Days to an event: (first moment of its day - now) / 24 h, rounded up; negative once it is past. */
export function daysUntil({ day, timeZone, now }: { day: string; timeZone: string; now: Date }): number {
  // + 0 turns the -0 that Math.ceil returns on the event's day into 0.
  return Math.ceil((startOfDay(day, timeZone).getTime() - now.getTime()) / DAY_MS) + 0
}
