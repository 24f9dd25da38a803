import { ticketTail } from '@garba/shared/messages/common'
import { formatRupees } from '@garba/shared/rules/money'
import { pickTypeName } from '@garba/shared/rules/types/ticketTypes'
import { CloudUpload, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { Button } from '../../../kit/Button.tsx'
import { ConfirmDialog, Dialog } from '../../../kit/Dialog.tsx'
import { useLanguage } from '../../../platform/language.ts'
import type { SaleRow } from '../../../platform/store/scannerSchema.ts'
import { formatScannerTime } from '../../core/moment.ts'
import { madeAt } from '../../core/scan.ts'
import { oldestRows, type StoredRow, unparkAll } from '../../store/outbox.ts'
import { dropSale } from '../../store/sales.ts'
import { useStored } from '../../store/useStored.ts'
import { sendOutbox, useReplay } from '../../sync/replayer.ts'
import { giveUp } from '../../sync/settle.ts'
import { COUNTING, EXITS } from '../../texts/movement.ts'
import { RECENT, UNSENT } from '../../texts/scanner.ts'
import { SELL_HERE } from '../../texts/sell.ts'
import { showTrouble } from '../scan/showTrouble.ts'
import styles from './UnsentScans.module.css'

const SHOWN_MAX = 200

export const UnsentScans = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const rows = useOldest(open)
  const sales = useUnsentSales()
  const sending = useReplay(({ status }) => status === 'sending')
  const removal = useRemoval(UNSENT, giveUp)
  const send = () => void unparkAll().then(sendOutbox).catch(showTrouble)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={sales.length === 0 ? UNSENT.title : SELL_HERE.sales.toSend(rows?.length ?? 0)}
      footer={
        rows === null || rows.length + sales.length === 0 ? undefined : (
          <Button tone="primary" size="lg" busy={sending} icon={<CloudUpload />} onClick={send}>
            {UNSENT.sendNow}
          </Button>
        )
      }
    >
      {sales.length === 0 ? null : <UnsentSales sales={sales} />}
      {sales.length > 0 && rows?.length === 0 ? null : (
        <p className={styles.explain}>
          {rows === null ? UNSENT.reading : rows.length === 0 ? UNSENT.none : explained(rows)}
        </p>
      )}
      <ol className={styles.list}>
        {rows?.map((row) => (
          <Row key={row.scanId} row={row} onRemove={() => removal.ask(row)} />
        ))}
      </ol>
      {removal.dialog}
    </Dialog>
  )
}

function useRemoval<R>(words: { removeQuestion: string; removeDetail: string }, remove: (row: R) => Promise<void>) {
  const [leaving, setLeaving] = useState<R | null>(null)
  const confirm = () => {
    if (leaving !== null) void remove(leaving).catch(showTrouble)
    setLeaving(null)
  }
  const dialog = (
    <ConfirmDialog
      open={leaving !== null}
      title={words.removeQuestion}
      confirmLabel={UNSENT.remove}
      cancelLabel={UNSENT.keep}
      tone="danger"
      onConfirm={confirm}
      onCancel={() => setLeaving(null)}
    >
      {words.removeDetail}
    </ConfirmDialog>
  )
  return { ask: (row: R) => setLeaving(() => row), dialog }
}

/** An admission that was undone waits too, so that the server undoes it, but nobody is inside on it. */
function explained(rows: readonly StoredRow[]): string {
  const inside = rows.filter(({ undo }) => !undo).length
  return inside === 0 ? UNSENT.kept(rows.length) : UNSENT.explain(inside)
}

function useOldest(open: boolean): readonly StoredRow[] | null {
  const unsent = useStored((store) => store.unsent)
  const [rows, setRows] = useState<readonly StoredRow[] | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new summary means that the rows have changed
  useEffect(() => {
    if (open) void oldestRows(SHOWN_MAX).then(setRows, showTrouble)
  }, [open, unsent])
  return rows
}

const Row = ({ row, onRemove }: { row: StoredRow; onRemove: () => void }) => {
  const { name, ticketId, scannedAt, clockOffset, checkerName, attempts, undo, parked } = row
  const when = formatScannerTime(madeAt(scannedAt, clockOffset))
  return (
    <Line
      name={row.movement === 'count' ? formatCounted(row) : (name ?? RECENT.unknownTicket)}
      parked={parked && `${UNSENT.parked}: ${parked.message}`}
      onRemove={onRemove}
    >
      <time dateTime={scannedAt}>{when}</time>
      <span>{ticketTail(ticketId)}</span>
      <span>{UNSENT.by(checkerName)}</span>
      <span>{UNSENT.attempts(attempts)}</span>
      {row.movement === 'exit' ? <span>{EXITS.left}</span> : null}
      {undo ? <span>{RECENT.endings.undone}</span> : null}
    </Line>
  )
}

const formatCounted = ({ group = 'other', change = 0 }: StoredRow): string =>
  `${COUNTING.groups[group]} ${change > 0 ? '+' : '−'}${Math.abs(change)}`

interface LineProps {
  name: string
  /** Why the server did not take it; null while it waits to be sent. */
  parked: string | null
  onRemove: () => void
  children: ReactNode
}

const Line = ({ name, parked, onRemove, children }: LineProps) => (
  <li className={styles.row}>
    <p className={styles.name}>{name}</p>
    <p className={styles.facts}>{children}</p>
    {parked === null ? null : (
      <div className={styles.parked}>
        <p>{parked}</p>
        <Button size="sm" tone="ghost" icon={<Trash2 />} onClick={onRemove}>
          {UNSENT.remove}
        </Button>
      </div>
    )}
  </li>
)

const words = SELL_HERE.sales

export function useUnsentSales(): readonly SaleRow[] {
  const sales = useStored((store) => store.sales)
  return useMemo(() => sales.filter(({ state }) => state === 'unsent').toReversed(), [sales])
}

const UnsentSales = ({ sales }: { sales: readonly SaleRow[] }) => {
  const removal = useRemoval(words, ({ key }: SaleRow) => dropSale(key))
  return (
    <>
      <p className={styles.explain}>{words.waiting(sales.length)}</p>
      <ol className={styles.list}>
        {sales.map((sale) => (
          <SaleLine key={sale.key} sale={sale} onRemove={() => removal.ask(sale)} />
        ))}
      </ol>
      {removal.dialog}
    </>
  )
}

export function useSoldType({ type }: SaleRow): string | null {
  const language = useLanguage((state) => state.language)
  return type ? pickTypeName(type.name, language) : null
}

const SaleLine = ({ sale, onRemove }: { sale: SaleRow; onRemove: () => void }) => {
  const { quantity, method, name, soldAt, clockOffset, total, checkerName, parked } = sale
  const type = useSoldType(sale)
  return (
    <Line
      name={words.line(quantity, SELL_HERE.methods[method])}
      parked={parked && words.parked(parked.message)}
      onRemove={onRemove}
    >
      <time dateTime={soldAt}>{formatScannerTime(madeAt(soldAt, clockOffset))}</time>
      <span>{formatRupees(total)}</span>
      {type === null ? null : <span>{type}</span>}
      {name === undefined ? null : <span>{name}</span>}
      <span>{words.by(checkerName)}</span>
    </Line>
  )
}
