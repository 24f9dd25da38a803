import type { Analytics } from '@garba/shared/contracts/desk'
import { dayOf, instantOf, startOfDay } from '@garba/shared/rules/calendar'
import { toRupees } from '@garba/shared/rules/money'
import { type EventRow, isClosed } from '../store/events.ts'
import { countBuyers, firstSaleAt, type Sales, type Span, salesOfSpans, salesTotals } from '../store/sales.ts'
import type { ReadTx } from '../store/sql.ts'
import { countUsers } from '../store/users.ts'
import type { Deps } from './deps.ts'
import { eventAsked } from './eventAsked.ts'

const DAY_MS = 86_400_000
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

interface EventQuery {
  event?: string | undefined
}

/** Tickets sold and revenue in rupees: active and used tickets (DECISIONS 2). */
export async function ticketStats({ store }: Deps, query: EventQuery): Promise<{ total: number; revenue: number }> {
  const { count, paise } = await store.read(async (tx) => salesTotals(tx, (await eventAsked(tx, query.event)).eventId))
  return { total: count, revenue: toRupees(paise) }
}

/**
 * SPEC 3's dashboard figures: money in rupees, conversionRate and soldPercentage in percent. The daily chart runs from the
 * first sale to today, or to a closed event's own day, the hourly one through today, both in the event's time zone and
 * including empty days and hours.
 */
export const salesFigures = ({ store, now, settings: { timezone } }: Deps, query: EventQuery): Promise<Analytics> =>
  store.read(async (tx) => {
    const { eventId, event } = await eventAsked(tx, query.event)
    const today = dayOf(now(), timezone)
    const lastDay = event && isClosed(event) ? event.date : today
    const total = await salesTotals(tx, eventId)
    const users = await countUsers(tx)
    const salesChart = await dailySales(tx, { eventId, lastDay, timezone })
    const ofToday = salesChart.find(({ _id }) => _id === today) ?? { count: 0, revenue: 0 }
    return {
      revenue: { total: toRupees(total.paise), today: ofToday.revenue },
      tickets: { total: total.count, soldToday: ofToday.count },
      users: { total: users },
      analytics: {
        averageTicketValue: total.count === 0 ? 0 : total.paise / total.count / 100,
        conversionRate: users === 0 ? 0 : ((await countBuyers(tx, eventId)) / users) * 100,
      },
      event: eventFigures(event, total.count),
      salesChart,
      hourlySales: await hourlySales(tx, { eventId, today, timezone }),
    }
  })

const pointOf = (sales: Sales | undefined): { count: number; revenue: number } => ({
  count: sales?.count ?? 0,
  revenue: toRupees(sales?.paise ?? 0),
})

/** The calendar computes the bounds, so plain SQL gets days of 23 or 25 hours and half-hour zones right. */
async function dailySales(
  tx: ReadTx,
  { eventId, lastDay, timezone }: { eventId: string; lastDay: string; timezone: string },
): Promise<Analytics['salesChart']> {
  const first = await firstSaleAt(tx, eventId)
  if (first === null) return []
  const firstDay = dayOf(first, timezone)
  const end = lastDay < firstDay ? firstDay : lastDay
  const days = daysBetween(firstDay, end)
  const starts = days.map((day) => startOfDay(day, timezone))
  const sales = await salesOfSpans(tx, {
    eventId,
    spans: spansOf(starts, startOfDay(dayAfter(end), timezone)),
  })
  return days.map((day, i) => ({ _id: day, ...pointOf(sales[i]) }))
}

async function hourlySales(
  tx: ReadTx,
  { eventId, today, timezone }: { eventId: string; today: string; timezone: string },
): Promise<Analytics['hourlySales']> {
  const starts = HOURS.map((hour) => instantOf(today, `${String(hour).padStart(2, '0')}:00`, timezone))
  const sales = await salesOfSpans(tx, {
    eventId,
    spans: spansOf(starts, startOfDay(dayAfter(today), timezone)),
  })
  return HOURS.map((hour) => ({ _id: hour, ...pointOf(sales[hour]) }))
}

/** Each span runs to the next start, the last one to `end`. */
const spansOf = (starts: readonly Date[], end: Date): Span[] =>
  starts.map((from, i) => ({ from, to: starts[i + 1] ?? end }))

const dayAfter = (day: string): string => new Date(Date.parse(`${day}T00:00Z`) + DAY_MS).toISOString().slice(0, 10)

function daysBetween(first: string, last: string): string[] {
  const days: string[] = []
  for (let day = first; day <= last; day = dayAfter(day)) days.push(day)
  return days
}

/** Seats that are held for a payment are neither sold nor on sale. */
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
