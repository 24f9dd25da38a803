import type { Ticket } from '@garba/shared/contracts/ticket'
import { useWords } from '../words.ts'
import styles from './Stub.module.css'

/** A used or cancelled ticket carries a rubber stamp in its code's place. The words are said by the status band. */
export const StampStub = ({ ticket }: { ticket: Ticket }) => {
  const { ticket: words } = useWords()
  return (
    <div className={styles.stub} data-stamped>
      <svg viewBox="-60 -60 120 120" className={styles.stamp} aria-hidden="true">
        <circle r="56" pathLength="72" className={styles.dots} />
        <circle r="50" className={styles.ring} />
        <circle r="33" className={styles.ring} />
        <circle r="41.5" pathLength="36" className={styles.dots} />
        <rect x="-58" y="-16" width="116" height="32" rx="4" className={styles.plate} />
        <text textAnchor="middle" y="6">
          {ticket.status === 'used' ? words.stampUsed : words.stampCancelled}
        </text>
      </svg>
    </div>
  )
}
