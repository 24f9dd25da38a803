import type { WholeOrder } from '@garba/shared/contracts/order'
import { shortenTicketId } from '@garba/shared/messages/common'
import { POLICY_FACTS } from '@garba/shared/messages/policies'
import { formatRupees } from '@garba/shared/rules/money'
import { StateChip, type StateTone } from '../../kit/Badge.tsx'
import { Card } from '../../kit/Card.tsx'
import { type Format, useFormat } from '../format.ts'
import styles from './OrderPage.module.css'
import { type OrderWords, useOrderWords } from './words.ts'

export type Refund = WholeOrder['refunds'][number]
export const isPaidBack = ({ state }: Refund): boolean => state === 'done' || state === 'manual'
type OrderRefunds = Pick<WholeOrder, 'refunds' | 'provider'>

const TONES = {
  requested: 'info',
  sent: 'info',
  done: 'ok',
  failed: 'bad',
  manual: 'ok',
} as const satisfies Record<Refund['state'], StateTone>

export const Refunds = ({ order }: { order: OrderRefunds }) => {
  const { refund: words } = useOrderWords()
  const format = useFormat()
  if (order.refunds.length === 0) return null
  return (
    <Card title={words.title}>
      <ul className="stack-4">
        {order.refunds.map((refund) => (
          <li key={refund.id} className={styles.refund}>
            <div className={styles.head}>
              <span>
                {refund.ticketId === null ? words.kind[refund.kind] : words.ofTicket(shortenTicketId(refund.ticketId))}
              </span>
              <span className={styles.amount}>{formatRupees(refund.amount)}</span>
            </div>
            <div className={styles.state}>
              <StateChip state={TONES[refund.state]}>{words.state[refund.state]}</StateChip>
              <span className="soft">{formatRefundStep(refund, order, words, format)}</span>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function formatRefundStep(
  refund: Refund,
  { provider }: OrderRefunds,
  words: OrderWords['refund'],
  format: Format,
): string {
  const { upiAndWallets, usual } = POLICY_FACTS.refundDays
  const days = provider === 'upi' ? upiAndWallets : usual
  if (refund.state === 'done') return words.done(format.date(refund.updatedAt))
  if (refund.state === 'manual') return words.manual(format.date(refund.updatedAt))
  return refund.state === 'failed' ? words.failed : words.expected(days)
}
