import { MINUTE_MS, REASON_MAX } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { shortenTicketId } from '@garba/shared/messages/common'
import { type Cancellation, checkCancellation, computeRefund, fullRefund } from '@garba/shared/rules/cancellation'
import { formatRupees, toPaise, toRupees } from '@garba/shared/rules/money'
import { getHolderName } from '@garba/shared/rules/ticketStatus'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { toast } from 'sonner'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { Checkbox, countCharacters, TextArea } from '../../kit/Field.tsx'
import { Line, Slip } from '../../kit/Slip.tsx'
import { callServer } from '../../platform/http/call.ts'
import { isFailure } from '../../platform/http/failure.ts'
import { isUnsure } from '../../platform/http/unsure.ts'
import { queries } from '../../platform/queries.ts'
import { useServerNow } from '../../platform/screen/now.ts'
import { updateCachedTicket } from '../data/useGuestData.ts'
import { failureText } from '../failures.ts'
import { useFormat } from '../format.ts'
import { ticketCardId } from '../paths.ts'
import { StepDialog, type Trouble, TroubleBanner } from '../StepDialog.tsx'
import { useWords } from '../words.ts'
import styles from './CancelDialog.module.css'

interface CancelDialogProps {
  open: boolean
  ticket: Ticket
  others: readonly Ticket[]
  all: boolean
  event: GarbaEvent
  userId: string
  onClose: () => void
  onCancelled: (ids: readonly string[]) => void
}

const WHY_NOT = 'cancel-why-not'

export const CancelDialog = (props: CancelDialogProps) => {
  const { open, others, event, userId, onClose, onCancelled } = props
  const words = useWords()
  const { timeZone } = useFormat()
  const now = useServerNow(MINUTE_MS)
  const [reason, setReason] = useState('')
  const [agreed, setAgreed] = useState(false)
  const [also, setAlso] = useState<readonly string[]>(() => (props.all ? others.map(({ _id }) => _id) : []))
  const field = useRef<HTMLTextAreaElement>(null)
  const done = useRef(false)
  // The button that opened the dialog is gone, and the ticket has moved.
  const card = () => (done.current ? document.getElementById(ticketCardId(props.ticket._id)) : null)
  const { step, cancelled, ...flow } = useCancel({
    userId,
    onCancelled,
    onDone: () => {
      done.current = true
      onClose()
    },
  })
  const chosen = [props.ticket, ...others.filter(({ _id }) => also.includes(_id))]
  const left = chosen.filter(({ _id }) => !cancelled.includes(_id))
  // A ticket used or cancelled elsewhere must not block the rest.
  const active = left.filter(({ status }) => status === 'active')
  const tickets = active.length === 0 ? left : active
  const [ticket = props.ticket] = tickets
  const verdict = checkCancellation({ status: ticket.status, event, timeZone, now: new Date(now) })
  const inFull = verdict.allowed && verdict.inFull
  const trimmed = reason.trim()
  const ready = trimmed !== '' && countCharacters(trimmed) <= REASON_MAX && agreed
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
        flow.back()
        card()?.focus({ preventScroll: true })
        card()?.scrollIntoView({ block: 'center', inline: 'center' })
      }}
      field={field}
      footer={
        inForm ? (
          <>
            <Button
              tone="danger"
              disabled={!verdict.allowed || !ready}
              aria-describedby={verdict.allowed && ready ? undefined : WHY_NOT}
              onClick={flow.confirm}
            >
              {verdict.allowed ? words.cancel.next : words.cancel.cannot}
            </Button>
            <Button onClick={onClose}>{words.cancel.keep}</Button>
          </>
        ) : (
          <>
            <Button tone="danger" busy={busy} onClick={() => flow.cancel(tickets, reason)}>
              {busy ? words.cancel.cancelling : retry ? words.purchase.retry : words.cancel.confirmTitle}
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
          others={others.filter((other) => other !== ticket && !cancelled.includes(other._id))}
          also={also}
          onAlso={(ids) => setAlso([...ids, ticket._id])}
          tickets={tickets}
          event={event}
          verdict={verdict}
          reason={reason}
          agreed={agreed}
          onReason={setReason}
          onAgreed={setAgreed}
          field={field}
        />
      ) : (
        <ConfirmStep
          tickets={tickets}
          inFull={inFull}
          reason={trimmed}
          trouble={step.type === 'confirming' ? step.trouble : null}
        />
      )}
    </StepDialog>
  )
}

interface FormStepProps extends AlsoProps {
  ticket: Ticket
  tickets: readonly Ticket[]
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
  const { cancel: words, ticket: ticketWords, event: eventWords, failures } = useWords()
  const format = useFormat()
  const [wasLeft, setWasLeft] = useState(false)
  const trimmed = reason.trim()
  const error =
    countCharacters(trimmed) > REASON_MAX
      ? words.reasonTooLong
      : wasLeft && trimmed === ''
        ? words.reasonRequired
        : undefined
  return (
    <>
      {verdict.allowed ? (
        <section className="stack-2" aria-labelledby="refund-information">
          <h3 id="refund-information" className={styles.subtitle}>
            {words.refundTitle}
          </h3>
          <RefundSum tickets={props.tickets} inFull={props.verdict.allowed && props.verdict.inFull} />
          <p className="soft">{words.timing}</p>
        </section>
      ) : null}
      <Slip>
        <dl className={styles.facts}>
          <Line label={ticketWords.id}>{shortenTicketId(ticket.ticketId)}</Line>
          <Line label={ticketWords.holder}>{getHolderName(ticket)}</Line>
          <Line label={words.event}>{ticket.eventName}</Line>
          <Line label={eventWords.date}>{format.day(event.date)}</Line>
          <Line label={ticketWords.price}>{formatRupees(ticket.price)}</Line>
          <Line label={words.status}>{ticketWords.status[ticket.status]}</Line>
        </dl>
      </Slip>
      {verdict.allowed ? (
        <Banner tone="ok" live="status">
          <p>{verdict.inFull ? words.free : words.allowed(verdict.daysLeft)}</p>
        </Banner>
      ) : (
        <Banner tone="bad" live="status">
          <p id={WHY_NOT}>
            {verdict.why === 'CANCELLATION_CLOSED'
              ? failures.codes.CANCELLATION_CLOSED(verdict)
              : failures.codes[verdict.why]}
          </p>
        </Banner>
      )}
      {verdict.allowed ? (
        <>
          {props.others.length === 0 ? null : <Also others={props.others} also={props.also} onAlso={props.onAlso} />}
          <TextArea
            ref={props.field}
            label={words.reason}
            hint={words.reasonHint}
            error={error}
            required
            max={REASON_MAX}
            value={reason}
            onChange={({ target }) => onReason(target.value)}
            onBlur={() => setWasLeft(true)}
          />
          <Checkbox
            label={verdict.inFull ? words.agreeFree : words.agree}
            checked={agreed}
            onChange={({ target }) => onAgreed(target.checked)}
          />
          {trimmed !== '' && agreed ? null : (
            <p id={WHY_NOT} className="soft">
              {trimmed === '' ? words.needsReason : words.needsTick}
            </p>
          )}
        </>
      ) : null}
    </>
  )
}

interface AlsoProps {
  others: readonly Ticket[]
  also: readonly string[]
  onAlso: (also: readonly string[]) => void
}

/** More single buttons would be too many; all tickets can still be chosen at once. */
const SHOWN_SINGLY = 12

const Also = ({ others, also, onAlso }: AlsoProps) => {
  const { cancel: words } = useWords()
  const isAll = others.every(({ _id }) => also.includes(_id))
  return (
    <fieldset className={styles.also} aria-label={words.also}>
      <Button size="sm" aria-pressed={isAll} onClick={() => onAlso(isAll ? [] : others.map(({ _id }) => _id))}>
        {words.all(others.length + 1)}
      </Button>
      {others.length > SHOWN_SINGLY || others.length === 1
        ? null
        : others.map((other) => {
            const isChosen = also.includes(other._id)
            return (
              <Button
                key={other._id}
                size="sm"
                tone="ghost"
                aria-pressed={isChosen}
                onClick={() => onAlso(isChosen ? also.filter((id) => id !== other._id) : [...also, other._id])}
              >
                {words.alsoOne(getHolderName(other), shortenTicketId(other.ticketId))}
              </Button>
            )
          })}
    </fieldset>
  )
}

function useRefunds(tickets: readonly Ticket[], inFull: boolean) {
  const sums = { price: 0, gateway: 0, platform: 0, refund: 0 }
  for (const { price } of tickets) {
    const { gatewayPaise, platformPaise, refundPaise } = inFull
      ? fullRefund(toPaise(price))
      : computeRefund(toPaise(price))
    sums.price += toPaise(price)
    sums.gateway += gatewayPaise
    sums.platform += platformPaise
    sums.refund += refundPaise
  }
  return sums
}

const RefundSum = ({ tickets, inFull }: { tickets: readonly Ticket[]; inFull: boolean }) => {
  const { cancel: words, list } = useWords()
  const { price, gateway, platform, refund } = useRefunds(tickets, inFull)
  const rupees = (paise: number) => formatRupees(toRupees(paise))
  return (
    <Slip>
      <dl>
        <Line label={list.price}>{rupees(price)}</Line>
        {inFull ? null : (
          <>
            <Line label={words.gateway}>{rupees(-gateway)}</Line>
            <Line label={words.platform}>{rupees(-platform)}</Line>
          </>
        )}
        <Line label={words.refund} strong>
          {rupees(refund)}
        </Line>
      </dl>
    </Slip>
  )
}

interface ConfirmStepProps {
  tickets: readonly Ticket[]
  inFull: boolean
  reason: string
  trouble: Trouble | null
}

const ConfirmStep = ({ tickets, inFull, reason, trouble }: ConfirmStepProps) => {
  const words = useWords()
  const { cancel } = words
  const { refund } = useRefunds(tickets, inFull)
  return (
    <>
      <TroubleBanner trouble={trouble} refused={cancel.failed} />
      <Slip>
        <dl>
          <Line label={words.ticket.id}>{tickets.map(({ ticketId }) => shortenTicketId(ticketId)).join(', ')}</Line>
          <Line label={cancel.event}>{tickets[0]?.eventName}</Line>
          <Line label={cancel.refund}>{formatRupees(toRupees(refund))}</Line>
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

type Step = { type: 'form' } | { type: 'confirming'; trouble: Trouble | null } | { type: 'cancelling' }

interface CancelOptions {
  userId: string
  onCancelled: (ids: readonly string[]) => void
  onDone: () => void
}

/** Cancels the tickets one after the other; after a failure, the next attempt continues with the rest. */
function useCancel({ userId, onCancelled, onDone }: CancelOptions) {
  const words = useWords()
  const client = useQueryClient()
  const [step, setStep] = useState<Step>({ type: 'form' })
  const [unsure, setUnsure] = useState(false)
  const [cancelled, setCancelled] = useState<readonly string[]>([])
  const mine = queries.myTickets(userId)

  const reload = () => {
    void client.invalidateQueries({ queryKey: mine.queryKey })
    void client.invalidateQueries({ queryKey: queries.event().queryKey })
  }

  /** Whether an attempt that seemed lost had arrived, which the refusal of the next attempt proves. */
  const hadArrived = async (error: unknown, ticket: Ticket): Promise<boolean> => {
    if (!isFailure(error) || error.code !== 'TICKET_NOT_ACTIVE' || !(unsure || error.repeated)) return false
    const answer = await client.fetchQuery({ ...mine, staleTime: 0 })
    return answer.tickets.some(({ _id, status }) => _id === ticket._id && status === 'cancelled')
  }

  const failed = (error: unknown) => {
    const text = failureText(error, words)
    toast.error(words.toasts.cancel(text))
    const arrived = isUnsure(error)
    if (arrived) setUnsure(true)
    else void client.invalidateQueries({ queryKey: mine.queryKey })
    setStep({
      type: 'confirming',
      trouble: arrived ? { type: 'unsure', why: text, text: words.cancel.unsure } : { type: 'refused', text },
    })
  }

  const cancelOne = async (ticket: Ticket, reason: string) => {
    try {
      const answer = await callServer('cancelTicket', { params: { id: ticket._id }, body: { reason } })
      updateCachedTicket(client, userId, answer.ticket)
    } catch (error) {
      if (!(await hadArrived(error, ticket).catch(() => false))) throw error
    }
  }

  const cancel = async (tickets: readonly Ticket[], reason: string) => {
    setStep({ type: 'cancelling' })
    const ids: string[] = []
    try {
      for (const ticket of tickets) {
        await cancelOne(ticket, reason.trim())
        ids.push(ticket._id)
      }
    } catch (error) {
      setCancelled([...cancelled, ...ids])
      onCancelled(ids)
      return failed(error)
    }
    toast.success(words.toasts.cancelled)
    onCancelled(ids)
    onDone()
    reload()
  }

  return {
    step,
    cancelled,
    confirm: () => setStep({ type: 'confirming', trouble: null }),
    back: () => setStep({ type: 'form' }),
    cancel: (tickets: readonly Ticket[], reason: string) => void cancel(tickets, reason),
  }
}
