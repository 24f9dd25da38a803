import { SELL_HERE } from '@garba/shared/messages/scannerSell'
import { formatRupees } from '@garba/shared/rules/money'
import { QrCode } from 'lucide-react'
import { StateChip, type StateTone } from '../../kit/Badge.tsx'
import { Button } from '../../kit/Button.tsx'
import type { SaleRow } from '../../platform/store/scannerSchema.ts'
import { eveningNow, timeTextOf, timeZoneNow } from '../core/clock.ts'
import { eveningOf } from '../core/moment.ts'
import { useStored } from '../store/useStored.ts'
import frame from './GateScreen.module.css'
import styles from './Sell.module.css'

const words = SELL_HERE.sales
const SHOWN_MAX = 30
const TONES = { asking: 'warn', unknown: 'warn', unsent: 'warn', done: 'ok' } as const satisfies Record<
  SaleRow['state'],
  StateTone
>

/** This evening's sales, and whatever the server does not have, newest first. */
export const SellList = ({ onCodes }: { onCodes: (row: SaleRow) => void }) => {
  const sales = useStored((store) => store.sales)
  const evening = eveningNow()
  const shown = sales
    .filter((sale) => sale.state !== 'done' || eveningOf(madeAt(sale), timeZoneNow()) === evening)
    .slice(0, SHOWN_MAX)
  return (
    <section className={frame.card} aria-labelledby="sales">
      <h2 id="sales">{words.title}</h2>
      {shown.length === 0 ? <p className={frame.soft}>{words.none}</p> : null}
      <ul className={frame.list}>
        {shown.map((sale) => (
          <Row key={sale.key} sale={sale} onCodes={onCodes} />
        ))}
      </ul>
    </section>
  )
}

const madeAt = ({ soldAt, clockOffset }: SaleRow): Date => new Date(Date.parse(soldAt) + clockOffset)

const Row = ({ sale, onCodes }: { sale: SaleRow; onCodes: (row: SaleRow) => void }) => {
  const { quantity, method, name, total, order, parked, unseated, state, checkerName, tickets } = sale
  const when = timeTextOf(madeAt(sale).toISOString())
  return (
    <li className={frame.row}>
      <p className={styles.what}>
        <strong>{words.line(quantity, SELL_HERE.methods[method])}</strong>
        <span className={styles.price}>{formatRupees(total)}</span>
      </p>
      <p className={styles.facts}>
        <span>{when}</span>
        {name === undefined ? null : <span>{name}</span>}
        <span>{words.by(checkerName)}</span>
        {order === null ? null : <span>{order}</span>}
      </p>
      <div className={styles.ends}>
        <StateChip state={parked === null ? TONES[state] : 'bad'}>
          {parked === null ? words.states[state] : words.parked(parked.message)}
        </StateChip>
        {tickets.some(({ qrCode }) => qrCode !== null) ? (
          <Button
            size="sm"
            icon={<QrCode aria-hidden="true" />}
            aria-label={words.codesOf(quantity, when)}
            onClick={() => onCodes(sale)}
          >
            {words.codes}
          </Button>
        ) : null}
      </div>
      {unseated === undefined ? null : <p className={styles.bad}>{words.unseated(unseated)}</p>}
    </li>
  )
}
