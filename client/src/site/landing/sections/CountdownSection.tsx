import { SECOND_MS } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { useServerNow } from '../../../platform/screen/now.ts'
import { useEventStatus } from '../facts.ts'
import styles from './CountdownSection.module.css'
import { Section } from './Section.tsx'
import { useSectionWords } from './words.ts'

export const CountdownSection = ({ event }: { event: GarbaEvent | null }) => {
  const { countdown: words } = useSectionWords()
  const { phase } = useEventStatus(event)
  if (phase === 'over') return null
  return (
    <Section id="countdown" title={words.title} quietTitle scene="lamp">
      {event === null ? <p className={styles.said}>{words.unknown}</p> : <Running event={event} />}
    </Section>
  )
}

const Running = ({ event }: { event: GarbaEvent }) => {
  const { countdown: words } = useSectionWords()
  const now = useServerNow(SECOND_MS)
  const state = computeCountdown({ now, start: Date.parse(event.startsAt), end: Date.parse(event.endsAt) })
  if (state.type !== 'before') return <p className={styles.said}>{words.lit}</p>
  const { days, hours, minutes, seconds } = state.left
  return (
    <>
      <p aria-hidden="true" className={styles.title}>
        {words.title}
      </p>
      <div role="timer" className={styles.rings} aria-label={`${words.title} ${spoken(state.left, words)}`}>
        <Ring value={days} of={Math.max(days, 60)} unit={words.days(days)} />
        <Ring value={hours} of={24} unit={words.hours(hours)} />
        <Ring value={minutes} of={60} unit={words.minutes(minutes)} />
        <Ring value={seconds} of={60} unit={words.seconds(seconds)} />
      </div>
    </>
  )
}

/** Without seconds: a name that changes every second would never be read to the end. */
const spoken = ({ days, hours, minutes }: RemainingTime, words: ReturnType<typeof useSectionWords>['countdown']) =>
  `${days} ${words.days(days)}, ${hours} ${words.hours(hours)}, ${minutes} ${words.minutes(minutes)}`

const Ring = ({ value, of, unit }: { value: number; of: number; unit: string }) => {
  const lit = value / of
  return (
    <div className={styles.ring} aria-hidden="true">
      <svg viewBox="-50 -50 100 100" aria-hidden="true">
        <circle r="46" className={styles.dark} />
        {lit > 0 ? (
          <>
            <circle r="46" pathLength="1" className={styles.lit} strokeDasharray={`${lit} 1`} />
            <circle r="2.6" cx="46" className={styles.spark} transform={`rotate(${lit * 360})`} />
          </>
        ) : null}
      </svg>
      <p className={styles.value}>{value}</p>
      <p className={styles.unit}>{unit}</p>
    </div>
  )
}

interface RemainingTime {
  days: number
  hours: number
  minutes: number
  seconds: number
}

type Countdown = { type: 'before'; left: RemainingTime } | { type: 'running' } | { type: 'over' }

/** Whether `now` is before, during or after an event; all three are instants in ms. */
export function computeCountdown({ now, start, end }: { now: number; start: number; end: number }): Countdown {
  if (now >= end) return { type: 'over' }
  if (now >= start) return { type: 'running' }
  const whole = Math.ceil((start - now) / 1000)
  return {
    type: 'before',
    left: {
      days: Math.floor(whole / 86_400),
      hours: Math.floor(whole / 3_600) % 24,
      minutes: Math.floor(whole / 60) % 60,
      seconds: whole % 60,
    },
  }
}
