import type { ReactNode } from 'react'
import { StateChip } from '../../kit/Badge.tsx'
import { useFormat } from '../format.ts'
import type { Counts } from '../tickets/status.ts'
import { useWords } from '../words.ts'
import styles from './Panel.module.css'

/** Everything that is not a ticket, as one card with a part for each. */
export const Panel = ({ children }: { children: ReactNode }) => <div className={styles.panel}>{children}</div>

interface FiguresProps {
  /** null while unknown. */
  counts: Counts | null
  /** The tickets could not be read: the zeros stand for figures that are unknown. */
  stale: boolean
}

/** Totals of the user's tickets (SPEC 2). */
export const Figures = ({ counts, stale }: FiguresProps) => {
  const { list } = useWords()
  const format = useFormat()
  return (
    <div className={styles.figures}>
      {stale ? <StateChip state="warn">{list.stale}</StateChip> : null}
      <dl className={styles.totals} aria-label={list.totals} data-stale={stale || undefined}>
        {(['total', 'active', 'used', 'cancelled'] as const).map((which) => (
          <div key={which} className={styles.total}>
            <dt>{list[which]}</dt>
            <dd>{counts === null ? (stale ? format.count(0) : '–') : format.count(counts[which])}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
