import type { Ticket } from '@garba/shared/contracts/ticket'
import { last8 } from '@garba/shared/messages/common'
import { refundOf } from '@garba/shared/rules/cancellation'
import { formatRupees, toPaise, toRupees } from '@garba/shared/rules/money'
import { Banner } from '../../kit/Banner.tsx'
import { Line, Slip } from '../Slip.tsx'
import { type Trouble, TroubleBanner } from '../Trouble.tsx'
import { useWords } from '../words.ts'
import styles from './CancelDialog.module.css'

interface ConfirmStepProps {
  ticket: Ticket
  reason: string
  trouble: Trouble | null
}

export const ConfirmStep = ({ ticket, reason, trouble }: ConfirmStepProps) => {
  const words = useWords()
  const { cancel } = words
  return (
    <>
      <TroubleBanner trouble={trouble} refused={cancel.failed} />
      <Slip>
        <dl>
          <Line label={cancel.ticketId}>{last8(ticket.ticketId)}</Line>
          <Line label={cancel.event}>{ticket.eventName}</Line>
          <Line label={cancel.refund}>{formatRupees(toRupees(refundOf(toPaise(ticket.price)).refundPaise))}</Line>
          <Line label={words.ticket.reason}>{reason}</Line>
        </dl>
      </Slip>
      <Banner tone="warn" title={cancel.warningTitle}>
        <ul className={styles.warnings}>
          {cancel.warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      </Banner>
    </>
  )
}
