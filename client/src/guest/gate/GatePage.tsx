import type { Ticket } from '@garba/shared/contracts/ticket'
import { last8 } from '@garba/shared/messages/common'
import { CircleCheck, CircleX } from 'lucide-react'
import { Qr } from '../tickets/Qr.tsx'
import { statusText } from '../tickets/status.ts'
import { useWords } from '../words.ts'
import styles from './GateView.module.css'

/** One ticket for the scanner's eye: the code, whose it is, and its last 8 characters to be typed if all else fails. */
export const GatePage = ({ ticket }: { ticket: Ticket }) => {
  const { ticket: words } = useWords()
  const id = last8(ticket.ticketId)
  return (
    <>
      <div className={styles.square}>
        {ticket.qrCode === null ? <Over ticket={ticket} /> : <Qr text={ticket.qrCode} label={words.qrOf(id)} />}
      </div>
      <div className={styles.whose}>
        <p className={styles.name}>{ticket.user.name}</p>
        <p className={styles.id}>{id}</p>
        <p className={styles.event}>{ticket.eventName}</p>
      </div>
    </>
  )
}

/** It was scanned, or cancelled, while it was shown. */
const Over = ({ ticket }: { ticket: Ticket }) => {
  const { ticket: words } = useWords()
  const Icon = ticket.status === 'used' ? CircleCheck : CircleX
  return (
    <div className={styles.over} data-status={ticket.status} role="status">
      <Icon aria-hidden="true" />
      <p>{statusText(ticket, words)}</p>
    </div>
  )
}
