import { DESK } from '@garba/shared/messages/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { useQuery } from '@tanstack/react-query'
import { CalendarCog, CalendarPlus, ChartColumn, ChevronRight, DoorOpen, ScrollText, Ticket, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { StateChip } from '../../kit/Badge.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Card } from '../../kit/Card.tsx'
import { ProgressBar } from '../../kit/ProgressBar.tsx'
import { SkeletonLines } from '../../kit/Skeleton.tsx'
import { messageOf } from '../../platform/http/failure.ts'
import { usePageTitle } from '../../platform/page.ts'
import { queries } from '../../platform/queries.ts'
import { hoursText, useDates } from '../frame/dates.ts'
import { LastKnown } from '../frame/LastKnown.tsx'
import { LostTicketsNotice } from '../lost/LostTicketsNotice.tsx'
import styles from './Home.module.css'
import { ReadOnlyNotice } from './ReadOnlyNotice.tsx'
import { StatCards } from './StatCards.tsx'
import { SystemCard } from './SystemCard.tsx'
import { Tonight } from './Tonight.tsx'
import { WelcomeCard } from './WelcomeCard.tsx'

const { tiles, stats } = FIGURES.home

/** SPEC 2 "Admin/manager dashboard". */
export default function AdminHome() {
  usePageTitle(DESK.titles.admin)
  return (
    <div className={styles.home}>
      <WelcomeCard title={DESK.titles.admin} />
      <ReadOnlyNotice />
      <LostTicketsNotice />
      <Tonight />
      <StatCards averageLabel={stats.average} />
      <EventStatusCard />
      <Tiles>
        <Tile to="users" icon={<Users />} {...tiles.users} />
        <Tile to="tickets" icon={<Ticket />} {...tiles.tickets} />
        <Tile to="analytics" icon={<ChartColumn />} {...tiles.analytics} />
        <Tile to="gate" icon={<DoorOpen />} {...tiles.evening} />
        <Tile to="audit" icon={<ScrollText />} {...tiles.audit} />
      </Tiles>
      <SystemCard />
    </div>
  )
}

interface TileProps {
  to: string
  icon: ReactNode
  title: string
  text: string
}

/** A link to one of the views. */
const Tile = ({ to, icon, title, text }: TileProps) => (
  <Link to={to} className={styles.tile}>
    <span className={styles.tileIcon} aria-hidden="true">
      {icon}
    </span>
    <span className={styles.tileWords}>
      <span className={styles.tileTitle}>{title}</span>
      <span className={styles.soft}>{text}</span>
    </span>
    <ChevronRight aria-hidden="true" className={styles.tileArrow} />
  </Link>
)

const Tiles = ({ children }: { children: ReactNode }) => <nav className={styles.tiles}>{children}</nav>

const words = FIGURES.home.event

const EventStatusCard = () => {
  const query = useQuery(queries.event())
  const { data, error, isPending } = query
  const { dayOf } = useDates()
  const event = data?.data ?? null
  if (isPending) {
    return (
      <Card title={words.title}>
        <SkeletonLines lines={3} label={FIGURES.home.loading} />
      </Card>
    )
  }
  // An event that cannot be loaded must never look like no event.
  if (data === undefined) {
    return (
      <Card title={words.title} actions={<StateChip state="bad">{words.unreadable}</StateChip>}>
        <p>{messageOf(error)}</p>
      </Card>
    )
  }
  const sold = event ? event.totalTickets - event.availableTickets : 0
  return (
    <Card
      title={words.title}
      actions={<StateChip state={event ? 'ok' : 'warn'}>{event ? words.configured : words.notConfigured}</StateChip>}
    >
      <LastKnown query={query} />
      <div className={styles.eventBody}>
        {event ? (
          <div className={styles.eventFacts}>
            <p className={styles.eventName}>{event.name}</p>
            <p className={styles.soft}>
              {dayOf(event.startsAt)}, {hoursText(event)}, {event.venue}
            </p>
            <ProgressBar
              label={FIGURES.home.stats.sold}
              value={(sold / event.totalTickets) * 100}
              valueText={words.sold(sold, event.totalTickets)}
            />
            <p className="tabular">{words.sold(sold, event.totalTickets)}</p>
          </div>
        ) : (
          <p className={styles.eventFacts}>{words.none}</p>
        )}
        <ButtonLink
          to="event"
          tone="primary"
          icon={event ? <CalendarCog aria-hidden="true" /> : <CalendarPlus aria-hidden="true" />}
        >
          {event ? words.manage : words.create}
        </ButtonLink>
      </div>
    </Card>
  )
}
