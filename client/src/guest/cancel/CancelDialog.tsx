import { REASON_MAX } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { last8 } from '@garba/shared/messages/common'
import { type Cancellation, cancellationOf, refundOf } from '@garba/shared/rules/cancellation'
import { formatRupees, toPaise, toRupees } from '@garba/shared/rules/money'
import { nameOn } from '@garba/shared/rules/ticketStatus'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { toast } from 'sonner'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { Checkbox } from '../../kit/Checkbox.tsx'
import { TextArea } from '../../kit/Field.tsx'
import { call } from '../../platform/http/call.ts'
import { isFailure, isNetworkFailure } from '../../platform/http/failure.ts'
import { queries } from '../../platform/queries.ts'
import { useNow } from '../../platform/screen/now.ts'
import { replaceTicket } from '../data/useGuestData.ts'
import { failureText } from '../failures.ts'
import { useFormat } from '../format.ts'
import { ticketCardId } from '../paths.ts'
import { Line, Slip } from '../Slip.tsx'
import { StepDialog, type Trouble, TroubleBanner } from '../StepDialog.tsx'
import { useWords } from '../words.ts'
import styles from './CancelDialog.module.css'

interface CancelDialogProps {
  open: boolean
  ticket: Ticket
  event: GarbaEvent
  userId: string
  onClose: () => void
  onCancelled: () => void
}

const MINUTE_MS = 60_000

/** SPEC 2 "Cancel ticket dialog": the rule and the reason, then the consequences. */
export const CancelDialog = ({ open, ticket, event, userId, onClose, onCancelled }: CancelDialogProps) => {
  const words = useWords()
  const { timeZone } = useFormat()
  const now = useNow(MINUTE_MS)
  const [reason, setReason] = useState('')
  const [agreed, setAgreed] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const done = useRef(false)
  // The button that opened the dialog is gone, and the ticket has another place.
  const card = () => (done.current ? document.getElementById(ticketCardId(ticket._id)) : null)
  const { step, ...flow } = useCancel({
    ticket,
    userId,
    onCancelled: () => {
      done.current = true
      onCancelled()
      onClose()
    },
  })
  const verdict = cancellationOf({ status: ticket.status, day: event.date, timeZone, now: new Date(now) })
  const trimmed = reason.trim()
  const ready = trimmed !== '' && trimmed.length <= REASON_MAX && agreed
  const inForm = step.type === 'form'
  const busy = step.type === 'cancelling'
  const retry = step.type === 'confirming' && step.trouble?.type === 'unsure'
  return (
    <StepDialog
      open={open}
      onClose={onClose}
      busy={busy}
      at={inForm ? 1 : 2}
      title={inForm ? words.cancel.title : words.cancel.confirmTitle}
      description={inForm ? undefined : words.cancel.undone}
      finalFocus={() => (done.current ? false : null)}
      onClosed={() => {
        card()?.focus({ preventScroll: true })
        card()?.scrollIntoView({ block: 'center', inline: 'center' })
      }}
      field={field}
      footer={
        inForm ? (
          <>
            <Button tone="danger" disabled={!verdict.allowed || !ready} onClick={flow.confirm}>
              {verdict.allowed ? words.cancel.next : words.cancel.cannot}
            </Button>
            <Button onClick={onClose}>{words.close}</Button>
          </>
        ) : (
          <>
            <Button tone="danger" busy={busy} onClick={() => flow.cancel(reason)}>
              {busy ? words.cancel.cancelling : retry ? words.purchase.retry : words.cancel.confirm}
            </Button>
            <Button disabled={busy} onClick={flow.back}>
              {words.back}
            </Button>
          </>
        )
      }
    >
      {inForm ? (
        <FormStep
          ticket={ticket}
          event={event}
          verdict={verdict}
          reason={reason}
          agreed={agreed}
          onReason={setReason}
          onAgreed={setAgreed}
          field={field}
        />
      ) : (
        <ConfirmStep ticket={ticket} reason={trimmed} trouble={step.type === 'confirming' ? step.trouble : null} />
      )}
    </StepDialog>
  )
}

interface FormStepProps {
  ticket: Ticket
  event: GarbaEvent
  verdict: Cancellation
  reason: string
  agreed: boolean
  onReason: (reason: string) => void
  onAgreed: (agreed: boolean) => void
  field: RefObject<HTMLTextAreaElement | null>
}

const FormStep = (props: FormStepProps) => {
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
          <Line label={words.ticketId}>{last8(ticket.ticketId)}</Line>
          <Line label={ticketWords.holder}>{nameOn(ticket)}</Line>
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
            ref={props.field}
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

/** How the refund is worked out: price minus gateway minus platform. `price` in rupees. */
const RefundSum = ({ price }: { price: number }) => {
  const { cancel: words } = useWords()
  const { gatewayPaise, platformPaise, refundPaise } = refundOf(toPaise(price))
  const minus = (paise: number) => `− ${formatRupees(toRupees(paise))}`
  return (
    <Slip>
      <dl>
        <Line label={words.paid}>{formatRupees(price)}</Line>
        <Line label={words.gateway}>{minus(gatewayPaise)}</Line>
        <Line label={words.platform}>{minus(platformPaise)}</Line>
        <Line label={words.refund} strong>
          {formatRupees(toRupees(refundPaise))}
        </Line>
      </dl>
    </Slip>
  )
}

interface ConfirmStepProps {
  ticket: Ticket
  reason: string
  trouble: Trouble | null
}

const ConfirmStep = ({ ticket, reason, trouble }: ConfirmStepProps) => {
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

/** How far a cancellation has got. */
type Step = { type: 'form' } | { type: 'confirming'; trouble: Trouble | null } | { type: 'cancelling' }

interface CancelOptions {
  ticket: Ticket
  userId: string
  onCancelled: () => void
}

/** The cancel flow of SPEC 4: form, confirm, call; on success a toast, the dialog closes and data reloads. */
function useCancel({ ticket, userId, onCancelled }: CancelOptions) {
  const words = useWords()
  const client = useQueryClient()
  const [step, setStep] = useState<Step>({ type: 'form' })
  const [unsure, setUnsure] = useState(false)
  const mine = queries.myTickets(userId)

  const done = (cancelled: Ticket | null) => {
    if (cancelled !== null) replaceTicket(client, userId, cancelled)
    toast.success(words.toasts.cancelled)
    onCancelled()
    void client.invalidateQueries({ queryKey: mine.queryKey })
    void client.invalidateQueries({ queryKey: queries.event().queryKey })
  }

  /** An attempt that seemed lost had arrived: the refusal of the next one proves it. */
  const hadArrived = async (error: unknown): Promise<boolean> => {
    if (!isFailure(error) || error.code !== 'TICKET_NOT_ACTIVE' || !(unsure || error.repeated)) return false
    const { tickets } = await client.fetchQuery({ ...mine, staleTime: 0 })
    return tickets.some(({ _id, status }) => _id === ticket._id && status === 'cancelled')
  }

  const failed = async (error: unknown) => {
    if (await hadArrived(error).catch(() => false)) return done(null)
    const text = failureText(error, words)
    toast.error(words.toasts.cancel(text))
    if (isNetworkFailure(error)) setUnsure(true)
    else void client.invalidateQueries({ queryKey: mine.queryKey })
    setStep({
      type: 'confirming',
      trouble: isNetworkFailure(error) ? { type: 'unsure', text: words.cancel.unsure } : { type: 'refused', text },
    })
  }

  const cancel = async (reason: string) => {
    setStep({ type: 'cancelling' })
    try {
      const answer = await call('cancelTicket', { params: { id: ticket._id }, body: { reason: reason.trim() } })
      done(answer.ticket)
    } catch (error) {
      await failed(error)
    }
  }

  return {
    step,
    confirm: () => setStep({ type: 'confirming', trouble: null }),
    back: () => setStep({ type: 'form' }),
    cancel: (reason: string) => void cancel(reason),
  }
}
