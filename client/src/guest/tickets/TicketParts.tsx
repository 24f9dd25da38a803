import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { shortenTicketId } from '@garba/shared/messages/common'
import { formatRupees } from '@garba/shared/rules/money'
import { getHolderName } from '@garba/shared/rules/ticketStatus'
import { pickShownType } from '@garba/shared/rules/types/ticketTypes'
import { CalendarDays, Clock, MapPin, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { StateChip } from '../../kit/Badge.tsx'
import { AnchorButton } from '../../kit/Button.tsx'
import { cx } from '../../kit/cx.ts'
import { Email } from '../../kit/Person.tsx'
import { Qr } from '../../kit/Qr.tsx'
import { Skeleton } from '../../kit/Skeleton.tsx'
import { useLanguage } from '../../platform/language.ts'
import { mapsLink } from '../../platform/mapsLink.ts'
import type { LoadState } from '../data/useGuestData.ts'
import { type EventDay, useFormat } from '../format.ts'
import { entryPassButtonId, entryPassPath } from '../paths.ts'
import { useWords } from '../words.ts'
import { isUnused, refundOfTicket } from './status.ts'
import styles from './TicketCard.module.css'
import stubStyles from './TicketParts.module.css'

/** `isOpener`: the entry pass gives the focus back to it. */
export const Code = ({ ticket, code, isOpener }: { ticket: Ticket; code: string; isOpener: boolean }) => {
  const { ticket: words, entryPass } = useWords()
  const id = shortenTicketId(ticket.ticketId)
  return (
    <Link
      id={isOpener ? entryPassButtonId(ticket.ticketId) : undefined}
      to={entryPassPath(ticket.ticketId)}
      className={stubStyles.code}
      aria-label={`${entryPass.title}, ${words.name(id)}`}
    >
      <Qr text={code} label={words.qrOf(id)} className={stubStyles.qr} />
    </Link>
  )
}

type EventTimes = Pick<GarbaEvent, 'date' | 'startTime' | 'endTime' | 'endsNextDay' | 'venue'>

export const When = ({ event, eventDay }: { event: LoadState<EventTimes | null>; eventDay: EventDay | null }) => {
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
        <CalendarDays />
        {eventDay === null ? format.day(date) : words[eventDay]}
      </li>
      <li>
        <Clock />
        {eventDay === null ? format.hours(event.value) : words.doors(format.time(startTime))}
      </li>
      <li>
        <MapPin />
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

/** A rubber stamp. Screen readers get the ticket's status instead. `fresh`: it has just been stamped. */
export const Stamp = ({ text, fresh = false }: { text: string; fresh?: boolean }) => (
  <svg
    viewBox="-60 -60 120 120"
    className={cx(stubStyles.stamp, stubStyles.stamping)}
    data-fresh={fresh || undefined}
    aria-hidden="true"
  >
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

export const SentNote = ({ ticket: { status, sent } }: { ticket: Pick<Ticket, 'status' | 'sent'> }) => {
  const { ticket: words } = useWords()
  return sent === undefined || status !== 'active' ? null : (
    <span className={stubStyles.sent}>
      <Send />
      {words.sent[sent]}
    </span>
  )
}

/** The ticket's type, where its holder can tell it from others. */
export const TypeName = ({ ticket: { type } }: { ticket: Pick<Ticket, 'type'> }) => {
  const name = pickShownType(
    type,
    useLanguage(({ language }) => language),
  )
  return name === null ? null : <span className={stubStyles.type}>{name}</span>
}

const Fact = ({ label, wide = false, children }: { label: string; wide?: boolean; children: ReactNode }) => (
  <div className={wide ? stubStyles.wide : undefined}>
    <dt className={stubStyles.label}>{label}</dt>
    <dd className={stubStyles.value}>{children}</dd>
  </div>
)

export const TicketFacts = ({ ticket }: { ticket: Ticket }) => {
  const { ticket: words } = useWords()
  const format = useFormat()
  return (
    <dl className={stubStyles.facts}>
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
          {ticket.refundAmount ? `${formatRupees(ticket.refundAmount)} ` : null}
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

export const TicketDetails = ({ ticket }: { ticket: Ticket }) => {
  const { ticket: words, user } = useWords()
  const format = useFormat()
  const { scannedBy, cancellationReason } = ticket
  return (
    <div className={stubStyles.details}>
      <dl className={stubStyles.facts}>
        <Fact label={words.holder} wide>
          {getHolderName(ticket)}
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
          <span className={stubStyles.full}>{ticket.ticketId}</span>
        </Fact>
      </dl>
      <p className="soft">{words.one}</p>
    </div>
  )
}
