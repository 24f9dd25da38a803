import type { GarbaEvent } from '@garba/shared/contracts/event'
import { formatRupees } from '@garba/shared/rules/money'
import { CalendarDays, CalendarPlus, Clock, IndianRupee, MapPin, Share2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { Card } from '../../kit/Card.tsx'
import { SkeletonLines } from '../../kit/Skeleton.tsx'
import type { Known } from '../data/useGuestData.ts'
import { addToCalendar, shareInvitation } from '../event/shareEvent.ts'
import { useFormat } from '../format.ts'
import { useWords } from '../words.ts'
import styles from './EventCard.module.css'

/** SPEC 2's event details with its price and what remains, and buttons to add the event to a calendar and share it. */
export const EventCard = ({ event }: { event: Known<GarbaEvent | null> }) => {
  const words = useWords()
  return (
    <Card title={words.event.title}>
      {event.type === 'loading' ? (
        <div className={styles.place}>
          <SkeletonLines lines={9} label={words.event.loading} />
        </div>
      ) : event.type === 'failed' || event.value === null ? (
        <div>
          <p>{words.event.none}</p>
          <p className={styles.soft}>{words.event.noneDetail}</p>
        </div>
      ) : (
        <Facts event={event.value} />
      )}
    </Card>
  )
}

const Facts = ({ event }: { event: GarbaEvent }) => {
  const { event: words, list } = useWords()
  const format = useFormat()
  const siteUrl = location.origin
  const share = async () => {
    const text = words.invitation(event.name, format.day(event.date), format.hours(event), event.venue)
    try {
      const how = await shareInvitation({ title: event.name, text, url: siteUrl })
      if (how === 'copied') toast.success(words.linkCopied)
    } catch (error) {
      console.warn('Not shared', error)
      toast.error(words.notShared)
    }
  }
  return (
    <>
      <p className={styles.name}>{event.name}</p>
      <dl className="stack-2">
        <Line icon={<CalendarDays aria-hidden="true" />} label={words.date}>
          {format.day(event.date)}
        </Line>
        <Line icon={<Clock aria-hidden="true" />} label={words.time}>
          {format.hours(event)}
        </Line>
        <Line icon={<MapPin aria-hidden="true" />} label={words.venue}>
          {event.venue}
        </Line>
        <Line icon={<IndianRupee aria-hidden="true" />} label={list.price}>
          {formatRupees(event.ticketPrice)}
        </Line>
      </dl>
      <p className={styles.remaining} data-none={event.availableTickets === 0 || undefined}>
        {event.availableTickets === 0 ? list.soldOut : list.remaining(event.availableTickets)}
      </p>
      <div className={styles.buttons}>
        <Button
          size="sm"
          icon={<CalendarPlus aria-hidden="true" />}
          onClick={() => addToCalendar({ event, siteUrl, words })}
        >
          {words.addToCalendar}
        </Button>
        <Button size="sm" icon={<Share2 aria-hidden="true" />} onClick={() => void share()}>
          {words.share}
        </Button>
      </div>
    </>
  )
}

const Line = ({ icon, label, children }: { icon: ReactNode; label: string; children: ReactNode }) => (
  <div className={styles.line}>
    {icon}
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
