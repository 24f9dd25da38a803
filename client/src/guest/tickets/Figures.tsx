import type { GarbaEvent } from '@garba/shared/contracts/event'
import { formatRupees } from '@garba/shared/rules/money'
import { Skeleton } from '../../kit/Skeleton.tsx'
import type { Known } from '../data/useGuestData.ts'
import { useFormat } from '../format.ts'
import { useWords } from '../words.ts'
import styles from './Figures.module.css'
import type { Counts } from './status.ts'

/** Totals of the user's tickets, and the event with its price and remaining tickets (SPEC 2). */
export const Figures = ({ counts, event }: { counts: Counts; event: Known<GarbaEvent | null> }) => {
  const { list } = useWords()
  const format = useFormat()
  return (
    <div className={styles.head}>
      <dl className={styles.totals} aria-label={list.totals}>
        {(['total', 'active', 'used', 'cancelled'] as const).map((which) => (
          <div key={which} className={styles.total}>
            <dt>{list[which]}</dt>
            <dd>{format.count(counts[which])}</dd>
          </div>
        ))}
      </dl>
      {event.type === 'loading' ? (
        <Skeleton height={74} className={styles.bone} />
      ) : event.type === 'known' && event.value !== null ? (
        <Sale event={event.value} />
      ) : null}
    </div>
  )
}

const Sale = ({ event }: { event: GarbaEvent }) => {
  const { list } = useWords()
  const format = useFormat()
  return (
    <div className={styles.event}>
      <div>
        <p className={styles.name}>{event.name}</p>
        <p className={styles.soft}>{format.day(event.date)}</p>
      </div>
      <div>
        <p className={styles.soft}>{list.price}</p>
        <p className={styles.rupees}>{formatRupees(event.ticketPrice)}</p>
      </div>
      <p className={styles.remaining} data-none={event.availableTickets === 0 || undefined}>
        {event.availableTickets === 0 ? list.soldOut : list.remaining(event.availableTickets)}
      </p>
    </div>
  )
}
