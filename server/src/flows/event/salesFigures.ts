import type { Analytics } from '@garba/shared/contracts/desk'
import {
  dayAfter,
  daysBetween,
  getLastDay,
  startOfDay,
  toInstant,
  toLocalDay,
} from '@garba/shared/rules/event/calendar'
import { toRupees } from '@garba/shared/rules/money'
import { countRemaining, hasSeveralTypes } from '@garba/shared/rules/types/ticketTypes'
import type { ReadTx } from '../../store/engine/sql.ts'
import { type EventRow, isEventClosed } from '../../store/events.ts'
import {
  countBuyers,
  moneyReceived,
  type ReceivedMoney,
  type Span,
  salesByType,
  salesOfSpans,
  salesTotals,
  saleTimes,
} from '../../store/figures.ts'
import { readTypeSeats } from '../../store/typeSeats.ts'
import { countUsers } from '../../store/users.ts'
import type { Deps } from '../deps.ts'
import { requestedEvent } from './readEvent.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const NOTHING = { count: 0, revenue: 0, prices: 0 }

interface EventQuery {
  event?: string | undefined
}

/** Tickets sold and revenue in rupees: active and used tickets, or the money of paid orders. */
export async function ticketStats(deps: Deps, query: EventQuery): Promise<{ total: number; revenue: number }> {
  const { count, paise } = await deps.store.read(async (tx) => {
    const { eventId } = await requestedEvent(tx, query.event)
    const total = await salesTotals(tx, eventId)
    const received = await receivedFor(deps, tx, eventId)
    return received ? { ...total, paise: sumReceived(received) } : total
  })
  return { total: count, revenue: toRupees(paise) }
}

/**
 * The dashboards' figures: money in rupees, conversionRate and soldPercentage in percent. The daily chart runs from the
 * first sale to today, or for a closed event to its last day or a later sale or payment; the hourly one covers today.
 * Both use the event's time zone and include empty days and hours. Revenue is the price of the tickets sold, or with
 * payments the money received. (Spec: Entities.)
 */
export const salesFigures = (deps: Deps, query: EventQuery): Promise<Analytics> =>
  deps.store.read(async (tx) => {
    const { timezone } = deps.settings
    const { eventId, event } = await requestedEvent(tx, query.event)
    const today = toLocalDay(deps.now(), timezone)
    const lastDay = event && isEventClosed(event) ? getLastDay(event) : today
    const total = await salesTotals(tx, eventId)
    const users = await countUsers(tx)
    const [guests, buyers] = [await countUsers(tx, { role: 'guest' }), await countBuyers(tx, eventId)]
    const received = await receivedFor(deps, tx, eventId)
    const salesChart = await dailySales(tx, { eventId, lastDay, timezone, received })
    const ofToday = salesChart.find(({ _id }) => _id === today) ?? NOTHING
    return {
      revenue: { total: toRupees(received ? sumReceived(received) : total.paise), today: ofToday.revenue },
      tickets: { total: total.count, soldToday: ofToday.count },
      users: { total: users },
      analytics: {
        averageTicketValue: total.count === 0 ? 0 : total.paise / total.count / 100,
        conversionRate: guests === 0 ? 0 : (buyers / guests) * 100,
      },
      event: eventFigures(event, total.count),
      ...(event && hasSeveralTypes(event) ? { types: await typeFigures(tx, event) } : {}),
      salesChart,
      hourlySales: await hourlySales(tx, { eventId, today, timezone, received }),
    }
  })

/** Null if payments are off: revenue is then the price of the tickets sold. */
const receivedFor = async ({ settings }: Deps, tx: ReadTx, eventId: string): Promise<ReceivedMoney[] | null> =>
  settings.payments.on ? moneyReceived(tx, eventId) : null

const sumReceived = (received: readonly ReceivedMoney[]): number => received.reduce((sum, { paise }) => sum + paise, 0)

interface ChartFacts {
  eventId: string
  timezone: string
  received: ReceivedMoney[] | null
}

async function buildChartPoints(
  tx: ReadTx,
  { eventId, received, spans }: Omit<ChartFacts, 'timezone'> & { spans: Span[] },
) {
  const sales = await salesOfSpans(tx, { eventId, spans })
  return spans.map(({ from, to }, i) => {
    const { count, paise } = sales[i] ?? { count: 0, paise: 0 }
    const within = received?.filter(({ at }) => at >= from.getTime() && at < to.getTime())
    return { count, revenue: toRupees(within ? sumReceived(within) : paise), prices: toRupees(paise) }
  })
}

/** The calendar computes the bounds, so plain SQL gets days of 23 or 25 hours and half-hour zones right. */
async function dailySales(
  tx: ReadTx,
  { eventId, lastDay, timezone, received }: ChartFacts & { lastDay: string },
): Promise<Analytics['salesChart']> {
  // `received` is sorted, oldest first.
  const paid = [received?.at(0)?.at, received?.at(-1)?.at].filter((at) => at !== undefined)
  const times = [...(await saleTimes(tx, eventId)), ...paid]
  if (times.length === 0) return []
  const dayAt = (at: number) => toLocalDay(new Date(at), timezone)
  const [firstDay, latestDay] = [dayAt(Math.min(...times)), dayAt(Math.max(...times))]
  // The bank may show money only after the event.
  const end = lastDay < latestDay ? latestDay : lastDay
  const days = daysBetween(firstDay, end)
  const starts = days.map((day) => startOfDay(day, timezone))
  const spans = buildSpans(starts, startOfDay(dayAfter(end), timezone))
  const points = await buildChartPoints(tx, { eventId, received, spans })
  return days.map((day, i) => ({ _id: day, ...(points[i] ?? NOTHING) }))
}

async function hourlySales(
  tx: ReadTx,
  { eventId, today, timezone, received }: ChartFacts & { today: string },
): Promise<Analytics['hourlySales']> {
  const starts = HOURS.map((hour) => toInstant(today, `${String(hour).padStart(2, '0')}:00`, timezone))
  const spans = buildSpans(starts, startOfDay(dayAfter(today), timezone))
  const points = await buildChartPoints(tx, { eventId, received, spans })
  return HOURS.map((hour) => ({ _id: hour, ...(points[hour] ?? NOTHING) }))
}

const buildSpans = (starts: readonly Date[], end: Date): Span[] =>
  starts.map((from, i) => ({ from, to: starts[i + 1] ?? end }))

async function typeFigures(tx: ReadTx, event: EventRow): Promise<Analytics['types']> {
  const seatsOf = await readTypeSeats(tx, event)
  const sales = await salesByType(tx, event.id)
  const free = event.totalTickets - event.takenSeats
  return event.types.map((type) => {
    const { count, paise } = sales.get(type.id) ?? { count: 0, paise: 0 }
    const left = countRemaining(type, { taken: seatsOf(type.id).taken, free })
    return { id: type.id, name: type.name, sold: count, left, revenue: toRupees(paise) }
  })
}

/** Seats held for a payment are neither sold nor on sale. */
function eventFigures(event: EventRow | null, soldTickets: number): Analytics['event'] {
  if (!event) return null
  const { name, takenSeats, totalTickets, ticketPricePaise } = event
  return {
    name,
    soldTickets,
    availableTickets: totalTickets - takenSeats,
    soldPercentage: (soldTickets / totalTickets) * 100,
    ticketPrice: toRupees(ticketPricePaise),
  }
}
