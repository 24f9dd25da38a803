import { ANALYTICS_DAYS_SHOWN } from '@garba/shared/constants'
import type { Analytics } from '@garba/shared/contracts/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { ChartColumn } from 'lucide-react'
import { Card } from '../../kit/Card.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { sumOf } from './range.ts'
import { SalesBars } from './SalesBars.tsx'

const words = FIGURES.analytics
const shortDay = new Intl.DateTimeFormat('en-IN', { day: 'numeric', month: 'short', timeZone: 'UTC' })

type Days = Analytics['salesChart']

const DayBars = ({ title, days }: { title: string; days: Days }) => (
  <Card title={title}>
    {sumOf(days).count === 0 ? (
      <EmptyState title={words.noDaily} icon={<ChartColumn aria-hidden="true" />} />
    ) : (
      <SalesBars
        title={title}
        unit={words.columns.day}
        points={days.map(({ _id, count, revenue }) => ({
          label: shortDay.format(new Date(`${_id}T00:00:00Z`)),
          count,
          revenue,
        }))}
      />
    )}
  </Card>
)

/** The last seven entries (SPEC 9). */
export const DailySales = ({ days }: { days: Days }) => (
  <DayBars title={words.daily} days={days.slice(-ANALYTICS_DAYS_SHOWN)} />
)

/** Every day of a range longer than the daily list shows. */
export const RangeSales = ({ days }: { days: Days }) => <DayBars title={words.overTime} days={days} />
