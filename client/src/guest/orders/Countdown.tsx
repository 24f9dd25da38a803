import { VisuallyHidden } from '../../kit/VisuallyHidden.tsx'
import { useClock } from '../../platform/net/clock.ts'
import { useNow } from '../../platform/screen/now.ts'
import styles from './Countdown.module.css'
import { useOrderWords } from './words.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
/** The minutes announced to screen readers. */
const TOLD_AT = [1, 2, 5, 10, 15, 30, 60] as const

/** Milliseconds until an instant by the server's clock, never below 0, updated each second; null without an instant. */
export function useTimeLeft(until: string | null): number | null {
  const offset = useClock((clock) => clock.offset)
  const now = useNow(SECOND_MS)
  return until === null ? null : Math.max(0, Date.parse(until) - now - offset)
}

/** The time left to pay: each second on the screen, now and then for a screen reader. */
export const Countdown = ({ left }: { left: number }) => {
  const { waiting } = useOrderWords()
  const seconds = Math.ceil(left / SECOND_MS)
  const minutes = TOLD_AT.find((at) => left <= at * MINUTE_MS)
  return (
    <div className={styles.countdown}>
      <span className={styles.label} aria-hidden="true">
        {waiting.left}
      </span>
      <span className={styles.time} aria-hidden="true">
        {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
      </span>
      <VisuallyHidden role="status">{minutes === undefined ? '' : waiting.announce(minutes)}</VisuallyHidden>
    </div>
  )
}
