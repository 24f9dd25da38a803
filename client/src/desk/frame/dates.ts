import { DEFAULT_TIMEZONE } from '@garba/shared/constants'
import { useConfig } from '../../platform/config.ts'

const day = (timeZone: string) =>
  new Intl.DateTimeFormat('en-IN', { day: 'numeric', month: 'short', year: 'numeric', timeZone })
const moment = (timeZone: string) =>
  new Intl.DateTimeFormat('en-IN', { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit', timeZone })
const time = (timeZone: string) => new Intl.DateTimeFormat('en-IN', { hour: 'numeric', minute: '2-digit', timeZone })

/** The desk tells all times in the event's time zone (DECISIONS 2). */
export function useDates() {
  const timeZone = useConfig(({ config }) => config?.timezone ?? DEFAULT_TIMEZONE)
  return {
    timeZone,
    dayOf: (iso: string) => day(timeZone).format(new Date(iso)),
    timeOf: (iso: string) => time(timeZone).format(new Date(iso)),
    momentOf: (iso: string) => moment(timeZone).format(new Date(iso)),
  }
}
