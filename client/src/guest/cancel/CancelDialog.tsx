import { REASON_MAX } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { cancellationOf } from '@garba/shared/rules/cancellation'
import { type RefObject, useRef, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { useNow } from '../../platform/screen/now.ts'
import { useFormat } from '../format.ts'
import { StepDialog } from '../StepDialog.tsx'
import { useWords } from '../words.ts'
import { ConfirmStep } from './ConfirmStep.tsx'
import { FormStep } from './FormStep.tsx'
import { useCancel } from './useCancel.ts'

interface CancelDialogProps {
  open: boolean
  ticket: Ticket
  event: GarbaEvent
  userId: string
  /** Takes the focus when the ticket was cancelled: the button that opened the dialog is gone by then. */
  heading: RefObject<HTMLElement | null>
  onClose: () => void
}

const MINUTE_MS = 60_000

/** SPEC 2 "Cancel ticket dialog": the rule and the reason, then what it means. */
export const CancelDialog = ({ open, ticket, event, userId, heading, onClose }: CancelDialogProps) => {
  const words = useWords()
  const { timeZone } = useFormat()
  const now = useNow(MINUTE_MS)
  const [reason, setReason] = useState('')
  const [agreed, setAgreed] = useState(false)
  const focusAfter = useRef<HTMLElement | null>(null)
  const { step, ...flow } = useCancel({
    ticket,
    userId,
    onCancelled: () => {
      focusAfter.current = heading.current
      onClose()
    },
  })
  const verdict = cancellationOf({ status: ticket.status, day: event.date, timeZone, now: new Date(now) })
  const trimmed = reason.trim()
  const ready = trimmed !== '' && trimmed.length <= REASON_MAX && agreed
  const inForm = step.at === 'form'
  const busy = step.at === 'cancelling'
  const retry = step.at === 'confirming' && step.trouble?.kind === 'unsure'
  return (
    <StepDialog
      open={open}
      onClose={onClose}
      busy={busy}
      at={inForm ? 1 : 2}
      title={inForm ? words.cancel.title : words.cancel.confirmTitle}
      description={inForm ? undefined : words.cancel.undone}
      finalFocus={focusAfter}
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
        />
      ) : (
        <ConfirmStep ticket={ticket} reason={trimmed} trouble={step.at === 'confirming' ? step.trouble : null} />
      )}
    </StepDialog>
  )
}
