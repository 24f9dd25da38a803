import { dayBefore, toLocalDay, toLocalHour } from '@garba/shared/rules/event/calendar'

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
  const last = toLocalDay(now, timeZone)
  const from = dayBefore(last, DAYS[range] - 1)
  return chart.filter(({ _id }) => _id >= from && !(isOver && _id > last))
}

type Sales = Record<'count' | 'revenue' | 'prices', number>

export const sumDays = (days: readonly Sales[]): Sales =>
  days.reduce(
    (sum, { count, revenue, prices }) => ({
      count: sum.count + count,
      revenue: sum.revenue + revenue,
      prices: sum.prices + prices,
    }),
    { count: 0, revenue: 0, prices: 0 },
  )

/** Of tickets that were cancelled since, a part of the money may have been kept. */
export const hasSales = ({ count, revenue }: { count: number; revenue: number }): boolean => count > 0 || revenue !== 0

export function hoursSoFar<T extends { _id: number; count: number; revenue: number }>(
  hours: readonly T[],
  { now, timeZone }: { now: Date; timeZone: string },
): T[] {
  const first = hours.find(hasSales)
  const last = hours.findLast(hasSales)
  if (!first || !last) return []
  const until = Math.max(last._id, toLocalHour(now, timeZone))
  return hours.filter(({ _id }) => _id >= first._id && _id <= until)
}
