import type { GarbaEvent } from '@garba/shared/contracts/event'
import { formatRupees } from '@garba/shared/rules/money'
import { useFormat } from '../format.ts'
import { useWords } from '../words.ts'
import styles from './ListHead.module.css'
import type { Counts } from './status.ts'

/** Totals of the own tickets, and the event with its price and what remains of it (SPEC 2). */
export const ListHead = ({ counts, event }: { counts: Counts; event: GarbaEvent | null }) => {
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
      {event === null ? null : (
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
            {event.availableTickets === 0
              ? list.soldOut
              : list.remaining(event.availableTickets, format.count(event.availableTickets))}
          </p>
        </div>
      )}
    </div>
  )
}
