import { MINUTE_MS } from '../../constants.ts'

interface Arrivals {
  /** People let in by minute; minutes without any may be absent. */
  perMinute: readonly { minute: string; count: number }[]
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

const countBetween = ({ perMinute }: Arrivals, from: number, to: number): number =>
  perMinute.reduce((sum, { minute, count }) => {
    const at = Date.parse(minute)
    return at >= from && at < to ? sum + count : sum
  }, 0)

/**
 * When all who come will be in, if the gates go on as in the last ten minutes; null while too few come to say. Computed from
 * what happened only. Its error is how far it has moved since ten minutes ago.
 */
export function forecastArrivals(arrivals: Arrivals): ArrivalForecast | null {
  const { leftToCome, sold, absentShare, now } = arrivals
  const span = SPAN_MINUTES * MINUTE_MS
  const [lately, before] = [
    countBetween(arrivals, now - span, now + 1),
    countBetween(arrivals, now - 2 * span, now - span),
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
 * Replays what an evening that is over said each quarter of an hour about when all would be in. Tickets sold during the
 * evening count as sold before it.
 */
export function reviewForecasts(evening: Pick<Arrivals, 'perMinute' | 'sold' | 'absentShare'>): ReviewedForecast[] {
  const arrivals = evening.perMinute.map(({ minute, count }) => ({ at: Date.parse(minute), count }))
  const times = arrivals.filter(({ count }) => count > 0).map(({ at }) => at)
  const [first, end] = [Math.min(...times), Math.max(...times) + MINUTE_MS]
  const reviewed: ReviewedForecast[] = []
  for (let now = first + REVIEW_EACH_MS; now < end; now += REVIEW_EACH_MS) {
    const cameIn = arrivals.reduce((sum, { at, count }) => (at < now ? sum + count : sum), 0)
    const until = evening.perMinute.filter(({ minute }) => Date.parse(minute) < now)
    const forecast = forecastArrivals({ ...evening, perMinute: until, leftToCome: evening.sold - cameIn, now })
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
