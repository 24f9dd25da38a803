import type { Phase } from '../contracts/pageData.ts'

/** What the landing page may say of an event at a moment. Instants are milliseconds since 1970. */

const PHASES = ['before', 'today', 'running', 'over'] as const satisfies readonly Phase[]

interface Times {
  startsAt: string
  endsAt: string
  /** HH:MM in the event's time zone. */
  startTime: string
}

/** When `today`, `running` and `over` begin. */
function boundaries({ startsAt, endsAt, startTime }: Times): readonly [day: number, start: number, end: number] {
  const [hours = 0, minutes = 0] = startTime.split(':').map(Number)
  const start = Date.parse(startsAt)
  return [start - (hours * 60 + minutes) * 60_000, start, Date.parse(endsAt)]
}

export function phaseOf(times: Times, now: number): Phase {
  const passed = boundaries(times).filter((boundary) => now >= boundary).length
  return PHASES[passed] ?? 'over'
}

/** The next instant at which the phase changes; null once the event is over. */
export const nextPhaseAt = (times: Times, now: number): number | null =>
  boundaries(times).find((boundary) => boundary > now) ?? null

/** An evening event is tonight, any other one is today. */
export const isAtNight = ({ startTime }: Pick<Times, 'startTime'>): boolean => startTime >= '17:00'

const FEW_SHARE = 0.1
const FEW_MAX = 100

export type Stock = 'none' | 'few' | 'enough'

/** Few is at most a tenth of all tickets, and never more than 100. */
export function stockOf({ availableTickets, totalTickets }: { availableTickets: number; totalTickets: number }): Stock {
  if (availableTickets <= 0) return 'none'
  return availableTickets <= Math.min(FEW_MAX, totalTickets * FEW_SHARE) ? 'few' : 'enough'
}
