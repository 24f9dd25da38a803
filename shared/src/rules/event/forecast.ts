import { MINUTE_MS } from '../../constants.ts'

/** Minutes without any may be absent. */
type MinuteCounts = readonly { minute: string; count: number }[]

interface Arrivals {
  /** People let in. */
  perMinute: MinuteCounts
  leftToCome: number
  sold: number
  absentShare: number
  now: number
}

export interface ArrivalForecast {
  allInBy: number
  error: number
}

const SPAN_MINUTES = 10
/** Fewer people than this in a span say nothing about a queue. */
const LEAST = 10

const countBetween = (counts: MinuteCounts, from: number, to: number): number =>
  counts.reduce((sum, { minute, count }) => {
    const at = Date.parse(minute)
    return at >= from && at < to ? sum + count : sum
  }, 0)

/**
 * When all who come will be in, if the gates go on as in the last ten minutes; null while too few come to say. Computed from
 * what happened only. Its error is how far it has moved since ten minutes ago.
 */
export function forecastArrivals(arrivals: Arrivals): ArrivalForecast | null {
  const { perMinute, leftToCome, sold, absentShare, now } = arrivals
  const span = SPAN_MINUTES * MINUTE_MS
  const [lately, before] = [
    countBetween(perMinute, now - span, now + 1),
    countBetween(perMinute, now - 2 * span, now - span),
  ]
  const left = Math.round(leftToCome - sold * absentShare)
  if (lately < LEAST || left <= 0) return null
  const remaining = (left / lately) * span
  const remainedThen = before < LEAST ? null : ((left + lately) / before) * span
  const moved = remainedThen === null ? remaining : Math.abs(now + remaining - (now - span + remainedThen))
  return { allInBy: now + remaining, error: Math.ceil(moved / MINUTE_MS) }
}

export interface ReviewedForecast {
  at: number
  allInBy: number
  /** Minutes by which the forecast was after the last person came; below 0 if before. */
  off: number
}

const REVIEW_EACH_MS = 15 * MINUTE_MS

/**
 * Replays what an evening that is over said each quarter of an hour about when all would be in, from the people who had
 * come and the tickets that had been sold (`sales`) by then. Tickets cancelled since count as never sold.
 */
export function reviewForecasts({
  perMinute,
  sales,
  absentShare,
}: Pick<Arrivals, 'perMinute' | 'absentShare'> & { sales: MinuteCounts }): ReviewedForecast[] {
  const times = perMinute.filter(({ count }) => count > 0).map(({ minute }) => Date.parse(minute))
  const [first, end] = [Math.min(...times), Math.max(...times) + MINUTE_MS]
  const reviewed: ReviewedForecast[] = []
  for (let now = first + REVIEW_EACH_MS; now < end; now += REVIEW_EACH_MS) {
    const until = perMinute.filter(({ minute }) => Date.parse(minute) < now)
    const sold = countBetween(sales, 0, now)
    const leftToCome = sold - countBetween(until, 0, now)
    const forecast = forecastArrivals({ perMinute: until, leftToCome, sold, absentShare, now })
    if (forecast === null) continue
    reviewed.push({ at: now, allInBy: forecast.allInBy, off: Math.round((forecast.allInBy - end) / MINUTE_MS) })
  }
  return reviewed
}

interface GateLoad {
  name: string
  count: number
}

const BUSIER = 3

/** Two gates of which one is at least three times as busy as the other, so that a phone should move; null if there are none. */
export function findUnevenGates(gates: readonly GateLoad[]): { busy: string; calm: string; times: number } | null {
  const inTurn = gates.toSorted((a, b) => b.count - a.count)
  const [busy, calm] = [inTurn[0], inTurn.at(-1)]
  if (!busy || !calm || busy === calm || busy.count < LEAST) return null
  const times = Math.floor(busy.count / Math.max(1, calm.count))
  return times >= BUSIER ? { busy: busy.name, calm: calm.name, times } : null
}
