import { DEFAULT_TIMEZONE } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { dateFormat, endTimeText, tidyTime, timeText } from '@garba/shared/messages/formats'
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

/** '6:30 PM - 10:30 PM', as on the landing page. */
export const hoursText = (event: Pick<GarbaEvent, 'startTime' | 'endTime' | 'endsNextDay'>): string =>
  `${timeText(event.startTime, 'en')} - ${endTimeText(event, 'en')}`

/** An hour of the day, 0 to 23, as '4:00 AM'. */
export const hourText = (hour: number): string => timeText(`${String(hour).padStart(2, '0')}:00`, 'en')

/** A day 'YYYY-MM-DD' of a calendar, never shifted between time zones. */
export const calendarDay = (of: string): string => day('UTC').format(new Date(of))
/** Without the year, where room is short. */
export const shortCalendarDay = (of: string): string => shortDay('UTC').format(new Date(of))

/** The desk shows all times in the event's time zone. */
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
    /** A time of the day of `now` without its day, any other with it. */
    sinceOf: (iso: string, now: string) => (dayOf(iso) === dayOf(now) ? timeOf(iso) : momentOf(iso)),
  }
}
