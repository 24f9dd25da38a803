import type { TicketStatus } from '@garba/shared/contracts/names'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { shortenTicketId } from '@garba/shared/messages/common'
import { getHolderName } from '@garba/shared/rules/ticketStatus'
import { useQueryClient } from '@tanstack/react-query'
import { Maximize, RotateCw, SearchCheck, Ticket as TicketIcon } from 'lucide-react'
import { type ReactNode, type RefObject, useState } from 'react'
import { StateChip } from '../../kit/Badge.tsx'
import { Banner, ErrorPanel } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Qr } from '../../kit/Qr.tsx'
import { Skeleton } from '../../kit/Skeleton.tsx'
import { Spinner } from '../../kit/Spinner.tsx'
import type { LostTicket } from '../../platform/store/wallet.ts'
import { needsNetwork } from '../data/DataAge.tsx'
import { type GuestData, removeLost } from '../data/useGuestData.ts'
import { failureText } from '../failures.ts'
import type { EventDay } from '../format.ts'
import { Notifications } from '../notifications/Notifications.tsx'
import { ALL_AT_ONCE, entryPassButtonId, entryPassPath } from '../paths.ts'
import { LinkedTickets } from '../wallet/TicketLinks.tsx'
import { useWords } from '../words.ts'
import { AllActions } from './TicketActions.tsx'
import { TicketCard } from './TicketCard.tsx'
import { TicketSheet } from './TicketSheet.tsx'
import styles from './TicketsSection.module.css'

const GROUPS = ['active', 'used', 'cancelled'] as const satisfies readonly TicketStatus[]

interface TicketsSectionProps {
  data: GuestData
  online: boolean
  asking: boolean
  onSale: boolean
  eventDay: EventDay | null
  over: boolean
  heading: RefObject<HTMLHeadingElement | null>
  fresh: readonly string[]
  empty: ReactNode
  children?: ReactNode
  onBuy: () => void
  onRefresh: () => void
  onCancel: (ticket: Ticket) => void
  onCancelAll: (tickets: readonly Ticket[]) => void
  onPrint: (ticket: Ticket) => void
}

export const TicketsSection = (props: TicketsSectionProps) => {
  const { data, eventDay } = props
  const words = useWords()
  const tickets = data.tickets.type === 'known' ? data.tickets.value : null
  const active = tickets?.filter(({ status }) => status === 'active') ?? []
  const entered = useEntered(tickets ?? [])
  // On the event's day the ticket comes first, with nothing above it.
  const bare = active.length > 0 && eventDay !== null && props.fresh.length === 0
  const checked = data.lost.filter(({ state }) => state !== 'refused').length
  const lost = data.userId === null ? null : <LostTickets userId={data.userId} lost={data.lost} />
  return (
    <section
      className={styles.section}
      aria-labelledby="my-tickets"
      data-bare={bare || undefined}
      data-empty={props.empty !== null || undefined}
    >
      <div className={styles.titleRow} data-fresh={props.fresh.length > 0 || undefined}>
        <h2 id="my-tickets" ref={props.heading} tabIndex={-1} className={styles.title}>
          {words.title}
        </h2>
        {active.length === 0 ? null : (
          <>
            {checked > 0 ? <p className={styles.beside}>{words.lost.beside(checked)}</p> : null}
            <ShowAtGate groups={data.groups} quiet={props.over || (props.fresh.length > 0 && eventDay === null)} />
          </>
        )}
      </div>
      {props.children}
      {active.length === 0 ? lost : null}
      <Content {...props} entered={entered} />
      {active.length === 0 ? null : lost}
      <Group {...props} entered={entered} name="past" tickets={data.past} />
      {data.tickets.type === 'loading' ? null : <Buttons {...props} />}
      {active.length === 0 || props.over || props.fresh.length > 0 ? null : <Notifications />}
      <LinkedTickets />
    </section>
  )
}

function useEntered(tickets: readonly Ticket[]): ReadonlySet<string> {
  const [waited, setWaited] = useState<ReadonlySet<string>>(new Set())
  const news = tickets.filter(({ _id, status }) => status === 'active' && !waited.has(_id))
  if (news.length > 0) setWaited(new Set([...waited, ...news.map(({ _id }) => _id)]))
  return new Set(tickets.filter(({ _id, status }) => status === 'used' && waited.has(_id)).map(({ _id }) => _id))
}

const Buttons = (props: TicketsSectionProps) => {
  const { data, online, onSale, onBuy } = props
  const words = useWords()
  const isEvent = data.event.type === 'known' && data.event.value !== null
  const hasTickets = data.tickets.type === 'known' && data.tickets.value.length > 0
  return (
    <div className={styles.buttons}>
      {onSale && isEvent && hasTickets ? (
        <Button icon={<TicketIcon />} {...needsNetwork(online)} onClick={onBuy}>
          {words.list.buyMore}
        </Button>
      ) : null}
      {data.tickets.type === 'failed' ? null : (
        <Button
          tone="ghost"
          icon={<RotateCw />}
          {...needsNetwork(online)}
          busy={props.asking}
          onClick={props.onRefresh}
        >
          {words.list.refresh}
        </Button>
      )}
    </div>
  )
}

const ShowAtGate = ({ groups, quiet }: { groups: GuestData['groups']; quiet: boolean }) => {
  const { list, entryPass } = useWords()
  const count = groups.flatMap(({ ticketIds }) => ticketIds).length
  const isGroup = count > 0
  return (
    <div className={styles.gate} data-foot>
      <ButtonLink
        id={entryPassButtonId()}
        to={entryPassPath(isGroup ? ALL_AT_ONCE : undefined)}
        tone={quiet ? 'secondary' : 'primary'}
        size="lg"
        icon={<Maximize />}
      >
        <span className={styles.gateWords}>{entryPass.title}</span>{' '}
        {isGroup ? <span className={styles.once}>{list.allOnce(groups.length, count)}</span> : null}
      </ButtonLink>
    </div>
  )
}

type ContentProps = TicketsSectionProps & { entered: ReadonlySet<string> }

const Content = (props: ContentProps) => {
  const { data } = props
  const words = useWords()
  if (data.tickets.type === 'loading') return <Loading label={words.list.loading} />
  if (data.tickets.type === 'failed') {
    const { error } = data.tickets
    return (
      <ErrorPanel
        title={words.list.errorTitle}
        onRetry={props.onRefresh}
        retryLabel={words.purchase.retry}
        busy={props.asking}
      >
        <span>{error === null ? words.failures.codes.NETWORK : failureText(error, words)}</span>{' '}
        <span>{words.list.retries}</span>
      </ErrorPanel>
    )
  }
  const tickets = data.tickets.value
  if (tickets.length === 0) return props.empty
  return GROUPS.map((status) => (
    <Group key={status} {...props} name={status} tickets={tickets.filter((ticket) => ticket.status === status)} />
  ))
}

interface GroupProps extends ContentProps {
  /** `past` groups the tickets of closed events. */
  name: TicketStatus | 'past'
  tickets: readonly Ticket[]
}

/** A past ticket carries its own event's facts, so it needs no event. */
const NO_EVENT: GuestData['event'] = { type: 'known', value: null, savedAt: 0 }

/** Rendering two thousand rows at once would keep a phone busy. */
const SHOWN_FIRST = 20
const SHOWN_MORE = 100

/** A single ticket is a card; several tickets, or any beside active tickets, are rows of a sheet. */
const Group = (props: GroupProps) => {
  const { name, tickets, data, eventDay, over, online, fresh, entered, onCancel, onCancelAll, onPrint } = props
  const { list } = useWords()
  const [shown, setShown] = useState(SHOWN_FIRST)
  const more = Math.min(SHOWN_MORE, tickets.length - shown)
  const [first] = tickets
  if (first === undefined) return null
  const isActive = name === 'active'
  const all = data.tickets.type === 'known' ? data.tickets.value.length : 0
  const event = name === 'past' ? NO_EVENT : data.event
  const common = { event, eventDay, over, online, onCancel, onPrint }
  const isCard = tickets.length === 1 && (isActive || (name !== 'past' && all === 1))
  return (
    <section className={styles.group} aria-labelledby={`tickets-${name}`} data-status={name}>
      <div className={styles.groupHead}>
        <h3 id={`tickets-${name}`} className={styles.groupTitle}>
          {list.group(list[name], tickets.length)}
        </h3>
        {isActive && tickets.length > 1 ? (
          <AllActions
            tickets={tickets}
            online={online}
            eventKnown={event.type === 'known' && event.value !== null}
            onCancelAll={() => onCancelAll(tickets)}
          />
        ) : null}
      </div>
      {isCard ? (
        <div className={styles.card} data-fresh={(isActive && fresh.length > 0) || undefined}>
          <TicketCard {...common} ticket={first} justEntered={entered.has(first._id)} />
        </div>
      ) : (
        <TicketSheet
          {...common}
          tickets={tickets.slice(0, shown)}
          hasHead={isActive}
          isMixed={name === 'past'}
          fresh={fresh}
          entered={entered}
        />
      )}
      {more > 0 ? <Button onClick={() => setShown(shown + SHOWN_MORE)}>{list.showMore(more)}</Button> : null}
    </section>
  )
}

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

const LostTickets = ({ userId, lost }: { userId: string; lost: readonly LostTicket[] }) => {
  const words = useWords()
  if (lost.length === 0) return null
  return (
    <section className={styles.lost} aria-labelledby="tickets-lost">
      <h3 id="tickets-lost" className={styles.lostTicketsTitle}>
        {words.list.group(words.lost.title, lost.length)}
      </h3>
      <Banner tone="warn" live="status" icon={<SearchCheck />}>
        {words.lost.explained}
      </Banner>
      <ul className={styles.list}>
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
  const id = shortenTicketId(ticket.ticketId)
  return (
    <li className={styles.row}>
      {ticket.qrCode === null || state === 'refused' ? null : (
        <Qr text={ticket.qrCode} label={words.ticket.qrOf(id)} className={styles.qr} />
      )}
      <div className={styles.facts}>
        <StateChip state={TONES[state]}>{words.lost.state[state]}</StateChip>
        <p className={styles.name}>{getHolderName(ticket)}</p>
        <p className={styles.id}>{id}</p>
        <p className={styles.soft}>{ticket.eventName}</p>
        <p>{state === 'refused' ? words.lost.why[why] : words.lost.says[state]}</p>
        {note === undefined ? null : <p className={styles.note}>{words.lost.note(note)}</p>}
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
