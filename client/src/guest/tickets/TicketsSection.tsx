import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { TicketStatus } from '@garba/shared/contracts/names'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { formatRupees } from '@garba/shared/rules/money'
import { RotateCw, Ticket as TicketIcon } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { ErrorPanel } from '../../kit/ErrorPanel.tsx'
import { Skeleton } from '../../kit/Skeleton.tsx'
import { Spinner } from '../../kit/Spinner.tsx'
import { OFFLINE_NOTE } from '../data/DataAge.tsx'
import type { GuestData } from '../data/useGuestData.ts'
import { failureText } from '../failures.ts'
import { useFormat } from '../format.ts'
import { useWords } from '../words.ts'
import { type Counts, countsOf } from './status.ts'
import { TicketCard } from './TicketCard.tsx'
import styles from './TicketsSection.module.css'

const GROUPS = ['active', 'used', 'cancelled'] as const satisfies readonly TicketStatus[]

interface TicketsSectionProps {
  data: GuestData
  online: boolean
  /** A requested refresh is running. */
  asking: boolean
  /** Tickets can be bought right now. */
  onSale: boolean
  heading: RefObject<HTMLHeadingElement | null>
  onBuy: () => void
  onRefresh: () => void
  onCancel: (ticket: Ticket) => void
  onPrint: (ticket: Ticket) => void
}

/** "My Tickets" of SPEC 2: figures, the event's price and what remains, and the tickets by status. */
export const TicketsSection = (props: TicketsSectionProps) => {
  const { data, online, onBuy, onSale } = props
  const words = useWords()
  const event = data.event.type === 'known' ? data.event.value : null
  const tickets = data.tickets.type === 'known' ? data.tickets.value : null
  return (
    <section className={styles.section} aria-labelledby="my-tickets">
      <div className={styles.titleRow}>
        <h2 id="my-tickets" ref={props.heading} tabIndex={-1} className={styles.title}>
          {words.list.title}
        </h2>
        <div className={styles.buttons}>
          {onSale && tickets !== null && tickets.length > 0 ? (
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
      </div>
      {tickets === null ? null : <ListHead counts={countsOf(tickets)} event={event} />}
      <Content {...props} event={event} />
    </section>
  )
}

const Content = (props: TicketsSectionProps & { event: GarbaEvent | null }) => {
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
        {error === null ? words.failures.network : failureText(error, words)}
      </ErrorPanel>
    )
  }
  const tickets = data.tickets.value
  if (tickets.length === 0)
    return (
      <div className={styles.empty}>
        <EmptyState
          title={words.list.emptyTitle}
          icon={<TicketIcon aria-hidden="true" />}
          action={
            onSale ? (
              <Button
                tone="primary"
                size="lg"
                disabled={!online}
                aria-describedby={online ? undefined : OFFLINE_NOTE}
                onClick={onBuy}
              >
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
    <Group key={status} {...props} status={status} tickets={tickets.filter((ticket) => ticket.status === status)} />
  ))
}

interface GroupProps extends TicketsSectionProps {
  status: TicketStatus
  tickets: readonly Ticket[]
  event: GarbaEvent | null
}

/** Cards are large: rendering two thousand at once would keep a phone busy for a minute. */
const SHOWN_FIRST = 20
const SHOWN_MORE = 100

const Group = ({ status, tickets, event, online, onCancel, onPrint }: GroupProps) => {
  const { list } = useWords()
  const [shown, setShown] = useState(SHOWN_FIRST)
  const more = Math.min(SHOWN_MORE, tickets.length - shown)
  if (tickets.length === 0) return null
  return (
    <section className={styles.group} aria-labelledby={`tickets-${status}`}>
      <h3 id={`tickets-${status}`} className={styles.groupTitle}>
        {list.group(list[status], tickets.length)}
      </h3>
      <ul className={styles.list}>
        {tickets.slice(0, shown).map((ticket) => (
          <li key={ticket._id}>
            <TicketCard ticket={ticket} event={event} online={online} onCancel={onCancel} onPrint={onPrint} />
          </li>
        ))}
      </ul>
      {more > 0 ? <Button onClick={() => setShown(shown + SHOWN_MORE)}>{list.showMore(more)}</Button> : null}
    </section>
  )
}

const Loading = ({ label }: { label: string }) => (
  <div role="status" className={styles.loading}>
    <p className={styles.loadingWords}>
      <Spinner />
      {label}
    </p>
    <Skeleton height={236} className={styles.bone ?? ''} />
    <Skeleton height={236} className={styles.bone ?? ''} />
  </div>
)

/** Totals of the user's tickets, and the event with its price and remaining tickets (SPEC 2). */
const ListHead = ({ counts, event }: { counts: Counts; event: GarbaEvent | null }) => {
  const { list } = useWords()
  const format = useFormat()
  return (
    <div className={styles.head}>
      <dl className={styles.totals} aria-label={list.totals}>
        {(['total', 'active', 'used', 'cancelled'] as const).map((which) => (
          <div key={which} className={styles.total}>
            <dt>{list[which]}</dt>
            <dd>{format.count(counts[which])}</dd>
          </div>
        ))}
      </dl>
      {event === null ? null : (
        <div className={styles.event}>
          <div>
            <p className={styles.name}>{event.name}</p>
            <p className={styles.soft}>{format.day(event.date)}</p>
          </div>
          <div>
            <p className={styles.soft}>{list.price}</p>
            <p className={styles.rupees}>{formatRupees(event.ticketPrice)}</p>
          </div>
          <p className={styles.remaining} data-none={event.availableTickets === 0 || undefined}>
            {event.availableTickets === 0
              ? list.soldOut
              : list.remaining(event.availableTickets, format.count(event.availableTickets))}
          </p>
        </div>
      )}
    </div>
  )
}
