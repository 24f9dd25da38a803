import type { Analytics } from '@garba/shared/contracts/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { Clock } from 'lucide-react'
import { Card } from '../../kit/Card.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { useDates } from '../frame/dates.ts'
import { hoursSoFar } from './range.ts'
import { SalesBars } from './SalesBars.tsx'

const words = FIGURES.analytics
const hourLabel = (hour: number) => `${String(hour).padStart(2, '0')}:00`

/** Today by the hour in the event's time zone. */
export const HourlySales = ({ hours }: { hours: Analytics['hourlySales'] }) => {
  const { timeZone } = useDates()
  const points = hoursSoFar(hours, { now: new Date(), timeZone }).map(({ _id, count, revenue }) => ({
    label: hourLabel(_id),
    count,
    revenue,
  }))
  return (
    <Card title={words.hourly}>
      {points.length === 0 ? (
        <EmptyState title={words.noHourly} icon={<Clock aria-hidden="true" />} />
      ) : (
        <SalesBars title={words.hourly} unit={words.columns.hour} points={points} />
      )}
    </Card>
  )
}
