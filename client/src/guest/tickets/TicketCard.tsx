import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { shortenTicketId } from '@garba/shared/messages/common'
import { getHolderName } from '@garba/shared/rules/ticketStatus'
import { CircleCheck, CircleX, Ticket as TicketIcon } from 'lucide-react'
import { useId, useState } from 'react'
import type { LoadState } from '../data/useGuestData.ts'
import type { EventDay } from '../format.ts'
import { ticketCardId } from '../paths.ts'
import { type GuestWords, useWords } from '../words.ts'
import { findTicketLook, isUnused, statusText } from './status.ts'
import { type ShownTicketParts, TicketActions, TicketTools } from './TicketActions.tsx'
import styles from './TicketCard.module.css'
import stubStyles from './TicketParts.module.css'
import { Code, SentNote, Stamp, TicketDetails, TicketFacts, TypeName, When } from './TicketParts.tsx'

const ICON = { active: TicketIcon, used: CircleCheck, cancelled: CircleX } as const

export interface TicketProps {
  ticket: Ticket
  event: LoadState<GarbaEvent | null>
  eventDay: EventDay | null
  over: boolean
  online: boolean
  justEntered: boolean
  level?: 3 | 4
  onCancel: (ticket: Ticket) => void
  onPrint: (ticket: Ticket) => void
}

export const wasUnused = ({ ticket, over }: Pick<TicketProps, 'ticket' | 'over'>): boolean =>
  isUnused(ticket) || (over && ticket.status === 'active')

/** The word on the stamp of a ticket without a code; null while the ticket has a code. */
export function findStampText(ticket: Ticket, words: GuestWords): string | null {
  if (ticket.qrCode !== null) return null
  if (ticket.status === 'used') return words.ticket.stampUsed
  return isUnused(ticket) ? words.list.past : words.ticket.stampCancelled
}

export const TicketCard = (props: TicketProps) => {
  const { ticket, event, eventDay, justEntered, level = 4 } = props
  const Heading = `h${level}` as const
  const words = useWords()
  const [opened, setOpened] = useState<ShownTicketParts>({ details: false, code: true })
  const headingId = useId()
  const { status } = ticket
  const look = findTicketLook(ticket)
  const Icon = ICON[look]
  const unused = wasUnused(props)
  const id = shortenTicketId(ticket.ticketId)
  const today = status === 'active' ? eventDay : null
  return (
    <article
      id={ticketCardId(ticket._id)}
      tabIndex={-1}
      className={styles.ticket}
      data-surface="paper"
      data-status={unused ? 'used' : look}
      data-today={today ?? undefined}
      aria-labelledby={headingId}
    >
      <div className={stubStyles.stub}>
        <header className={styles.band}>
          <Icon />
          {unused ? <span className={styles.status}>{words.ticket.past.unused}</span> : null}
          <span className={unused ? styles.says : styles.status}>
            {unused ? words.ticket.past.over : statusText(ticket, words.ticket)}
          </span>
        </header>
        {ticket.qrCode === null ? (
          <Stamp text={findStampText(ticket, words) ?? ''} fresh={justEntered} />
        ) : opened.code ? (
          <Code ticket={ticket} code={ticket.qrCode} isOpener />
        ) : (
          <div className={stubStyles.covered} aria-hidden="true" />
        )}
        <div className={stubStyles.whose}>
          <Heading id={headingId} className={stubStyles.holder}>
            {getHolderName(ticket)}
            <span className="spoken">, {words.ticket.name(id)}</span>
          </Heading>
          <p className={stubStyles.id}>
            <span className="spoken">{words.ticket.id} </span>
            {id}
          </p>
          <TypeName ticket={ticket} />
          <p className={stubStyles.admit}>{words.ticket.admit}</p>
          {unused ? null : <SentNote ticket={ticket} />}
        </div>
      </div>
      <div className={styles.main}>
        <div className={styles.body}>
          <PaperRings className={styles.rings} />
          <p className={styles.event}>{ticket.eventName}</p>
          <When event={event} eventDay={today} />
          <TicketFacts ticket={ticket} />
          {opened.details ? <TicketDetails ticket={ticket} /> : null}
          {opened.details ? <TicketTools {...props} opened={opened} onOpen={setOpened} /> : null}
        </div>
        <div className={styles.actions}>
          <TicketActions {...props} isOpen={opened.details} onOpen={(details) => setOpened({ ...opened, details })} />
        </div>
      </div>
    </article>
  )
}

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
