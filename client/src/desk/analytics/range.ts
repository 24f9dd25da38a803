import { dayBefore, dayOf, hourOf } from '@garba/shared/rules/calendar'

export type Range = 'week' | 'month' | 'all'

const DAYS: Record<Exclude<Range, 'all'>, number> = { week: 7, month: 30 }

/**
 * The days of a range that ends today, out of all days with sales. The choice filters what is shown, not what is
 * requested. `now` in the event's time zone. `isOver`: later days, when the bank showed money, are in All Time only.
 */
export function daysIn<T extends { _id: string }>(
  chart: readonly T[],
  { range, now, timeZone, isOver = false }: { range: Range; now: Date; timeZone: string; isOver?: boolean },
): T[] {
  if (range === 'all') return [...chart]
  const last = dayOf(now, timeZone)
  const from = dayBefore(last, DAYS[range] - 1)
  return chart.filter(({ _id }) => _id >= from && !(isOver && _id > last))
}

/** Tickets and rupees of some days together. */
export function sumOf(days: readonly { count: number; revenue: number }[]): { count: number; revenue: number } {
  return days.reduce((sum, { count, revenue }) => ({ count: sum.count + count, revenue: sum.revenue + revenue }), {
    count: 0,
    revenue: 0,
  })
}

/** Of tickets that were cancelled since, a part of the money may have been kept. */
export const hasSales = ({ count, revenue }: { count: number; revenue: number }): boolean => count > 0 || revenue !== 0

/** Today's hours from the first sale until now, gaps included. */
export function hoursSoFar<T extends { _id: number; count: number; revenue: number }>(
  hours: readonly T[],
  { now, timeZone }: { now: Date; timeZone: string },
): T[] {
  const first = hours.find(hasSales)
  const last = hours.findLast(hasSales)
  if (!first || !last) return []
  const until = Math.max(last._id, hourOf(now, timeZone))
  return hours.filter(({ _id }) => _id >= first._id && _id <= until)
}
