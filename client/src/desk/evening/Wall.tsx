import type { Evening } from '@garba/shared/contracts/desk'
import { HEADCOUNT } from '@garba/shared/messages/gate'
import { formatCount } from '@garba/shared/messages/language'
import { enteredLately } from '@garba/shared/rules/ticketStatus'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import type { StreamState } from '../../platform/http/stream.ts'
import { useWakeLock } from '../../platform/screen/wakeLock.ts'
import { useDates } from '../frame/dates.ts'
import { FIGURES } from '../texts/figures.ts'
import { alarmText } from './Alarms.tsx'
import { GarboChart } from './GarboChart.tsx'
import styles from './Wall.module.css'

const words = FIGURES.evening

interface WallProps {
  evening: Evening
  line: StreamState
  receivedAt: number
  onLeave: () => void
}

/** The evening for a screen on the wall of a tent: no controls. Escape, Back or leaving full screen ends it. */
export const Wall = ({ evening, line, receivedAt, onLeave }: WallProps) => {
  const { timeOf } = useDates()
  useWakeLock(true)
  useFullScreen(onLeave)
  const { people, admitted, sold, leftToCome, alarms, conflicts } = evening
  const open = conflicts.filter(({ acknowledgedAt }) => acknowledgedAt === null).length
  return createPortal(
    <section className={styles.wall} data-surface="night" aria-label={words.wall.title}>
      <div className={styles.count}>
        <strong className="tabular">{formatCount(people)}</strong>
        <p>{HEADCOUNT.people(people)}</p>
        <p className={styles.soft}>{HEADCOUNT.ticketsUsed(admitted, sold)}</p>
        <dl>
          <div>
            <dt>{HEADCOUNT.left}</dt>
            <dd className="tabular">{formatCount(leftToCome)}</dd>
          </div>
          <div>
            <dt>{HEADCOUNT.lastTen}</dt>
            <dd className="tabular">{formatCount(enteredLately(evening))}</dd>
          </div>
        </dl>
      </div>
      <GarboChart evening={evening} receivedAt={receivedAt} className={styles.garbo} />
      <footer className={styles.foot}>
        {alarms.map((alarm) => (
          <p key={`${alarm.kind} ${alarm.checkerName} ${alarm.deviceId}`} className={styles.alarm}>
            {alarmText(alarm)}
          </p>
        ))}
        {open > 0 ? <p className={styles.alarm}>{words.wall.conflicts(open)}</p> : null}
        <p className={line === 'open' ? styles.soft : styles.alarm}>
          {line === 'open'
            ? words.wall.live(timeOf(new Date(receivedAt).toISOString()))
            : words.wall.lost(timeOf(new Date(receivedAt).toISOString()))}
        </p>
      </footer>
    </section>,
    document.body,
  )
}

/** Takes the whole screen where the browser allows it. What is behind can be neither seen nor reached. */
function useFullScreen(onLeave: () => void) {
  useEffect(() => {
    const behind = [...document.body.children].filter(
      (element): element is HTMLElement =>
        element instanceof HTMLElement && !element.matches(`[data-surface="night"].${styles.wall}`),
    )
    for (const element of behind) element.inert = true
    const leaveOnEscape = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') onLeave()
    }
    const leaveFullScreen = () => {
      if (document.fullscreenElement === null) onLeave()
    }
    document.addEventListener('keydown', leaveOnEscape)
    document.addEventListener('fullscreenchange', leaveFullScreen)
    return () => {
      for (const element of behind) element.inert = false
      document.removeEventListener('keydown', leaveOnEscape)
      document.removeEventListener('fullscreenchange', leaveFullScreen)
      if (document.fullscreenElement) void document.exitFullscreen()
    }
  }, [onLeave])
}
