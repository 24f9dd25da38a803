import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { last8 } from '@garba/shared/messages/common'
import { CalendarDays, CircleCheck, CircleX, Clock, MapPin, Ticket as TicketIcon } from 'lucide-react'
import { useId, useState } from 'react'
import { VisuallyHidden } from '../../kit/VisuallyHidden.tsx'
import { useFormat } from '../format.ts'
import { useWords } from '../words.ts'
import { CardActions } from './CardActions.tsx'
import { PaperRings } from './PaperRings.tsx'
import { QrStub } from './QrStub.tsx'
import { StampStub } from './StampStub.tsx'
import { statusText } from './status.ts'
import styles from './TicketCard.module.css'
import { TicketDetails } from './TicketDetails.tsx'
import { TicketFacts } from './TicketFacts.tsx'

const ICON = { active: TicketIcon, used: CircleCheck, cancelled: CircleX } as const

interface TicketCardProps {
  ticket: Ticket
  event: GarbaEvent | null
  online: boolean
  onCancel: (ticket: Ticket) => void
  onPrint: (ticket: Ticket) => void
}

/** One paper ticket (LOOK "Ticket"): what it is on the left, what is shown at the gate on the stub. */
export const TicketCard = ({ ticket, event, online, onCancel, onPrint }: TicketCardProps) => {
  const words = useWords()
  const format = useFormat()
  const [open, setOpen] = useState(false)
  const detailsId = useId()
  const headingId = useId()
  const Icon = ICON[ticket.status]
  const { status } = ticket
  return (
    <article className={styles.ticket} data-surface="paper" data-status={status} aria-labelledby={headingId}>
      <div className={styles.main}>
        <header className={styles.band}>
          <Icon aria-hidden="true" />
          <span className={styles.status}>{words.ticket.status[status]}</span>
          <span className={styles.says}>{statusText(ticket, words.ticket)}</span>
        </header>
        <div className={styles.body}>
          <PaperRings className={styles.rings} />
          <h4 id={headingId} className={styles.event}>
            {ticket.eventName}
            <VisuallyHidden>, {words.ticket.name(last8(ticket.ticketId))}</VisuallyHidden>
          </h4>
          {event === null ? null : (
            <ul className={styles.when}>
              <li>
                <CalendarDays aria-hidden="true" />
                {format.day(event.date)}
              </li>
              <li>
                <Clock aria-hidden="true" />
                {format.hours(event)}
              </li>
              <li>
                <MapPin aria-hidden="true" />
                {event.venue}
              </li>
            </ul>
          )}
          <div className={styles.facts}>
            <TicketFacts ticket={ticket} />
          </div>
          {open ? <TicketDetails id={detailsId} ticket={ticket} /> : null}
        </div>
        <CardActions
          ticket={ticket}
          online={online}
          eventKnown={event !== null}
          details={{ id: detailsId, open, toggle: () => setOpen(!open) }}
          onCancel={() => onCancel(ticket)}
          onPrint={() => onPrint(ticket)}
        />
      </div>
      {ticket.qrCode === null ? <StampStub ticket={ticket} /> : <QrStub ticket={ticket} code={ticket.qrCode} />}
    </article>
  )
}
