import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { last8 } from '@garba/shared/messages/common'
import { nameOn } from '@garba/shared/rules/ticketStatus'
import { CircleCheck, CircleX, Ticket as TicketIcon } from 'lucide-react'
import { useId, useState } from 'react'
import type { Known } from '../data/useGuestData.ts'
import type { EventDay } from '../format.ts'
import { ticketCardId } from '../paths.ts'
import { type GuestWords, useWords } from '../words.ts'
import stubStyles from './Stub.module.css'
import { isUnused, statusText } from './status.ts'
import { type Opened, TicketActions } from './TicketActions.tsx'
import styles from './TicketCard.module.css'
import { Code, Stamp, TicketDetails, TicketFacts, When } from './TicketParts.tsx'

const ICON = { active: TicketIcon, used: CircleCheck, cancelled: CircleX } as const

export interface TicketProps {
  ticket: Ticket
  event: Known<GarbaEvent | null>
  /** null unless the event is today. */
  eventDay: EventDay | null
  /** Whether its event has ended, though the server may not have closed it. */
  over: boolean
  online: boolean
  /** Whether the gate has let its holder in while this page was open. */
  justEntered: boolean
  /** The heading's level on this page. */
  level?: 3 | 4
  onCancel: (ticket: Ticket) => void
  onPrint: (ticket: Ticket) => void
}

/** Whether a ticket's event has ended and nobody came with it. */
export const wasUnused = ({ ticket, over }: Pick<TicketProps, 'ticket' | 'over'>): boolean =>
  isUnused(ticket) || (over && ticket.status === 'active')

/** The word on the stamp of a ticket without a code; null while it has one. */
export function stampOf(ticket: Ticket, words: GuestWords): string | null {
  if (ticket.qrCode !== null) return null
  if (ticket.status === 'used') return words.ticket.stampUsed
  return isUnused(ticket) ? words.list.past : words.ticket.stampCancelled
}

/** A single ticket on paper: first the stub with code and holder, then the facts, then the actions. */
export const TicketCard = (props: TicketProps) => {
  const { ticket, event, eventDay, justEntered, level = 4 } = props
  const Heading = `h${level}` as const
  const words = useWords()
  const [opened, setOpened] = useState<Opened>({ details: false, code: true })
  const headingId = useId()
  const Icon = ICON[ticket.status]
  const { status } = ticket
  const unused = wasUnused(props)
  const id = last8(ticket.ticketId)
  const today = status === 'active' ? eventDay : null
  return (
    <article
      id={ticketCardId(ticket._id)}
      tabIndex={-1}
      className={styles.ticket}
      data-surface="paper"
      data-status={unused ? 'used' : status}
      data-today={today ?? undefined}
      aria-labelledby={headingId}
    >
      <div className={stubStyles.stub}>
        <header className={styles.band}>
          <Icon aria-hidden="true" />
          {unused ? <span className={styles.status}>{words.ticket.past.unused}</span> : null}
          <span className={unused ? styles.says : styles.status}>
            {unused ? words.ticket.past.over : statusText(ticket, words.ticket)}
          </span>
        </header>
        {ticket.qrCode === null ? (
          <Stamp text={stampOf(ticket, words) ?? ''} fresh={justEntered} />
        ) : opened.code ? (
          <Code ticket={ticket} code={ticket.qrCode} isOpener />
        ) : (
          <div className={stubStyles.covered} aria-hidden="true" />
        )}
        <div className={stubStyles.whose}>
          <Heading id={headingId} className={stubStyles.holder}>
            {nameOn(ticket)}
            <span className="spoken">, {words.ticket.name(id)}</span>
          </Heading>
          <p className={stubStyles.id}>
            <span className="spoken">{words.ticket.id} </span>
            {id}
          </p>
          <p className={stubStyles.admit}>{words.ticket.admit}</p>
        </div>
      </div>
      <div className={styles.main}>
        <div className={styles.body}>
          <PaperRings className={styles.rings} />
          <p className={styles.event}>{ticket.eventName}</p>
          <When event={event} eventDay={today} />
          <TicketFacts ticket={ticket} />
          {opened.details ? <TicketDetails ticket={ticket} /> : null}
        </div>
        <div className={styles.actions}>
          <TicketActions {...props} opened={opened} onOpen={setOpened} />
        </div>
      </div>
    </article>
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
