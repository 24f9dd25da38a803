import { SELL_HERE } from '@garba/shared/messages/scannerSell'
import { formatRupees } from '@garba/shared/rules/money'
import { useState } from 'react'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import type { SaleRow } from '../../platform/store/scannerSchema.ts'
import frame from './GateScreen.module.css'
import styles from './Sell.module.css'

const words = SELL_HERE.unsure

interface UnsureSaleProps {
  row: SaleRow
  /** Tickets of this phone. */
  left: number
  onAgain: (row: SaleRow) => void
  onHere: (row: SaleRow) => void
  onLeave: (row: SaleRow) => void
}

/** The answer was lost: the same sale is asked for again, or the seller knowingly goes on without knowing. */
export const UnsureSale = ({ row, left, onAgain, onHere, onLeave }: UnsureSaleProps) => {
  const [asks, setAsks] = useState<'here' | 'leave' | null>(null)
  const { quantity, name, method, total } = row
  const confirmed = () => {
    setAsks(null)
    if (asks === 'here') onHere(row)
    else onLeave(row)
  }
  return (
    <section className={frame.card} aria-label={SELL_HERE.form}>
      <Banner tone="warn" live="alert" title={words.title}>
        <p>
          {words.of({ quantity, name, method: SELL_HERE.methods[method] })}, {formatRupees(total)}
        </p>
        <p>{words.text}</p>
      </Banner>
      <div className={styles.stack}>
        <Button tone="primary" size="lg" block onClick={() => onAgain(row)}>
          {words.again}
        </Button>
        {left >= quantity ? (
          <Button block onClick={() => setAsks('here')}>
            {words.here}
          </Button>
        ) : null}
        <Button tone="ghost" block onClick={() => setAsks('leave')}>
          {words.leave}
        </Button>
      </div>
      <ConfirmDialog
        open={asks !== null}
        title={asks === 'here' ? words.hereTitle : words.leaveTitle}
        confirmLabel={asks === 'here' ? words.here : words.leave}
        cancelLabel={words.back}
        onConfirm={confirmed}
        onCancel={() => setAsks(null)}
      >
        {asks === 'here' ? words.hereText : words.leaveText}
      </ConfirmDialog>
    </section>
  )
}
