import { dayOf } from '@garba/shared/rules/calendar'

interface Moment {
  instant: Date
  now: Date
  timeZone: string
}

// Each formatter holds tens of kilobytes, and the list of recent scans tells fifty times after each scan.
const formatters = new Map<string, Intl.DateTimeFormat>()
function formatterOf(timeZone: string, withDay: boolean): Intl.DateTimeFormat {
  const key = `${timeZone} ${withDay}`
  const known = formatters.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-IN', {
    timeZone,
    hour: 'numeric',
    minute: '2-digit',
    ...(withDay ? { day: 'numeric', month: 'short' } : {}),
  })
  formatters.set(key, made)
  return made
}

/** A time as the checker reads it: "7:03 pm", with the day when it was another one. */
export function momentText({ instant, now, timeZone }: Moment): string {
  const sameDay = dayOf(instant, timeZone) === dayOf(now, timeZone)
  return formatterOf(timeZone, !sameDay).format(instant)
}

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** How long ago, in the largest unit that fits: "8 s", "12 min", "3 h", "2 days". */
export function ageText(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.max(0, Math.floor(ms / 1000))} s`
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`
  if (ms < 48 * HOUR_MS) return `${Math.floor(ms / HOUR_MS)} h`
  return `${Math.floor(ms / (24 * HOUR_MS))} days`
}

/** An evening that dances past midnight is still one: its tiles begin anew at six in the morning. */
const EVENING_ENDS_MS = 6 * HOUR_MS
export const eveningOf = (now: Date, timeZone: string): string =>
  dayOf(new Date(now.getTime() - EVENING_ENDS_MS), timeZone)
