import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { last8 } from '@garba/shared/messages/common'
import { formatRupees } from '@garba/shared/rules/money'
import { createPortal } from 'react-dom'
import { useFormat } from '../format.ts'
import { useWords } from '../words.ts'
import styles from './PrintSheet.module.css'
import { Qr } from './Qr.tsx'
import { statusText } from './status.ts'
import { usePrinting } from './usePrinting.ts'

interface PrintSheetProps {
  /** In their order, one to a page. None: the page prints as it is. */
  tickets: readonly Ticket[]
  event: GarbaEvent | null
}

/** What comes out of the printer: one clean ticket to a page, and nothing of the screen. */
export const PrintSheet = ({ tickets, event }: PrintSheetProps) => {
  const printing = usePrinting()
  if (!printing || tickets.length === 0) return null
  return createPortal(
    <div className={styles.sheets} data-surface="paper">
      {tickets.map((ticket) => (
        <PrintedTicket key={ticket._id} ticket={ticket} event={event} />
      ))}
    </div>,
    document.body,
  )
}

const PrintedTicket = ({ ticket, event }: { ticket: Ticket; event: GarbaEvent | null }) => {
  const { ticket: words } = useWords()
  const format = useFormat()
  return (
    <article className={styles.sheet}>
      <header className={styles.head}>
        <h1 className={styles.event}>{ticket.eventName}</h1>
        {event === null ? null : (
          <p>
            {format.day(event.date)}, {format.hours(event)}
            <br />
            {event.venue}
          </p>
        )}
      </header>
      {ticket.qrCode === null ? null : (
        <Qr text={ticket.qrCode} label={words.qrOf(last8(ticket.ticketId))} className={styles.qr} />
      )}
      <p className={styles.name}>{ticket.user.name}</p>
      <p className={styles.id}>{last8(ticket.ticketId)}</p>
      <dl className={styles.facts}>
        <div>
          <dt>{words.admit}</dt>
          <dd>{statusText(ticket, words)}</dd>
        </div>
        <div>
          <dt>{words.price}</dt>
          <dd>{formatRupees(ticket.price)}</dd>
        </div>
        <div>
          <dt>{words.purchased}</dt>
          <dd>{format.moment(ticket.createdAt)}</dd>
        </div>
        <div>
          <dt>{words.fullId}</dt>
          <dd>{ticket.ticketId}</dd>
        </div>
      </dl>
      <p className={styles.small}>{words.one}</p>
    </article>
  )
}
