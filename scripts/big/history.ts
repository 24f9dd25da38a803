import { dayOf, instantOf } from '@garba/shared/rules/calendar'
import type { Random } from './random.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** Sales start eight weeks before the night. */
const DAYS_ON_SALE = 56

/** Relative sales by hour of the day: few at night, more at lunch, most after dinner. */
const HOURS = [1, 0.5, 0.2, 0.1, 0.1, 0.3, 0.8, 1.5, 2.5, 3, 3.5, 4, 5, 5.5, 4.5, 4, 4.5, 6, 9, 13, 16, 15, 9, 4].map(
  (weight, hour) => [hour, weight] as const,
)
const QUANTITIES = [
  [1, 22],
  [2, 37],
  [3, 10],
  [4, 14],
  [5, 6],
  [6, 5],
  [8, 4],
  [10, 2],
] as const

/** Sales are high when they open, then low, then grow as the night approaches. Weekends sell better. */
function weightOf(daysBefore: number, weekday: number): number {
  const opening = 6 * Math.exp(-(DAYS_ON_SALE - daysBefore) / 3)
  const lastDays = 5 * Math.exp(-daysBefore / 6)
  return (1 + opening + lastDays) * (weekday === 0 || weekday === 6 ? 1.6 : 1)
}

export interface History {
  opens: Date
  /** A random time of purchase before `now`. */
  saleAt: () => Date
  quantity: () => number
}

/** Sales over the eight weeks before an evening, in its time zone. */
export function makeHistory({ random, now, timezone }: { random: Random; now: Date; timezone: string }): History {
  const days = Array.from({ length: DAYS_ON_SALE + 1 }, (_, daysBefore) => {
    const day = dayOf(new Date(now.getTime() - daysBefore * DAY_MS), timezone)
    return [day, weightOf(daysBefore, new Date(`${day}T00:00Z`).getUTCDay())] as const
  })
  const opens = new Date(now.getTime() - (DAYS_ON_SALE + 2) * DAY_MS)
  const latest = now.getTime() - MINUTE_MS
  const saleAt = (): Date => {
    const day = random.weighted(days)
    const hhmm = `${pad(random.weighted(HOURS))}:${pad(random.int(0, 59))}`
    const at = instantOf(day, hhmm, timezone).getTime() + random.int(0, 59_999)
    return at < latest ? new Date(at) : saleAt()
  }
  return {
    opens,
    saleAt,
    quantity: () => random.weighted(QUANTITIES),
  }
}

const pad = (number: number): string => String(number).padStart(2, '0')
