import { REQUEST_RETRIES } from '@garba/shared/constants'
import type { UnprovenSum } from '@garba/shared/contracts/order'
import { MONEY } from '@garba/shared/messages/money'
import { formatRupees } from '@garba/shared/rules/money'
import { parseRupees } from '@garba/shared/rules/orders/orderMoney'
import { useState } from 'react'
import { Link } from 'react-router'
import { StateChip } from '../../kit/Badge.tsx'
import { Button } from '../../kit/Button.tsx'
import { Card } from '../../kit/Card.tsx'
import { TextField } from '../../kit/Field.tsx'
import { callServer } from '../../platform/http/call.ts'
import { calendarDay } from '../frame/dates.ts'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import { useChange } from '../frame/useChange.ts'
import { ORDERS } from '../texts/orders.ts'
import styles from './MoneyView.module.css'

const words = MONEY.unproven

const formatUnprovenSum = ({ seller, day, method }: UnprovenSum) =>
  `${ORDERS.providers[method]}, ${seller}, ${calendarDay(day)}`

export const UnprovenCard = ({ sums }: { sums: readonly UnprovenSum[] }) => {
  const [open, setOpen] = useState<UnprovenSum | null>(null)
  if (sums.length === 0) return null
  return (
    <Card title={words.title}>
      <div className="stack-3">
        <p className="soft">{words.text}</p>
        <ul className={styles.lines}>
          {sums.map((sum) => (
            <li key={formatUnprovenSum(sum) + sum.sellerId} className={styles.line}>
              <StateChip state="warn">{ORDERS.providers[sum.method]}</StateChip>
              <strong className="tabular">{formatRupees(sum.amount)}</strong>
              <span className={styles.detail}>
                {sum.seller}, {calendarDay(sum.day)}:{' '}
                <Link to={`../orders?provider=${sum.method}&from=${sum.day}&to=${sum.day}`}>
                  {words.sales(sum.orders)}
                </Link>
              </span>
              {sum.method === 'card' ? (
                <Button size="sm" aria-label={words.tickOffOf(formatUnprovenSum(sum))} onClick={() => setOpen(sum)}>
                  {words.tickOff}
                </Button>
              ) : (
                <Link to="statement">{words.statement}</Link>
              )}
            </li>
          ))}
        </ul>
      </div>
      {open === null ? null : <TerminalDialog sum={open} onClose={() => setOpen(null)} />}
    </Card>
  )
}

/** Asks for the terminal's total, which is not shown before it is typed. */
const TerminalDialog = ({ sum, onClose }: { sum: UnprovenSum; onClose: () => void }) => {
  const [typed, setTyped] = useState('')
  const amount = parseRupees(typed)
  const { sellerId, seller, day } = sum
  const tickOff = useChange({
    send: (total: number) =>
      callServer('tickOffCards', { body: { sellerId, seller, day, amount: total }, retries: REQUEST_RETRIES }),
    done: words.done,
    failed: words.failed,
  })
  return (
    <SaveDialog
      words={words.dialog}
      description={formatUnprovenSum(sum)}
      note={words.dialog.happens}
      busy={tickOff.isPending}
      missing={amount === null ? words.dialog.missing : null}
      onSave={() => {
        if (amount !== null) tickOff.mutate(amount, { onSuccess: onClose })
      }}
      onClose={onClose}
    >
      <TextField label={words.dialog.total} inputMode="decimal" autoComplete="off" value={typed} onType={setTyped} />
    </SaveDialog>
  )
}
