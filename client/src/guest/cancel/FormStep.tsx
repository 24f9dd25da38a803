import { REASON_MAX } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import type { Cancellation } from '@garba/shared/rules/cancellation'
import { formatRupees } from '@garba/shared/rules/money'
import { useState } from 'react'
import { Banner } from '../../kit/Banner.tsx'
import { Checkbox } from '../../kit/Checkbox.tsx'
import { TextArea } from '../../kit/TextArea.tsx'
import { useFormat } from '../format.ts'
import { Line, Slip } from '../Slip.tsx'
import { useWords } from '../words.ts'
import styles from './CancelDialog.module.css'
import { RefundSum } from './RefundSum.tsx'

interface FormStepProps {
  ticket: Ticket
  event: GarbaEvent
  verdict: Cancellation
  reason: string
  agreed: boolean
  onReason: (reason: string) => void
  onAgreed: (agreed: boolean) => void
}

export const FormStep = (props: FormStepProps) => {
  const { ticket, event, verdict, reason, agreed, onReason, onAgreed } = props
  const { cancel: words, ticket: ticketWords } = useWords()
  const format = useFormat()
  const [left, setLeft] = useState(false)
  const trimmed = reason.trim()
  const error =
    trimmed.length > REASON_MAX ? words.reasonTooLong : left && trimmed === '' ? words.reasonRequired : undefined
  return (
    <>
      <Slip>
        <dl>
          <Line label={words.event}>{ticket.eventName}</Line>
          <Line label={words.date}>{format.day(event.date)}</Line>
          <Line label={words.price}>{formatRupees(ticket.price)}</Line>
          <Line label={words.status}>{ticketWords.status[ticket.status]}</Line>
        </dl>
      </Slip>
      {verdict.allowed ? (
        <Banner tone="ok" live="status">
          <p>{words.allowed(verdict.daysLeft)}</p>
        </Banner>
      ) : (
        <Banner tone="bad" live="status">
          <p>{verdict.why === 'TICKET_NOT_ACTIVE' ? words.notActive : words.closed(verdict.daysLeft)}</p>
        </Banner>
      )}
      {verdict.allowed ? (
        <>
          <TextArea
            label={words.reason}
            hint={words.reasonHint}
            error={error}
            required
            max={REASON_MAX}
            value={reason}
            onChange={({ target }) => onReason(target.value)}
            onBlur={() => setLeft(true)}
          />
          <section className={styles.refund} aria-labelledby="refund-information">
            <h3 id="refund-information" className={styles.subtitle}>
              {words.refundTitle}
            </h3>
            <RefundSum price={ticket.price} />
            <p className={styles.soft}>{words.timing}</p>
          </section>
          <Checkbox label={words.agree} checked={agreed} onChange={({ target }) => onAgreed(target.checked)} />
        </>
      ) : null}
    </>
  )
}
