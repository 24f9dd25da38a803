import type { Ticket } from '@garba/shared/contracts/ticket'
import { Ban, ChevronDown, Copy, Download, Eye, EyeOff, Printer } from 'lucide-react'
import { lazy } from 'react'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { saveFile } from '../../platform/saveFile.ts'
import { OFFLINE_NOTE } from '../data/DataAge.tsx'
import { NameButton } from '../NameButton.tsx'
import { useWords } from '../words.ts'
import styles from './CardActions.module.css'
import { pictureOf } from './picture.ts'

interface CardActionsProps {
  ticket: Ticket
  online: boolean
  /** The cancellation rule counts from the event's day, so it needs the event. */
  eventKnown: boolean
  details: { id: string; open: boolean; toggle: () => void }
  code: { shown: boolean; toggle: () => void }
  onCancel: () => void
  onPrint: () => void
}

/** What can be done with a ticket (SPEC 2). Only active tickets can be cancelled, and only online. */
export const CardActions = ({ ticket, online, eventKnown, details, code, onCancel, onPrint }: CardActionsProps) => {
  const { ticket: words, holder } = useWords()
  const { copy, download } = useTicketFiles(ticket)
  const mayChange = ticket.status === 'active' && !ticket.isPast
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
      {ticket.qrCode === null ? null : (
        <Button
          size="sm"
          tone="ghost"
          icon={code.shown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
          onClick={code.toggle}
        >
          {code.shown ? words.hideQr : words.showQr}
        </Button>
      )}
      {ticket.qrCode === null || !code.shown ? null : (
        <Button size="sm" tone="ghost" icon={<Download aria-hidden="true" />} onClick={() => void download()}>
          {words.download}
        </Button>
      )}
      <Button size="sm" tone="ghost" icon={<Copy aria-hidden="true" />} onClick={() => void copy()}>
        {words.copyId}
      </Button>
      {ticket.isPast ? null : (
        <Button size="sm" tone="ghost" icon={<Printer aria-hidden="true" />} onClick={onPrint}>
          {words.print}
        </Button>
      )}
      {mayChange ? (
        <NameButton label={holder.action} online={online}>
          {(dialog) => <TicketNameDialog ticket={ticket} {...dialog} />}
        </NameButton>
      ) : null}
      {mayChange ? (
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

// After the tickets: it is opened seldom.
const TicketNameDialog = lazy(async () => ({ default: (await import('./TicketNameDialog.tsx')).TicketNameDialog }))

/** Copies a ticket's id, and saves its code as a picture, with a toast for the outcome (SPEC 8). */
function useTicketFiles(ticket: Ticket): { copy: () => Promise<void>; download: () => Promise<void> } {
  const { toasts } = useWords()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(ticket.ticketId)
      toast.success(toasts.idCopied)
    } catch (error) {
      console.warn('No clipboard', error)
      toast.error(toasts.notCopied)
    }
  }
  const download = async () => {
    try {
      const picture = await pictureOf(ticket)
      saveFile(picture, picture.name)
      toast.success(toasts.qrDownloaded)
    } catch (error) {
      console.error('The QR code could not be saved', error)
      toast.error(toasts.notDownloaded)
    }
  }
  return { copy, download }
}
