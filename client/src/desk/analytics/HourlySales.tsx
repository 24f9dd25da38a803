import type { Analytics } from '@garba/shared/contracts/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { Clock } from 'lucide-react'
import { Card } from '../../kit/Card.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { SalesBars } from './SalesBars.tsx'

const words = FIGURES.analytics
const hourLabel = (hour: number) => `${String(hour).padStart(2, '0')}:00`

/** Today by the hour in the event's time zone; hours between the first and the last sale without one stand as gaps. */
export const HourlySales = ({ hours }: { hours: Analytics['hourlySales'] }) => {
  const byHour = new Map(hours.map((hour) => [hour._id, hour]))
  const first = Math.min(...byHour.keys())
  const last = Math.max(...byHour.keys())
  const points = byHour.size === 0 ? [] : Array.from({ length: last - first + 1 }, (_, step) => first + step)
  return (
    <Card title={words.hourly}>
      {points.length === 0 ? (
        <EmptyState title={words.noHourly} icon={<Clock aria-hidden="true" />} />
      ) : (
        <SalesBars
          title={words.hourly}
          unit={words.columns.hour}
          points={points.map((hour) => ({
            label: hourLabel(hour),
            count: byHour.get(hour)?.count ?? 0,
            revenue: byHour.get(hour)?.revenue ?? 0,
          }))}
        />
      )}
    </Card>
  )
}
