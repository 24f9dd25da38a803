import { endTimeText, timeText } from '@garba/shared/messages/formats'
import { longDay } from '@garba/shared/messages/language'
import { HHMM, isDay } from '@garba/shared/rules/event/calendar'
import { formatRupees } from '@garba/shared/rules/money'
import { CalendarDays, Clock, MapPin, Ticket } from 'lucide-react'
import { GarboRings } from '../../kit/GarboRings.tsx'
import { Arch, ImageWithFallback } from '../../kit/ImageWithFallback.tsx'
import { Surface } from '../../kit/Surface.tsx'
import { EVENT_MANAGER } from '../texts/desk.ts'
import type { EventValues } from './draft.ts'
import styles from './HeroPreview.module.css'

const words = EVENT_MANAGER.preview
const dateShown = (day: string): string => (isDay(day) ? longDay(day, 'en') : words.dateless)

const timeShown = (typed: string): string => (HHMM.test(typed) ? timeText(typed, 'en') : '--:--')
const endShown = ({ endTime, endsNextDay }: EventValues): string =>
  HHMM.test(endTime) ? endTimeText({ endTime, endsNextDay: endsNextDay === 'true' }, 'en') : '--:--'

const priceShown = (typed: string): string => {
  const rupees = Number(typed)
  return typed !== '' && Number.isFinite(rupees) ? formatRupees(rupees) : '₹ ...'
}

export const HeroPreview = ({ values }: { values: EventValues }) => (
  <aside className={styles.frame} aria-label={words.title}>
    <p className="soft">{words.title}</p>
    <Surface tone="night">
      <div className={styles.hero}>
        <div className={styles.stage}>
          <GarboRings className={styles.lamp} />
          <p className={styles.name}>{values.name || words.nameless}</p>
        </div>
        <ul className={styles.facts}>
          <li>
            <CalendarDays /> {dateShown(values.date)}
          </li>
          <li>
            <Clock /> {timeShown(values.startTime)} - {endShown(values)}
          </li>
          <li>
            <MapPin /> {values.venue || words.venueless}
          </li>
          <li>
            <Ticket /> {words.price(priceShown(values.ticketPrice))}
          </li>
        </ul>
        {Number(values.groupPrice4) < Number(values.ticketPrice) ? (
          <p className="soft">
            {words.note}: {words.group(priceShown(values.groupPrice4))}
          </p>
        ) : null}
        {values.eventImage === '' ? null : (
          <div className={styles.picture}>
            <Arch width={170}>
              <ImageWithFallback src={values.eventImage} alt={words.picture} />
            </Arch>
          </div>
        )}
      </div>
    </Surface>
  </aside>
)
