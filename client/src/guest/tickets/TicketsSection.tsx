import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { TicketStatus } from '@garba/shared/contracts/names'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { last8 } from '@garba/shared/messages/common'
import { formatRupees } from '@garba/shared/rules/money'
import { nameOn } from '@garba/shared/rules/ticketStatus'
import { useQueryClient } from '@tanstack/react-query'
import { Maximize, RotateCw, SearchCheck, Ticket as TicketIcon } from 'lucide-react'
import { type ReactNode, type RefObject, useState } from 'react'
import { StateChip } from '../../kit/Badge.tsx'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { EmptyState, ErrorPanel } from '../../kit/ErrorPanel.tsx'
import { Qr } from '../../kit/Qr.tsx'
import { Skeleton } from '../../kit/Skeleton.tsx'
import { Spinner } from '../../kit/Spinner.tsx'
import type { LostTicket } from '../../platform/store/wallet.ts'
import { OFFLINE_NOTE } from '../data/DataAge.tsx'
import type { GuestData, Known } from '../data/useGuestData.ts'
import { removeLost } from '../data/useLost.ts'
import { failureText } from '../failures.ts'
import { type EventDay, useFormat } from '../format.ts'
import { entryPassButtonId, entryPassPath } from '../paths.ts'
import { useWords } from '../words.ts'
import figuresStyles from './Figures.module.css'
import lostTicketsStyles from './LostTickets.module.css'
import { type Counts, countsOf } from './status.ts'
import { TicketCard } from './TicketCard.tsx'
import { TicketStrip } from './TicketStrip.tsx'
import styles from './TicketsSection.module.css'

const GROUPS = ['active', 'used', 'cancelled'] as const satisfies readonly TicketStatus[]

interface TicketsSectionProps {
  data: GuestData
  online: boolean
  /** Whether a requested refresh is running. */
  asking: boolean
  /** Whether tickets can be bought now. */
  onSale: boolean
  eventDay: EventDay | null
  /** The event has ended, by this device's clock. */
  over: boolean
  heading: RefObject<HTMLHeadingElement | null>
  /** The number of tickets just bought; they are the first active ones. */
  fresh: number
  /** Shown between the heading and the tickets. */
  children?: ReactNode
  onBuy: () => void
  onRefresh: () => void
  onCancel: (ticket: Ticket) => void
  onPrint: (ticket: Ticket) => void
}

/** "My Tickets" of SPEC 2: the tickets by status, then the figures, and the event's price and what remains. */
export const TicketsSection = (props: TicketsSectionProps) => {
  const { data, online, onBuy, onSale, eventDay } = props
  const words = useWords()
  const [front, setFront] = useState(0)
  const event = data.event.type === 'known' ? data.event.value : null
  const tickets = data.tickets.type === 'known' ? data.tickets.value : null
  const active = tickets?.filter(({ status }) => status === 'active') ?? []
  // On the event's day the ticket comes first, with nothing above it.
  const bare = active.length > 0 && eventDay !== null && props.fresh === 0
  const checked = data.lost.filter(({ state }) => state !== 'refused').length
  const lost = data.userId === null ? null : <LostTickets userId={data.userId} lost={data.lost} />
  return (
    <section className={styles.section} aria-labelledby="my-tickets" data-bare={bare || undefined}>
      <div className={styles.titleRow} data-fresh={props.fresh > 0 || undefined}>
        <h2 id="my-tickets" ref={props.heading} tabIndex={-1} className={styles.title}>
          {words.list.title}
        </h2>
        {active.length === 0 ? null : (
          <>
            <p className={styles.ready}>
              {props.over ? words.ticket.past.over : words.readyCount(active.length)}{' '}
              {checked > 0 ? words.lost.beside(checked) : null}
            </p>
            <ShowAtGate ticket={front === 0 ? undefined : active[front]} quiet={props.over} />
          </>
        )}
      </div>
      {props.children}
      {active.length === 0 ? lost : null}
      <Content {...props} onFront={setFront} />
      {active.length === 0 ? null : lost}
      {data.tickets.type === 'loading' ? null : (
        <Figures counts={countsOf(tickets ?? [])} stale={tickets === null} event={data.event} />
      )}
      <Group {...props} name="past" tickets={data.past} />
      <div className={styles.buttons}>
        {onSale && event !== null && tickets !== null && tickets.length > 0 ? (
          <Button
            icon={<TicketIcon aria-hidden="true" />}
            disabled={!online}
            aria-describedby={online ? undefined : OFFLINE_NOTE}
            onClick={onBuy}
          >
            {words.list.buyMore}
          </Button>
        ) : null}
        <Button
          icon={<RotateCw aria-hidden="true" />}
          disabled={!online}
          aria-describedby={online ? undefined : OFFLINE_NOTE}
          busy={props.asking}
          onClick={props.onRefresh}
        >
          {words.list.refresh}
        </Button>
      </div>
    </section>
  )
}

/** Opens the entry pass at the ticket in front. On a phone it sits at the bottom of the screen, under the thumb. */
const ShowAtGate = ({ ticket, quiet }: { ticket: Ticket | undefined; quiet: boolean }) => {
  const { list } = useWords()
  return (
    <div className={styles.gate} data-foot>
      <ButtonLink
        id={entryPassButtonId()}
        to={entryPassPath(ticket?.ticketId)}
        tone={quiet ? 'secondary' : 'primary'}
        size="lg"
        icon={<Maximize aria-hidden="true" />}
      >
        {list.showAtGate}
      </ButtonLink>
    </div>
  )
}

const Content = (props: TicketsSectionProps & { onFront: (at: number) => void }) => {
  const { data, online, onSale, onBuy } = props
  const words = useWords()
  if (data.tickets.type === 'loading') return <Loading label={words.list.loading} />
  if (data.tickets.type === 'failed') {
    const { error } = data.tickets
    return (
      <ErrorPanel
        title={words.list.errorTitle}
        onRetry={props.onRefresh}
        retryLabel={words.list.tryAgain}
        busy={props.asking}
      >
        <span>{error === null ? words.failures.network : failureText(error, words)}</span>{' '}
        <span>{words.list.retries}</span>
      </ErrorPanel>
    )
  }
  const tickets = data.tickets.value
  if (tickets.length === 0)
    return data.lost.length > 0 ? null : (
      <div className={styles.empty}>
        <EmptyState
          title={words.list.emptyTitle}
          icon={<TicketIcon aria-hidden="true" />}
          action={
            onSale ? (
              <Button size="lg" disabled={!online} aria-describedby={online ? undefined : OFFLINE_NOTE} onClick={onBuy}>
                {words.list.buyFirst}
              </Button>
            ) : null
          }
        >
          <p>{words.list.emptyDetail}</p>
        </EmptyState>
      </div>
    )
  return GROUPS.map((status) => (
    <Group key={status} {...props} name={status} tickets={tickets.filter((ticket) => ticket.status === status)} />
  ))
}

interface GroupProps extends TicketsSectionProps {
  /** `past` groups the tickets of closed events. */
  name: TicketStatus | 'past'
  tickets: readonly Ticket[]
  onFront?: (at: number) => void
}

/** A past ticket carries its own event's facts, so its card needs no event. */
const NO_EVENT: GuestData['event'] = { type: 'known', value: null, savedAt: 0 }

/** Cards are large: rendering two thousand at once would keep a phone busy for a minute. */
const SHOWN_FIRST = 20
const SHOWN_MORE = 100

const Group = ({ name, tickets, data, eventDay, over, online, fresh, onFront, onCancel, onPrint }: GroupProps) => {
  const { list } = useWords()
  const [shown, setShown] = useState(SHOWN_FIRST)
  const more = Math.min(SHOWN_MORE, tickets.length - shown)
  if (tickets.length === 0) return null
  const isActive = name === 'active'
  return (
    <section className={styles.group} aria-labelledby={`tickets-${name}`} data-status={name}>
      <h3 id={`tickets-${name}`} className={styles.groupTitle}>
        {list.group(list[name], tickets.length)}
      </h3>
      <TicketStrip
        tickets={tickets.slice(0, shown)}
        fresh={isActive ? fresh : 0}
        onFront={isActive ? onFront : undefined}
      >
        {(ticket) => (
          <TicketCard
            ticket={ticket}
            event={name === 'past' ? NO_EVENT : data.event}
            eventDay={eventDay}
            over={over}
            online={online}
            onCancel={onCancel}
            onPrint={onPrint}
          />
        )}
      </TicketStrip>
      {more > 0 ? <Button onClick={() => setShown(shown + SHOWN_MORE)}>{list.showMore(more)}</Button> : null}
    </section>
  )
}

/** The skeleton reserves a ticket's place. */
const Loading = ({ label }: { label: string }) => (
  <div role="status" className={styles.group}>
    <p className={styles.loadingWords}>
      <Spinner />
      {label}
    </p>
    <div className={styles.ghost} aria-hidden="true">
      <div className={styles.ghostStub}>
        <Skeleton width={225} height={225} />
        <Skeleton width={140} height={24} />
        <Skeleton width={180} height={30} />
      </div>
      <div className={styles.ghostMain}>
        <Skeleton width="60%" height={34} />
        <Skeleton width="80%" height={22} />
        <Skeleton width="55%" height={22} />
        <Skeleton width="90%" height={22} />
      </div>
    </div>
  </div>
)

interface FiguresProps {
  counts: Counts
  /** The tickets could not be read: the zeros stand for figures that are unknown. */
  stale: boolean
  event: Known<GarbaEvent | null>
}

/** Totals of the user's tickets, and the event with its price and remaining tickets (SPEC 2). */
const Figures = ({ counts, stale, event }: FiguresProps) => {
  const { list } = useWords()
  const format = useFormat()
  return (
    <div className={figuresStyles.head}>
      {stale ? <StateChip state="warn">{list.stale}</StateChip> : null}
      <dl className={figuresStyles.totals} aria-label={list.totals} data-stale={stale || undefined}>
        {(['total', 'active', 'used', 'cancelled'] as const).map((which) => (
          <div key={which} className={figuresStyles.total}>
            <dt>{list[which]}</dt>
            <dd>{format.count(counts[which])}</dd>
          </div>
        ))}
      </dl>
      {event.type === 'loading' ? (
        <Skeleton height={74} className={figuresStyles.bone} />
      ) : event.type === 'known' && event.value !== null ? (
        <Sale event={event.value} />
      ) : null}
    </div>
  )
}

const Sale = ({ event }: { event: GarbaEvent }) => {
  const { list } = useWords()
  const format = useFormat()
  return (
    <div className={figuresStyles.event}>
      <div>
        <p className={figuresStyles.name}>{event.name}</p>
        <p className={figuresStyles.soft}>{format.day(event.date)}</p>
      </div>
      <div>
        <p className={figuresStyles.soft}>{list.price}</p>
        <p className={figuresStyles.rupees}>{formatRupees(event.ticketPrice)}</p>
      </div>
      <p className={figuresStyles.remaining} data-none={event.availableTickets === 0 || undefined}>
        {event.availableTickets === 0 ? list.soldOut : list.remaining(event.availableTickets)}
      </p>
    </div>
  )
}

interface LostTicketsProps {
  userId: string
  lost: readonly LostTicket[]
}

/** Lists tickets that only this device still knows, with their codes, until the desk has decided. */
const LostTickets = ({ userId, lost }: LostTicketsProps) => {
  const words = useWords()
  if (lost.length === 0) return null
  return (
    <section className={lostTicketsStyles.lost} aria-labelledby="tickets-lost">
      <h3 id="tickets-lost" className={lostTicketsStyles.title}>
        {words.list.group(words.lost.title, lost.length)}
      </h3>
      <Banner tone="warn" live="status" icon={<SearchCheck aria-hidden="true" />}>
        {words.lost.explained}
      </Banner>
      <ul className={lostTicketsStyles.list}>
        {lost.toSorted(refusedLast).map((one) => (
          <Row key={one.ticket._id} userId={userId} one={one} />
        ))}
      </ul>
    </section>
  )
}

const refusedLast = (one: LostTicket, other: LostTicket): number =>
  Number(one.state === 'refused') - Number(other.state === 'refused')

const TONES = { unsent: 'info', waiting: 'warn', refused: 'bad' } as const

const Row = ({ userId, one: { ticket, state, why = 'desk', note } }: { userId: string; one: LostTicket }) => {
  const words = useWords()
  const client = useQueryClient()
  const id = last8(ticket.ticketId)
  return (
    <li className={lostTicketsStyles.row}>
      {ticket.qrCode === null || state === 'refused' ? null : (
        <Qr text={ticket.qrCode} label={words.ticket.qrOf(id)} className={lostTicketsStyles.qr} />
      )}
      <div className={lostTicketsStyles.facts}>
        <StateChip state={TONES[state]}>{words.lost.state[state]}</StateChip>
        <p className={lostTicketsStyles.name}>{nameOn(ticket)}</p>
        <p className={lostTicketsStyles.id}>{id}</p>
        <p className={lostTicketsStyles.soft}>{ticket.eventName}</p>
        <p>{state === 'refused' ? words.lost.why[why] : words.lost.says[state]}</p>
        {note === undefined ? null : <p className={lostTicketsStyles.note}>{words.lost.note(note)}</p>}
        {state === 'refused' ? (
          <Button
            size="sm"
            aria-label={words.lost.removeOf(id)}
            onClick={() => void removeLost(client, userId, ticket._id)}
          >
            {words.lost.remove}
          </Button>
        ) : null}
      </div>
    </li>
  )
}
