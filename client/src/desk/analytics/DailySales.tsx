import { ANALYTICS_DAYS_SHOWN } from '@garba/shared/constants'
import type { Analytics } from '@garba/shared/contracts/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { ChartColumn } from 'lucide-react'
import { Card } from '../../kit/Card.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'
import styles from './Analytics.module.css'
import { SalesBars } from './SalesBars.tsx'

const words = FIGURES.analytics
const shortDay = new Intl.DateTimeFormat('en-IN', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** The last seven entries of the range (SPEC 9). */
export const DailySales = ({ days }: { days: Analytics['salesChart'] }) => {
  const points = days.slice(-ANALYTICS_DAYS_SHOWN).map(({ _id, count, revenue }) => ({
    label: shortDay.format(new Date(`${_id}T00:00:00Z`)),
    count,
    revenue,
  }))
  return (
    <Card title={words.daily}>
      {points.length === 0 ? (
        <EmptyState title={words.noDaily} icon={<ChartColumn aria-hidden="true" />} />
      ) : (
        <>
          <p className={styles.note}>{words.dailyNote}</p>
          <SalesBars title={words.daily} points={points} unit={words.columns.day} />
        </>
      )}
    </Card>
  )
}
