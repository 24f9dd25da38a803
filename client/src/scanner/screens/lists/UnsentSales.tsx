import { formatRupees } from '@garba/shared/rules/money'
import { Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Button } from '../../../kit/Button.tsx'
import { ConfirmDialog } from '../../../kit/ConfirmDialog.tsx'
import type { SaleRow } from '../../../platform/store/scannerSchema.ts'
import { timeTextOf } from '../../core/moment.ts'
import { dropSale } from '../../store/sales.ts'
import { useStored } from '../../store/useStored.ts'
import { UNSENT } from '../../texts/scanner.ts'
import { SELL_HERE } from '../../texts/sell.ts'
import { showTrouble } from '../scan/showTrouble.ts'
import styles from './UnsentScans.module.css'

const words = SELL_HERE.sales

/** Oldest first. */
export function useUnsentSales(): readonly SaleRow[] {
  const sales = useStored((store) => store.sales)
  return useMemo(() => sales.filter(({ state }) => state === 'unsent').toReversed(), [sales])
}

/** The sales waiting to be sent, and those the server refused, each with its reason. */
export const UnsentSales = ({ sales }: { sales: readonly SaleRow[] }) => {
  const [leaving, setLeaving] = useState<SaleRow | null>(null)
  const remove = () => {
    if (leaving) void dropSale(leaving.key).catch(showTrouble)
    setLeaving(null)
  }
  return (
    <>
      <p className={styles.explain}>{words.waiting(sales.length)}</p>
      <ol className={styles.list}>
        {sales.map((sale) => (
          <Row key={sale.key} sale={sale} onRemove={() => setLeaving(sale)} />
        ))}
      </ol>
      <ConfirmDialog
        open={leaving !== null}
        title={words.removeQuestion}
        confirmLabel={words.remove}
        cancelLabel={words.keep}
        tone="danger"
        onConfirm={remove}
        onCancel={() => setLeaving(null)}
      >
        {words.removeDetail}
      </ConfirmDialog>
    </>
  )
}

const Row = ({ sale, onRemove }: { sale: SaleRow; onRemove: () => void }) => {
  const { quantity, method, name, soldAt, total, checkerName, parked } = sale
  return (
    <li className={styles.row}>
      <p className={styles.name}>{words.line(quantity, SELL_HERE.methods[method])}</p>
      <p className={styles.facts}>
        <time dateTime={soldAt}>{timeTextOf(soldAt)}</time>
        <span>{formatRupees(total)}</span>
        {name === undefined ? null : <span>{name}</span>}
        <span>{words.by(checkerName)}</span>
      </p>
      {parked === null ? null : (
        <div className={styles.parked}>
          <p>{words.parked(parked.message)}</p>
          <Button size="sm" tone="ghost" icon={<Trash2 aria-hidden="true" />} onClick={onRemove}>
            {UNSENT.remove}
          </Button>
        </div>
      )}
    </li>
  )
}
