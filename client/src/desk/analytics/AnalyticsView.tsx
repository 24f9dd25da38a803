import { ANALYTICS_DAYS_SHOWN } from '@garba/shared/constants'
import type { Analytics } from '@garba/shared/contracts/desk'
import type { ClosedEvent } from '@garba/shared/contracts/event'
import { dateFormat, numberFormat } from '@garba/shared/intlFormats'
import { formatDecimal } from '@garba/shared/messages/formats'
import { formatCount, formatTicketCount } from '@garba/shared/messages/language'
import { FAILURE_TOASTS } from '@garba/shared/messages/toasts'
import { formatRupees } from '@garba/shared/rules/money'
import { useQuery } from '@tanstack/react-query'
import { IndianRupee, Percent, Scale, Ticket } from 'lucide-react'
import { useState } from 'react'
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { Card, EmptyCard } from '../../kit/Card.tsx'
import { cx } from '../../kit/cx.ts'
import { ProgressBar } from '../../kit/ProgressBar.tsx'
import { Segments } from '../../kit/Segments.tsx'
import { SkeletonCards } from '../../kit/Skeleton.tsx'
import { StatGrid, StatTile } from '../../kit/StatTile.tsx'
import { type Column, ColumnTable } from '../../kit/Table.tsx'
import { serverNow } from '../../platform/net/clock.ts'
import { queries } from '../../platform/queries.ts'
import { DeskFrame, RefreshButton } from '../frame/DeskFrame.tsx'
import { hourText, useDates } from '../frame/dates.ts'
import { useDeskEvent } from '../frame/deskEvent.ts'
import { LoadFailure } from '../frame/LoadedCard.tsx'
import { DESK } from '../texts/desk.ts'
import { FIGURES } from '../texts/figures.ts'
import styles from './AnalyticsView.module.css'
import { daysIn, hasSales, hoursSoFar, type Range, sumDays } from './range.ts'

const words = FIGURES.analytics
const RANGES = (['week', 'month', 'all'] as const).map((value) => ({ value, label: words.ranges[value] }))

/** The range filters the shown days; the request is always the same. */
export default function AnalyticsView() {
  const [range, setRange] = useState<Range>('week')
  const { eventQuery, closed, loading } = useDeskEvent()
  const load = { query: useQuery(queries.analytics(eventQuery)), failed: FAILURE_TOASTS.loadAnalytics }
  const { data, isPending } = load.query
  return (
    <DeskFrame
      title={DESK.titles.analytics}
      byEvent
      actions={
        <>
          <Segments label={words.range} value={range} options={RANGES} onChange={setRange} />
          <RefreshButton query={load.query} />
        </>
      }
    >
      <LoadFailure {...load} />
      {isPending || loading ? <SkeletonCards heights={[104, 184, 360]} label={words.loading} /> : null}
      {data && !loading ? <Figures data={data.data} range={range} closed={closed} /> : null}
    </DeskFrame>
  )
}

/** A closed event's ranges end with its evening, and it has no figures for today. */
const Figures = ({ data, range, closed }: { data: Analytics; range: Range; closed: ClosedEvent | null }) => {
  const { timeZone } = useDates()
  const now = closed === null ? serverNow() : new Date(closed.endsAt)
  const days = daysIn(data.salesChart, { range, now, timeZone, isOver: closed !== null })
  return (
    <>
      <RangeStats data={data} days={days} range={range} />
      <EventPerformance event={data.event} />
      {data.types ? <TypeFigures types={data.types} /> : null}
      {days.length > ANALYTICS_DAYS_SHOWN ? <DayBars title={words.overTime} days={days} /> : null}
      <div className={styles.grid}>
        <DayBars title={words.daily} days={days.slice(-ANALYTICS_DAYS_SHOWN)} />
        {closed === null ? <HourlySales hours={data.hourlySales} /> : null}
      </div>
    </>
  )
}

const rupees = (amount: number) => formatRupees(amount, { decimals: 0 })

interface RangeStatsProps {
  data: Analytics
  days: Analytics['salesChart']
  range: Range
}

export const RangeStats = ({ data, days, range }: RangeStatsProps) => {
  const ofDays = sumDays(days)
  const { count, revenue } = range === 'all' ? { count: data.tickets.total, revenue: data.revenue.total } : ofDays
  // Revenue includes what was kept of cancelled tickets, which is no ticket's price.
  const ofRange = count === 0 ? 0 : ofDays.prices / count
  const average = range === 'all' ? data.analytics.averageTicketValue : ofRange
  return (
    <StatGrid>
      <StatTile icon={<IndianRupee />} label={words.revenue} value={rupees(revenue)} />
      <StatTile icon={<Ticket />} label={words.sold} value={formatCount(count)} note={words.soldNote} />
      <StatTile icon={<Scale />} label={words.average} value={rupees(average)} note={words.averageNote} />
      <StatTile
        icon={<Percent />}
        label={words.conversion}
        value={`${formatDecimal(data.analytics.conversionRate)}%`}
        note={words.conversionNote}
      />
    </StatGrid>
  )
}

const shortDay = dateFormat('en-IN', { day: 'numeric', month: 'short', timeZone: 'UTC' })

export const DayBars = ({ title, days }: { title: string; days: Analytics['salesChart'] }) => {
  if (!days.some(hasSales)) return <EmptyCard title={title}>{words.noDaily}</EmptyCard>
  const points = days.map((day) => ({ ...day, label: shortDay.format(new Date(`${day._id}T00:00:00Z`)) }))
  return <SalesBars title={title} unit={words.columns.day} points={points} />
}

const HourlySales = ({ hours }: { hours: Analytics['hourlySales'] }) => {
  const { timeZone } = useDates()
  const points = hoursSoFar(hours, { now: serverNow(), timeZone }).map((hour) => ({
    ...hour,
    label: hourText(hour._id),
  }))
  if (points.length === 0) return <EmptyCard title={words.hourly}>{words.noHourly}</EmptyCard>
  return <SalesBars title={words.hourly} unit={words.columns.hour} points={points} />
}

type TypeFigure = NonNullable<Analytics['types']>[number]

const TYPE_COLUMNS: readonly Column<TypeFigure>[] = [
  { title: words.type.name, cell: ({ name }) => name.en, text: true, fullText: ({ name }) => name.en },
  { title: words.type.sold, numeric: true, cell: ({ sold }) => formatCount(sold) },
  { title: words.type.left, numeric: true, cell: ({ left }) => formatCount(left) },
  { title: words.type.revenue, numeric: true, cell: ({ revenue }) => rupees(revenue) },
]

const TypeFigures = ({ types }: { types: readonly TypeFigure[] }) => (
  <Card title={words.byType} flush>
    <ColumnTable bare caption={words.byType} columns={TYPE_COLUMNS} rows={types} keyOf={({ id }) => id} />
    <p className={cx('soft', styles.note)}>{words.byTypeNote}</p>
  </Card>
)

export const EventPerformance = ({ event }: { event: Analytics['event'] }) => {
  if (event === null) return <Card title={words.performance}>{words.noEvent}</Card>
  const line = words.performanceLine({ sold: event.soldTickets, available: event.availableTickets })
  return (
    <Card title={words.performance}>
      <div className="stack-2">
        <p className={styles.name}>{event.name}</p>
        <p className={`${styles.big} tabular`}>{formatDecimal(event.soldPercentage)}%</p>
        <ProgressBar label={words.performance} value={event.soldPercentage} />
        <p className="tabular">
          {line}. {words.price(rupees(event.ticketPrice))}
        </p>
      </div>
    </Card>
  )
}

interface SalesPoint {
  label: string
  count: number
  revenue: number
}

/** `unit` names what a point stands for, as the heading of the table's first column. */
interface SalesBarsProps {
  title: string
  points: readonly SalesPoint[]
  unit: string
}

const compact = numberFormat('en-IN', { notation: 'compact', maximumFractionDigits: 2 })

const SalesBars = ({ title, points, unit }: SalesBarsProps) => (
  <Card title={title}>
    <div className={styles.chart} role="img" aria-label={words.chartOf(title)}>
      <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 320, height: 240 }}>
        <BarChart data={[...points]} accessibilityLayer={false} margin={MARGIN}>
          <CartesianGrid {...GRID} />
          <XAxis {...AXIS} dataKey="label" minTickGap={4} interval="equidistantPreserveStart" />
          <YAxis {...AXIS} width={52} tickFormatter={(rupees: number) => `₹${compact.format(rupees)}`} />
          <Tooltip
            cursor={{ fill: 'var(--hover)' }}
            content={({ active, payload }) => {
              const point: SalesPoint | undefined = payload[0]?.payload
              return active && point ? <SalesTip point={point} /> : null
            }}
          />
          <Bar
            dataKey="revenue"
            fill="var(--peacock)"
            radius={[4, 4, 0, 0]}
            maxBarSize={48}
            isAnimationActive={false}
          />
        </BarChart>
      </ResponsiveContainer>
    </div>
    <details className={styles.details}>
      <summary>{words.asTable}</summary>
      <SalesTable {...{ title, points, unit }} />
    </details>
  </Card>
)

export const SalesTip = ({ point: { label, count, revenue } }: { point: SalesPoint }) => (
  <div className={styles.tip}>
    <p className={styles.tipTitle}>{label}</p>
    <p className="tabular">
      {rupees(revenue)}, {formatTicketCount(count)}
    </p>
  </div>
)

const SalesTable = ({ title, points, unit }: SalesBarsProps) => (
  <table className={styles.table}>
    <caption className="spoken">{title}</caption>
    <thead>
      <tr>
        <th scope="col">{unit}</th>
        <th scope="col">{words.columns.tickets}</th>
        <th scope="col">{words.columns.revenue}</th>
      </tr>
    </thead>
    <tbody>
      {points.map(({ label, count, revenue }) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          <td className="tabular">{formatCount(count)}</td>
          <td className="tabular">{rupees(revenue)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const GRID = { vertical: false, stroke: 'var(--line)' } as const

const AXIS = { tickLine: false, axisLine: false, stroke: 'var(--text-soft)', fontSize: 12 } as const

const MARGIN = { top: 8, right: 8, bottom: 0, left: 0 } as const
