import type { Analytics } from '@garba/shared/contracts/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { formatRupees } from '@garba/shared/rules/money'
import { Card } from '../../kit/Card.tsx'
import { ProgressBar } from '../../kit/ProgressBar.tsx'
import styles from './Analytics.module.css'

const words = FIGURES.analytics

export const EventPerformance = ({ event }: { event: Analytics['event'] }) => {
  if (event === null) return <Card title={words.performance}>{words.noEvent}</Card>
  const line = words.performanceLine({ sold: event.soldTickets, available: event.availableTickets })
  return (
    <Card title={words.performance}>
      <div className={styles.performance}>
        <p className={styles.name}>{event.name}</p>
        <p className={`${styles.big} tabular`}>
          {event.soldPercentage.toLocaleString('en-IN', { maximumFractionDigits: 1 })}%
        </p>
        <ProgressBar label={words.performance} value={event.soldPercentage} valueText={line} />
        <p className="tabular">
          {line}. {words.price(formatRupees(event.ticketPrice, { decimals: 0 }))}
        </p>
      </div>
    </Card>
  )
}
