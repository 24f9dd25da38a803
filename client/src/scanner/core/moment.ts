import { dateFormat } from '@garba/shared/messages/formats'
import { tidyTime } from '@garba/shared/messages/timeText'
import { dayOf } from '@garba/shared/rules/calendar'

interface Moment {
  instant: Date
  now: Date
  timeZone: string
}

/** A time as the checker reads it: "7:03 PM", with the day if it was not today. */
export function momentText({ instant, now, timeZone }: Moment): string {
  const sameDay = dayOf(instant, timeZone) === dayOf(now, timeZone)
  const day = sameDay ? {} : ({ day: 'numeric', month: 'short' } as const)
  return tidyTime(dateFormat('en-IN', { timeZone, hour: 'numeric', minute: '2-digit', ...day }).format(instant))
}

/** An evening that runs past midnight is still one evening: its tiles reset at six in the morning. */
const EVENING_ENDS_MS = 6 * 3_600_000
export const eveningOf = (now: Date, timeZone: string): string =>
  dayOf(new Date(now.getTime() - EVENING_ENDS_MS), timeZone)
