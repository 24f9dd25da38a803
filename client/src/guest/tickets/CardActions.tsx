import type { Ticket } from '@garba/shared/contracts/ticket'
import { Ban, ChevronDown, Copy, Printer } from 'lucide-react'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { OFFLINE_NOTE } from '../dashboard/DataAge.tsx'
import { useWords } from '../words.ts'
import styles from './CardActions.module.css'

interface CardActionsProps {
  ticket: Ticket
  online: boolean
  /** The rule of cancelling counts from the event's day: without it there is nothing to decide by. */
  eventKnown: boolean
  details: { id: string; open: boolean; toggle: () => void }
  onCancel: () => void
  onPrint: () => void
}

/** Only active tickets can be cancelled, and only with the server to hear of it (SPEC 2, DECISIONS 4). */
export const CardActions = ({ ticket, online, eventKnown, details, onCancel, onPrint }: CardActionsProps) => {
  const { ticket: words, toasts } = useWords()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(ticket.ticketId)
      toast.success(toasts.idCopied)
    } catch (error) {
      console.warn('No clipboard', error)
      toast.error(toasts.notCopied)
    }
  }
  return (
    <div className={styles.actions}>
      <Button
        size="sm"
        tone="ghost"
        icon={<ChevronDown aria-hidden="true" className={details.open ? styles.open : styles.closed} />}
        aria-expanded={details.open}
        aria-controls={details.open ? details.id : undefined}
        onClick={details.toggle}
      >
        {details.open ? words.hideDetails : words.details}
      </Button>
      <Button size="sm" tone="ghost" icon={<Copy aria-hidden="true" />} onClick={() => void copy()}>
        {words.copyId}
      </Button>
      <Button size="sm" tone="ghost" icon={<Printer aria-hidden="true" />} onClick={onPrint}>
        {words.print}
      </Button>
      {ticket.status === 'active' ? (
        <Button
          size="sm"
          tone="ghost"
          className={styles.cancel}
          icon={<Ban aria-hidden="true" />}
          disabled={!online || !eventKnown}
          aria-describedby={online ? undefined : OFFLINE_NOTE}
          onClick={onCancel}
        >
          {words.cancel}
        </Button>
      ) : null}
    </div>
  )
}
