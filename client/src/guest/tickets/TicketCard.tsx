import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { last8 } from '@garba/shared/messages/common'
import {
  Ban,
  CalendarDays,
  ChevronDown,
  CircleCheck,
  CircleX,
  Clock,
  Copy,
  MapPin,
  Printer,
  Ticket as TicketIcon,
} from 'lucide-react'
import { useId, useState } from 'react'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { VisuallyHidden } from '../../kit/VisuallyHidden.tsx'
import { OFFLINE_NOTE } from '../data/DataAge.tsx'
import { useFormat } from '../format.ts'
import { useWords } from '../words.ts'
import { QrStub } from './QrStub.tsx'
import stubStyles from './Stub.module.css'
import { statusText } from './status.ts'
import styles from './TicketCard.module.css'
import facts from './TicketFacts.module.css'
import { Fact, TicketFacts } from './TicketFacts.tsx'

const ICON = { active: TicketIcon, used: CircleCheck, cancelled: CircleX } as const

interface TicketCardProps {
  ticket: Ticket
  event: GarbaEvent | null
  online: boolean
  onCancel: (ticket: Ticket) => void
  onPrint: (ticket: Ticket) => void
}

/** One paper ticket (LOOK 2): its details on the left, the code for the gate on the stub. */
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

interface CardActionsProps {
  ticket: Ticket
  online: boolean
  /** The cancellation rule counts from the event's day, so it needs the event. */
  eventKnown: boolean
  details: { id: string; open: boolean; toggle: () => void }
  onCancel: () => void
  onPrint: () => void
}

/** Only active tickets can be cancelled, and only online (SPEC 2, DECISIONS 4). */
const CardActions = ({ ticket, online, eventKnown, details, onCancel, onPrint }: CardActionsProps) => {
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

/** The lamp's rings as a watermark in the paper: decoration, in the kumkum red of old wedding prints. */
const PaperRings = ({ className }: { className?: string | undefined }) => (
  <svg viewBox="-100 -100 200 200" className={className} aria-hidden="true">
    {RINGS.map(({ radius, holes, size }) => (
      <circle key={radius} r={radius} pathLength={holes} strokeWidth={size} />
    ))}
  </svg>
)

const RINGS = [
  { radius: 22, holes: 16, size: 5 },
  { radius: 34, holes: 24, size: 4 },
  { radius: 47, holes: 30, size: 7 },
  { radius: 60, holes: 48, size: 3 },
  { radius: 74, holes: 40, size: 8 },
  { radius: 90, holes: 72, size: 3.5 },
] as const

/** A used or cancelled ticket has a rubber stamp instead of its code. Screen readers get the text from the status band. */
const StampStub = ({ ticket }: { ticket: Ticket }) => {
  const { ticket: words } = useWords()
  return (
    <div className={stubStyles.stub} data-stamped>
      <svg viewBox="-60 -60 120 120" className={stubStyles.stamp} aria-hidden="true">
        <circle r="56" pathLength="72" className={stubStyles.dots} />
        <circle r="50" className={stubStyles.ring} />
        <circle r="33" className={stubStyles.ring} />
        <circle r="41.5" pathLength="36" className={stubStyles.dots} />
        <rect x="-58" y="-16" width="116" height="32" rx="4" className={stubStyles.plate} />
        <text textAnchor="middle" y="6">
          {ticket.status === 'used' ? words.stampUsed : words.stampCancelled}
        </text>
      </svg>
    </div>
  )
}

/** Everything else about a ticket, shown on request. */
const TicketDetails = ({ id, ticket }: { id: string; ticket: Ticket }) => {
  const { ticket: words, user } = useWords()
  const format = useFormat()
  const { scannedBy, cancellationReason } = ticket
  return (
    <div id={id} className={styles.details}>
      <dl className={facts.facts}>
        <Fact label={words.holder}>{ticket.user.name}</Fact>
        <Fact label={user.email}>{ticket.user.email}</Fact>
        {scannedBy === null ? null : <Fact label={words.admittedBy}>{scannedBy.name}</Fact>}
        {cancellationReason === null ? null : (
          <Fact label={words.reason} wide>
            {cancellationReason}
          </Fact>
        )}
        <Fact label={words.updated}>
          <time dateTime={ticket.updatedAt}>{format.moment(ticket.updatedAt)}</time>
        </Fact>
        <Fact label={words.fullId} wide>
          <span className={styles.full}>{ticket.ticketId}</span>
        </Fact>
      </dl>
      <p className={styles.small}>{words.one}</p>
    </div>
  )
}
