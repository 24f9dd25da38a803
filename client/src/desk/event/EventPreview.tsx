import type { GarbaEvent } from '@garba/shared/contracts/event'
import { EVENT_MANAGER } from '@garba/shared/messages/desk'
import { formatRupees } from '@garba/shared/rules/money'
import { Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '../../kit/Badge.tsx'
import { Button } from '../../kit/Button.tsx'
import { Card } from '../../kit/Card.tsx'
import { ImageWithFallback } from '../../kit/ImageWithFallback.tsx'
import { useDates } from '../frame/dates.ts'
import styles from './EventForm.module.css'
import { HeroPreview } from './HeroPreview.tsx'
import { valuesOf } from './values.ts'

const words = EVENT_MANAGER

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

export const EventPreview = ({ event, onEdit }: { event: GarbaEvent; onEdit: () => void }) => {
  const { dayOf } = useDates()
  const { facts } = words
  return (
    <div className={styles.layout}>
      <Card
        title={event.name}
        actions={
          <Button tone="primary" icon={<Pencil aria-hidden="true" />} onClick={onEdit}>
            {words.edit}
          </Button>
        }
      >
        <div className={styles.facts}>
          {event.eventImage ? (
            <ImageWithFallback src={event.eventImage} alt={event.name} className={styles.picture} />
          ) : null}
          <dl className={styles.short}>
            <Fact label={facts.date}>{dayOf(event.startsAt)}</Fact>
            <Fact label={facts.time}>
              {event.startTime} - {event.endTime}
            </Fact>
            <Fact label={facts.tickets}>{facts.available(event.availableTickets, event.totalTickets)}</Fact>
            <Fact label={facts.price}>{formatRupees(event.ticketPrice)}</Fact>
            <Fact label={facts.group}>{formatRupees(event.groupPrice4)}</Fact>
          </dl>
          <dl className={styles.facts}>
            <Fact label={facts.venue}>{event.venue}</Fact>
            <Fact label={facts.description}>{event.description}</Fact>
            {event.aboutText ? <Fact label={facts.about}>{event.aboutText}</Fact> : null}
            {event.features.length > 0 ? (
              <Fact label={facts.features}>
                <span className={styles.chips}>
                  {event.features.map((feature) => (
                    <Badge key={feature}>{feature}</Badge>
                  ))}
                </span>
              </Fact>
            ) : null}
          </dl>
        </div>
      </Card>
      <HeroPreview values={valuesOf(event)} />
    </div>
  )
}
