import type { WholeOrder } from '@garba/shared/contracts/order'
import { last8 } from '@garba/shared/messages/common'
import { POLICY_FACTS } from '@garba/shared/messages/policyFacts'
import { formatRupees } from '@garba/shared/rules/money'
import { StateChip, type StateTone } from '../../kit/Badge.tsx'
import { Card } from '../../kit/Card.tsx'
import { type Format, useFormat } from '../format.ts'
import styles from './Refunds.module.css'
import { type OrderWords, useOrderWords } from './words.ts'

type Refund = WholeOrder['refunds'][number]
type Owing = Pick<WholeOrder, 'refunds' | 'provider'>

const TONES = {
  requested: 'info',
  sent: 'info',
  done: 'ok',
  failed: 'bad',
  manual: 'warn',
} as const satisfies Record<Refund['state'], StateTone>

/** What goes back of an order's money, how far it is, and when it may be expected (SPEC 9). */
export const Refunds = ({ order }: { order: Owing }) => {
  const { refund: words } = useOrderWords()
  const format = useFormat()
  if (order.refunds.length === 0) return null
  return (
    <Card title={words.title}>
      <ul className={styles.list}>
        {order.refunds.map((refund) => (
          <li key={refund.id} className={styles.refund}>
            <div className={styles.head}>
              <span>{refund.ticketId === null ? words.kind[refund.kind] : words.ofTicket(last8(refund.ticketId))}</span>
              <span className={styles.amount}>{formatRupees(refund.amount)}</span>
            </div>
            <div className={styles.state}>
              <StateChip state={TONES[refund.state]}>{words.state[refund.state]}</StateChip>
              <span className={styles.soft}>{nextOf(refund, order, words, format)}</span>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** What the buyer may expect next. */
function nextOf(refund: Refund, { provider }: Owing, words: OrderWords['refund'], format: Format): string {
  const { upiAndWallets, usual } = POLICY_FACTS.refundDays
  const days = provider === 'upi' ? upiAndWallets : usual
  if (refund.state === 'done') return words.done(format.date(refund.updatedAt))
  if (refund.state === 'failed') return words.failed
  return refund.state === 'manual' ? words.manual(days) : words.expected(days)
}
