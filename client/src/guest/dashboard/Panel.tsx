import { ChevronDown, RotateCw, Tickets } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { StateChip } from '../../kit/Badge.tsx'
import { cx } from '../../kit/cx.ts'
import { Spinner } from '../../kit/Spinner.tsx'
import { OFFLINE_NOTE } from '../data/DataAge.tsx'
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

interface TilesProps {
  /** How many tickets there are; null while unknown. */
  count: number | null
  online: boolean
  busy: boolean
  /** Tickets are paid for here, so there are orders to look at. */
  orders: boolean
  onShow: () => void
  onRefresh: () => void
}

const OrdersTile = lazy(async () => ({ default: (await import('../orders/HomeParts.tsx')).OrdersTile }))

/** The two tiles of SPEC 2, and the way to the orders. */
export const Tiles = ({ count, online, busy, orders, onShow, onRefresh }: TilesProps) => {
  const { tiles } = useWords()
  return (
    <div className={styles.tiles}>
      <button type="button" className={styles.tile} onClick={onShow}>
        <Tickets aria-hidden="true" />
        <span className={styles.words}>
          <span className={styles.name}>{tiles.myTickets}</span>
          <span className={styles.note}>{count === null ? '–' : tiles.count(count)}</span>
        </span>
        <ChevronDown aria-hidden="true" className={styles.go} />
      </button>
      <button
        type="button"
        className={styles.tile}
        disabled={!online}
        aria-disabled={busy || undefined}
        aria-describedby={online ? undefined : OFFLINE_NOTE}
        onClick={busy ? undefined : onRefresh}
      >
        {busy ? <Spinner size={24} /> : <RotateCw aria-hidden="true" />}
        <span className={styles.words}>
          <span className={styles.name}>{busy ? tiles.refreshing : tiles.refresh}</span>
        </span>
      </button>
      {orders ? (
        <Suspense fallback={<span className={cx(styles.tile, styles.wide)} />}>
          <OrdersTile className={cx(styles.tile, styles.wide)} />
        </Suspense>
      ) : null}
    </div>
  )
}
