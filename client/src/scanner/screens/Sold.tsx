import { SELL_HERE } from '@garba/shared/messages/scannerSell'
import { formatRupees } from '@garba/shared/rules/money'
import { CircleCheck, CloudOff, QrCode } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { cx } from '../../kit/cx.ts'
import type { SaleRow } from '../../platform/store/scannerSchema.ts'
import frame from './GateScreen.module.css'
import styles from './Sell.module.css'

const words = SELL_HERE.sold

interface SoldProps {
  row: SaleRow
  /** Rupees that were asked for before. */
  shown: number
  onCodes: (row: SaleRow) => void
  onNext: () => void
}

/** What was sold a moment ago, and what the seller does now. */
export const Sold = ({ row, shown, onCodes, onNext }: SoldProps) => {
  const { quantity, method, total, state, scanIds } = row
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const isInside = scanIds !== undefined
  return (
    <section className={cx(frame.card, styles.sold)} aria-label={SELL_HERE.form}>
      <CircleCheck aria-hidden="true" className={styles.tick} />
      <h2 ref={title} tabIndex={-1}>
        {method === 'complimentary' ? words.given(quantity) : words.title(quantity)}
      </h2>
      {method === 'complimentary' ? null : <p className={styles.amount}>{formatRupees(total)}</p>}
      {total === shown ? null : <Banner tone="warn">{words.changed(formatRupees(total))}</Banner>}
      <p className={styles.next}>{isInside ? words.letIn(quantity) : words.showCodes(quantity)}</p>
      {state === 'unsent' ? (
        <p className={styles.line}>
          <CloudOff aria-hidden="true" />
          {words.here}
        </p>
      ) : null}
      <div className={styles.stack}>
        {isInside ? null : (
          <Button tone="primary" size="lg" block icon={<QrCode aria-hidden="true" />} onClick={() => onCodes(row)}>
            {words.codes}
          </Button>
        )}
        <Button tone={isInside ? 'primary' : 'secondary'} size="lg" block onClick={onNext}>
          {words.next}
        </Button>
      </div>
    </section>
  )
}
