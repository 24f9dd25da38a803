import { ticketTail } from '@garba/shared/messages/common'
import { Check, Circle, History, LogOut, Trash2, Undo2, Users, X } from 'lucide-react'
import { memo, useId, useState } from 'react'
import { EmptyState } from '../../../kit/Banner.tsx'
import { Button } from '../../../kit/Button.tsx'
import { cx } from '../../../kit/cx.ts'
import { ConfirmDialog } from '../../../kit/Dialog.tsx'
import tones from '../../../kit/tones.module.css'
import { clockOffset } from '../../../platform/net/clock.ts'
import type { HistoryRecord, ScanEnding } from '../../../platform/store/scannerSchema.ts'
import { formatScannerTime } from '../../core/moment.ts'
import { madeAt } from '../../core/scan.ts'
import { clearHistory } from '../../store/record.ts'
import { useStored } from '../../store/useStored.ts'
import { EXITS } from '../../texts/movement.ts'
import { RECENT } from '../../texts/scanner.ts'
import { showTrouble } from '../scan/showTrouble.ts'
import styles from './RecentScans.module.css'

/**
 * The last 50 scans of this device. Clear History empties only the list, never the outbox. `bare`: the title is elsewhere.
 * It renders when the list changes, not at each step of a scan.
 */
export const RecentScans = memo(function RecentScans({ bare = false }: { bare?: boolean }) {
  const heading = useId()
  const history = useStored((store) => store.history)
  const [asks, setAsks] = useState(false)
  const clear = () => {
    setAsks(false)
    void clearHistory().catch(showTrouble)
  }
  return (
    // While empty, nothing in it can take the focus, but in large text it scrolls.
    <section
      className={styles.recent}
      tabIndex={history.length === 0 ? 0 : undefined}
      {...(bare ? { 'aria-label': RECENT.title } : { 'aria-labelledby': heading })}
    >
      <header className={styles.head}>
        {bare ? null : <h2 id={heading}>{RECENT.title}</h2>}
        {history.length === 0 ? null : (
          <Button size="sm" tone="ghost" icon={<Trash2 />} onClick={() => setAsks(true)}>
            {RECENT.clear}
          </Button>
        )}
      </header>
      {history.length === 0 ? (
        <div className={styles.none}>
          <EmptyState title={RECENT.empty} icon={<History />}>
            {RECENT.emptyDetail}
          </EmptyState>
        </div>
      ) : (
        <ol className={styles.list}>
          {history.map((record) => (
            <Row key={record.id} record={record} />
          ))}
        </ol>
      )}
      <ConfirmDialog
        open={asks}
        title={RECENT.clearQuestion}
        confirmLabel={RECENT.yes}
        cancelLabel={RECENT.no}
        tone="danger"
        onConfirm={clear}
        onCancel={() => setAsks(false)}
      >
        {RECENT.clearDetail}
      </ConfirmDialog>
    </section>
  )
})

const SHAPES = {
  admitted: { Icon: Check, tone: 'ok' },
  pending: { Icon: Circle, tone: 'warn' },
  conflict: { Icon: Users, tone: 'warn' },
  refused: { Icon: X, tone: 'bad' },
  failed: { Icon: X, tone: 'bad' },
  unmarked: { Icon: Circle, tone: 'warn' },
  undone: { Icon: Undo2, tone: 'quiet' },
  left: { Icon: LogOut, tone: 'quiet' },
  leaving: { Icon: LogOut, tone: 'warn' },
} as const satisfies Record<ScanEnding | 'unmarked', unknown>

const isUnmarked = ({ ending, status }: HistoryRecord): boolean => ending === 'failed' && status === 'valid'

function formatRecordLabel(record: HistoryRecord): string {
  const { ending, status } = record
  if (isUnmarked(record)) return RECENT.endings.pending
  if (ending === 'left') return EXITS.left
  if (ending === 'leaving') return EXITS.leaving
  return ending === 'refused' || ending === 'failed' ? RECENT.statuses[status] : RECENT.endings[ending]
}

function formatRecordReason({ ending, status, title, detail }: HistoryRecord): string {
  if (ending === 'admitted') return title
  if (ending === 'pending') return RECENT.pendingDetail
  const isSaid = ending !== 'failed' && status !== 'invalid'
  return isSaid ? detail : `${title}: ${detail}`
}

const Row = ({ record }: { record: HistoryRecord }) => {
  const { Icon, tone } = SHAPES[isUnmarked(record) ? 'unmarked' : record.ending]
  const { ticket, timestamp, manual } = record
  const when = formatScannerTime(madeAt(timestamp, clockOffset()))
  return (
    <li className={styles.row} data-ending={record.ending}>
      <span className={cx(styles.mark, tones[tone])} aria-hidden="true">
        <Icon />
      </span>
      <div className={styles.words}>
        <p className={styles.name}>{ticket?.name ?? RECENT.unknownTicket}</p>
        <time className={styles.when} dateTime={timestamp}>
          {when}
        </time>
        <p className={styles.detail}>
          <span className={cx(styles.label, tones[tone])}>{formatRecordLabel(record)}</span>{' '}
          {formatRecordReason(record)}
        </p>
        <p className={cx(styles.facts, 'tabular')}>
          {ticket === null ? null : <span>{ticketTail(ticket.id)}</span>}
          {manual ? <span>{RECENT.manual}</span> : null}
          <span>{record.scannedBy}</span>
        </p>
      </div>
    </li>
  )
}
