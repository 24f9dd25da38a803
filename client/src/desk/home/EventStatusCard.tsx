import { FIGURES } from '@garba/shared/messages/deskFigures'
import { useQuery } from '@tanstack/react-query'
import { CalendarCog, CalendarPlus } from 'lucide-react'
import { StateChip } from '../../kit/Badge.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Card } from '../../kit/Card.tsx'
import { ProgressBar } from '../../kit/ProgressBar.tsx'
import { SkeletonLines } from '../../kit/Skeleton.tsx'
import { messageOf } from '../../platform/http/failure.ts'
import { queries } from '../../platform/store/queries.ts'
import { useDates } from '../frame/dates.ts'
import styles from './Home.module.css'

const words = FIGURES.home.event

export const EventStatusCard = () => {
  const { data, error, isPending } = useQuery(queries.event())
  const { dayOf } = useDates()
  const event = data?.data ?? null
  if (isPending) {
    return (
      <Card title={words.title}>
        <SkeletonLines lines={3} label={FIGURES.home.loading} />
      </Card>
    )
  }
  // An event that cannot be read must never look like none.
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
      <div className={styles.eventBody}>
        {event ? (
          <div className={styles.eventFacts}>
            <p className={styles.eventName}>{event.name}</p>
            <p className={styles.soft}>
              {dayOf(event.startsAt)}, {event.startTime} - {event.endTime}, {event.venue}
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
