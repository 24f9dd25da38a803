import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { last8 } from '@garba/shared/messages/common'
import { formatRupees } from '@garba/shared/rules/money'
import { nameOn } from '@garba/shared/rules/ticketStatus'
import {
  Ban,
  CalendarDays,
  ChevronDown,
  CircleCheck,
  CircleX,
  Clock,
  Copy,
  Download,
  Eye,
  EyeOff,
  MapPin,
  Maximize,
  Printer,
  Ticket as TicketIcon,
} from 'lucide-react'
import { lazy, type ReactNode, useId, useState } from 'react'
import { Link } from 'react-router'
import { toast } from 'sonner'
import { StateChip } from '../../kit/Badge.tsx'
import { AnchorButton, Button } from '../../kit/Button.tsx'
import { Email } from '../../kit/Email.tsx'
import { Qr } from '../../kit/Qr.tsx'
import { Skeleton } from '../../kit/Skeleton.tsx'
import { VisuallyHidden } from '../../kit/VisuallyHidden.tsx'
import { mapsLink } from '../../platform/mapsLink.ts'
import { saveFile } from '../../platform/share.ts'
import { OFFLINE_NOTE } from '../data/DataAge.tsx'
import type { Known } from '../data/useGuestData.ts'
import { type EventDay, useFormat } from '../format.ts'
import { NameButton } from '../NameButton.tsx'
import { entryPassButtonId, entryPassPath, ticketCardId } from '../paths.ts'
import { TicketLinks } from '../wallet/TicketLinks.tsx'
import { type GuestWords, useWords } from '../words.ts'
import cardActionsStyles from './CardActions.module.css'
import { pictureOf } from './picture.ts'
import stubStyles from './Stub.module.css'
import { isUnused, refundOfTicket, statusText } from './status.ts'
import styles from './TicketCard.module.css'
import ticketFactsStyles from './TicketFacts.module.css'

const ICON = { active: TicketIcon, used: CircleCheck, cancelled: CircleX } as const

export interface TicketCardProps {
  ticket: Ticket
  event: Known<GarbaEvent | null>
  /** null unless the event is today. */
  eventDay: EventDay | null
  /** Its event has ended, though the server may not have closed it. */
  over: boolean
  online: boolean
  /** The heading's level on this page. */
  level?: 3 | 4
  onCancel: (ticket: Ticket) => void
  onPrint: (ticket: Ticket) => void
}

/** A paper ticket: first the stub with code and holder, then the facts, then the actions. */
export const TicketCard = (props: TicketCardProps) => {
  const { ticket, event, eventDay, over, online, level = 4, onCancel, onPrint } = props
  const words = useWords()
  const [open, setOpen] = useState(false)
  const [codeShown, setCodeShown] = useState(true)
  const detailsId = useId()
  const headingId = useId()
  const Icon = ICON[ticket.status]
  const Heading = `h${level}` as const
  const { status } = ticket
  const unused = isUnused(ticket) || (over && status === 'active')
  const id = last8(ticket.ticketId)
  return (
    <article
      id={ticketCardId(ticket._id)}
      tabIndex={-1}
      className={styles.ticket}
      data-surface="paper"
      data-status={unused ? 'used' : status}
      aria-labelledby={headingId}
    >
      <div className={stubStyles.stub}>
        <header className={styles.band}>
          <Icon aria-hidden="true" />
          <span className={styles.status}>{unused ? words.ticket.past.unused : words.ticket.status[status]}</span>
          <span className={styles.says}>{unused ? words.ticket.past.over : statusText(ticket, words.ticket)}</span>
        </header>
        {ticket.qrCode === null ? (
          <Stamp text={stampOf(ticket, words)} />
        ) : codeShown ? (
          <Code ticket={ticket} code={ticket.qrCode} />
        ) : (
          <div className={stubStyles.covered} aria-hidden="true" />
        )}
        <div className={stubStyles.whose}>
          <Heading id={headingId} className={stubStyles.holder}>
            {nameOn(ticket)}
            <VisuallyHidden>, {words.ticket.name(id)}</VisuallyHidden>
          </Heading>
          <p className={stubStyles.id}>
            <VisuallyHidden>{words.ticket.id} </VisuallyHidden>
            {id}
          </p>
          <p className={stubStyles.admit}>{words.ticket.admit}</p>
        </div>
      </div>
      <div className={styles.main}>
        <div className={styles.body}>
          <PaperRings className={styles.rings} />
          <p className={styles.event}>{ticket.eventName}</p>
          <When event={event} eventDay={status === 'active' ? eventDay : null} />
          <TicketFacts ticket={ticket} />
          {open ? <TicketDetails id={detailsId} ticket={ticket} /> : null}
        </div>
        <CardActions
          ticket={ticket}
          online={online}
          eventKnown={event.type === 'known' && event.value !== null}
          details={{ id: detailsId, open, toggle: () => setOpen(!open) }}
          code={{ shown: codeShown, toggle: () => setCodeShown(!codeShown) }}
          onCancel={() => onCancel(ticket)}
          onPrint={() => onPrint(ticket)}
        />
      </div>
    </article>
  )
}

/** The code opens the entry pass when pressed. Only active tickets have one (SPEC 2). */
const Code = ({ ticket, code }: { ticket: Ticket; code: string }) => {
  const { ticket: words, list } = useWords()
  const id = last8(ticket.ticketId)
  return (
    <Link
      id={entryPassButtonId(ticket.ticketId)}
      to={entryPassPath(ticket.ticketId)}
      className={stubStyles.code}
      aria-label={`${list.showAtGate}, ${words.name(id)}`}
    >
      <Qr text={code} label={words.qrOf(id)} className={stubStyles.qr} />
      <span className={stubStyles.enlarge}>
        <Maximize aria-hidden="true" />
        {list.showAtGate}
      </span>
    </Link>
  )
}

/** Shows date, hours and venue; on the day itself, the doors and the way there. */
const When = ({ event, eventDay }: Pick<TicketCardProps, 'event' | 'eventDay'>) => {
  const { ticket: words } = useWords()
  const format = useFormat()
  if (event.type === 'loading')
    return (
      <div className={styles.when} aria-hidden="true">
        {[1, 2, 3].map((line) => (
          <Skeleton key={line} height={26} width="80%" />
        ))}
      </div>
    )
  if (event.type === 'failed' || event.value === null) return null
  const { date, venue, startTime } = event.value
  return (
    <ul className={styles.when} data-today={eventDay ?? undefined}>
      <li>
        <CalendarDays aria-hidden="true" />
        {eventDay === null ? format.day(date) : words[eventDay]}
      </li>
      <li>
        <Clock aria-hidden="true" />
        {eventDay === null ? format.hours(event.value) : words.doors(format.time(startTime))}
      </li>
      <li>
        <MapPin aria-hidden="true" />
        <span>{venue}</span>
        {eventDay === null ? null : (
          <AnchorButton
            size="sm"
            href={mapsLink(venue, navigator.userAgent)}
            target="_blank"
            rel="noopener noreferrer"
            className={styles.map}
          >
            {words.openMap}
          </AnchorButton>
        )}
      </li>
    </ul>
  )
}

/** The lamp's rings are a decorative watermark, in the kumkum red of old wedding prints. */
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

const stampOf = (ticket: Ticket, words: GuestWords): string => {
  if (ticket.status === 'used') return words.ticket.stampUsed
  return isUnused(ticket) ? words.list.past : words.ticket.stampCancelled
}

/**
 * A used or cancelled ticket has a rubber stamp instead of its code. Screen readers get the text from the status band.
 */
const Stamp = ({ text }: { text: string }) => (
  <svg viewBox="-60 -60 120 120" className={stubStyles.stamp} aria-hidden="true">
    <circle r="56" pathLength="72" className={stubStyles.dots} />
    <circle r="50" className={stubStyles.ring} />
    <circle r="33" className={stubStyles.ring} />
    <circle r="41.5" pathLength="36" className={stubStyles.dots} />
    <rect x="-58" y="-16" width="116" height="32" rx="4" className={stubStyles.plate} />
    <text textAnchor="middle" y="6">
      {text}
    </text>
  </svg>
)

const Fact = ({ label, wide = false, children }: { label: string; wide?: boolean; children: ReactNode }) => (
  <div className={wide ? ticketFactsStyles.wide : undefined}>
    <dt className={ticketFactsStyles.label}>{label}</dt>
    <dd className={ticketFactsStyles.value}>{children}</dd>
  </div>
)

/** The facts of a ticket that are always visible (SPEC 2): price, purchase date, and its entry or cancellation. */
const TicketFacts = ({ ticket }: { ticket: Ticket }) => {
  const { ticket: words } = useWords()
  const format = useFormat()
  return (
    <dl className={ticketFactsStyles.facts}>
      <Fact label={words.price}>{formatRupees(ticket.price)}</Fact>
      <Fact label={words.purchased}>
        <time dateTime={ticket.createdAt}>{format.moment(ticket.createdAt)}</time>
      </Fact>
      <Outcome ticket={ticket} />
    </dl>
  )
}

const Outcome = ({ ticket }: { ticket: Ticket }) => {
  const { ticket: words } = useWords()
  const format = useFormat()
  const { status, entryTime, cancelledAt } = ticket
  const open = isUnused(ticket) ? words.past.unused : words.entryOpen
  if (status === 'cancelled') {
    const { tone, word } = refundOfTicket(ticket, words)
    return (
      <>
        <Fact label={words.cancelledAt}>
          {cancelledAt === null ? '-' : <time dateTime={cancelledAt}>{format.moment(cancelledAt)}</time>}
        </Fact>
        <Fact label={words.refund}>
          <StateChip state={tone}>{word}</StateChip>
        </Fact>
      </>
    )
  }
  return (
    <Fact label={status === 'used' ? words.enteredAt : words.entry}>
      {entryTime === null ? open : <time dateTime={entryTime}>{format.moment(entryTime)}</time>}
    </Fact>
  )
}

/** Everything else about a ticket, shown on request. */
const TicketDetails = ({ id, ticket }: { id: string; ticket: Ticket }) => {
  const { ticket: words, user } = useWords()
  const format = useFormat()
  const { scannedBy, cancellationReason } = ticket
  return (
    <div id={id} className={ticketFactsStyles.details}>
      <dl className={ticketFactsStyles.facts}>
        <Fact label={words.holder} wide>
          {nameOn(ticket)}
        </Fact>
        <Fact label={words.updated}>
          <time dateTime={ticket.updatedAt}>{format.moment(ticket.updatedAt)}</time>
        </Fact>
        {scannedBy === null ? null : <Fact label={words.admittedBy}>{scannedBy.name}</Fact>}
        <Fact label={user.email} wide>
          <Email address={ticket.user.email} />
        </Fact>
        {cancellationReason === null ? null : (
          <Fact label={words.reason} wide>
            {cancellationReason}
          </Fact>
        )}
        <Fact label={words.fullId} wide>
          <span className={ticketFactsStyles.full}>{ticket.ticketId}</span>
        </Fact>
      </dl>
      <p className={ticketFactsStyles.small}>{words.one}</p>
    </div>
  )
}

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

/** A ticket's actions (SPEC 2). Only active tickets can be cancelled, and only online. */
const CardActions = ({ ticket, online, eventKnown, details, code, onCancel, onPrint }: CardActionsProps) => {
  const { ticket: words, holder } = useWords()
  const { copy, download } = useTicketFiles(ticket)
  const mayChange = ticket.status === 'active' && !ticket.isPast
  return (
    <div className={cardActionsStyles.actions}>
      <Button
        size="sm"
        tone="ghost"
        icon={
          <ChevronDown
            aria-hidden="true"
            className={details.open ? cardActionsStyles.open : cardActionsStyles.closed}
          />
        }
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
      {mayChange ? <TicketLinks ticket={ticket} online={online} /> : null}
      {mayChange ? (
        <NameButton label={holder.action} online={online}>
          {(dialog) => <TicketNameDialog ticket={ticket} {...dialog} />}
        </NameButton>
      ) : null}
      {mayChange ? (
        <Button
          size="sm"
          tone="ghost"
          className={cardActionsStyles.cancel}
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

// The dialog is loaded after the tickets, because it is rarely opened.
const TicketNameDialog = lazy(async () => ({ default: (await import('./TicketNameDialog.tsx')).TicketNameDialog }))

/** Copies a ticket's id, or saves its code as a picture, and shows a toast for the outcome (SPEC 8). */
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
