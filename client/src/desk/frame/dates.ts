import { DEFAULT_TIMEZONE } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { dateFormat } from '@garba/shared/intlFormats'
import { endTimeText, tidyTime, timeText } from '@garba/shared/messages/formats'
import { toInstant } from '@garba/shared/rules/event/calendar'
import { useConfig } from '../../platform/config.ts'

const day = (timeZone: string) => dateFormat('en-IN', { day: 'numeric', month: 'short', year: 'numeric', timeZone })
const shortDay = (timeZone: string) => dateFormat('en-IN', { day: 'numeric', month: 'short', timeZone })
const moment = (timeZone: string) =>
  dateFormat('en-IN', { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit', timeZone })
/** The Swedish format is 2025-09-22 22:30. */
const local = (timeZone: string) =>
  dateFormat('sv-SE', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  })
const time = (timeZone: string) => dateFormat('en-IN', { hour: 'numeric', minute: '2-digit', timeZone })

export const hoursText = (event: Pick<GarbaEvent, 'startTime' | 'endTime' | 'endsNextDay'>): string =>
  `${timeText(event.startTime, 'en')} - ${endTimeText(event, 'en')}`

export const hourText = (hour: number): string => timeText(`${String(hour).padStart(2, '0')}:00`, 'en')

/** A day 'YYYY-MM-DD' of a calendar, never shifted between time zones. */
export const calendarDay = (of: string): string => day('UTC').format(new Date(of))
export const shortCalendarDay = (of: string): string => shortDay('UTC').format(new Date(of))

/** The instant of a datetime-local field, typed in the event's time zone. Throws RangeError on what is no day or time. */
export function instantIn(local: string, timeZone: string): string {
  const [day = '', time = ''] = local.split('T')
  return toInstant(day, time.slice(0, 5), timeZone).toISOString()
}

export function useDates() {
  const timeZone = useConfig(({ config }) => config?.timezone ?? DEFAULT_TIMEZONE)
  const dayOf = (iso: string) => day(timeZone).format(new Date(iso))
  const timeOf = (iso: string) => tidyTime(time(timeZone).format(new Date(iso)))
  const momentOf = (iso: string) => tidyTime(moment(timeZone).format(new Date(iso)))
  return {
    timeZone,
    dayOf,
    timeOf,
    /** Formats a time for a datetime-local field: 2025-09-22T22:30. */
    localOf: (iso: string) => local(timeZone).format(new Date(iso)).replace(' ', 'T'),
    momentOf,
    /** The time alone if it is on the day of `now`, otherwise with its day. */
    sinceOf: (iso: string, now: string) => (dayOf(iso) === dayOf(now) ? timeOf(iso) : momentOf(iso)),
  }
}
