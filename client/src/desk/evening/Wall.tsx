import type { EveningFigures } from '@garba/shared/contracts/desk'
import { HEADCOUNT } from '@garba/shared/messages/gate'
import { formatCount } from '@garba/shared/messages/language'
import { enteredLately } from '@garba/shared/rules/ticketStatus'
import { type CSSProperties, useEffect, useMemo } from 'react'
import { createPortal } from 'react-dom'
import type { StreamState } from '../../platform/http/stream.ts'
import { useWakeLock } from '../../platform/screen/wakeLock.ts'
import { useDates } from '../frame/dates.ts'
import { FIGURES } from '../texts/figures.ts'
import styles from './EveningView.module.css'
import { alarmText, useIsTonight } from './Headline.tsx'
import { Inside } from './Inside.tsx'
import { isSilenceTold } from './Trouble.tsx'

const words = FIGURES.evening
/** More would leave no room for the lamp; the first are the worst. */
const TROUBLE_MAX = 3

interface WallProps {
  evening: EveningFigures
  line: StreamState
  receivedAt: number
  trouble: readonly string[]
  onLeave: () => void
}

export const Wall = ({ evening, line, receivedAt, trouble, onLeave }: WallProps) => {
  const { timeOf } = useDates()
  const runs = useIsTonight()
  useWakeLock(true)
  useFullScreen(onLeave)
  const { people, admitted, sold, leftToCome, alarms } = evening
  const all = [...trouble, ...alarms.map(alarmText)]
  const more = all.length - TROUBLE_MAX
  const received = timeOf(new Date(receivedAt).toISOString())
  return createPortal(
    <section className={styles.wall} data-surface="night" aria-label={words.wall.title}>
      <div className={styles.count}>
        <strong className="tabular" style={{ '--digits': Math.max(3, formatCount(people).length) } as CSSProperties}>
          {formatCount(people)}
        </strong>
        <p>{HEADCOUNT.people(people)}</p>
        <p className={styles.soft}>{HEADCOUNT.ticketsUsed(admitted, sold)}</p>
        <Inside evening={evening} isTold={isSilenceTold(evening, trouble)} />
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
      <div className={styles.lamp}>
        <Lamp evening={evening} />
        {all.length === 0 ? (
          <GateCounts gates={evening.gates} />
        ) : (
          <ol className={styles.wallTrouble}>
            {all.slice(0, TROUBLE_MAX).map((text) => (
              <li key={text}>{text}</li>
            ))}
            {more > 0 ? <li>{words.wall.more(more)}</li> : null}
          </ol>
        )}
      </div>
      <footer className={styles.foot}>
        <p className={line === 'open' ? styles.soft : styles.alarm}>
          {line !== 'open' ? words.wall.lost(received) : runs ? words.wall.live(received) : words.asOf(0)}
        </p>
      </footer>
    </section>,
    document.body,
  )
}

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

const OUTER = 92
const INNER = 30
/** A lamp of a small evening still has rings. */
const HOLES_MIN = 120

/** One hole for each ticket sold, lit from the outer ring inwards by each person let in. */
const Lamp = ({ evening: { people, sold } }: { evening: Pick<EveningFigures, 'people' | 'sold'> }) => {
  const count = Math.max(people, sold, HOLES_MIN)
  const { holes, size } = useMemo(() => pierceHoles(count), [count])
  return (
    <svg viewBox="-100 -100 200 200" aria-hidden="true" strokeWidth={size}>
      <circle r="99" className={styles.clay} />
      <circle r="20" className={styles.glow} />
      <circle r="11" className={styles.flame} />
      <path className={styles.hole} d={holes.slice(people).join('')} />
      <path className={styles.lit} d={holes.slice(0, people).join('')} />
    </svg>
  )
}

const GateCounts = ({ gates }: Pick<EveningFigures, 'gates'>) => {
  const named = gates.filter(({ none, people }) => !none || people > 0)
  return (
    <ol className={styles.legend}>
      {(named.every(({ none }) => none) ? [] : named).map(({ name, people }) => (
        <li key={name}>
          <span title={name}>{name}</span> <strong className="tabular">{formatCount(people)}</strong>
        </li>
      ))}
    </ol>
  )
}

/** The holes as pieces of a path, ring by ring from the outside, clockwise from the top: as far apart as their number allows. */
function pierceHoles(count: number): { holes: string[]; size: number } {
  const pitch = Math.sqrt((Math.PI * (OUTER ** 2 - INNER ** 2)) / count)
  const radii = Array.from({ length: Math.ceil((OUTER - INNER) / pitch) }, (_, ring) => OUTER - ring * pitch)
  const length = radii.reduce((sum, radius) => sum + radius, 0)
  const holes: string[] = []
  for (const [ring, radius] of radii.entries()) {
    const isLast = ring === radii.length - 1
    const inRing = isLast ? count - holes.length : Math.min(count - holes.length, Math.round((count * radius) / length))
    for (let hole = 0; hole < inRing; hole++) {
      const turn = ((hole + 0.5) / inRing) * 2 * Math.PI
      holes.push(`M${(radius * Math.sin(turn)).toFixed(1)} ${(-radius * Math.cos(turn)).toFixed(1)}h.01`)
    }
  }
  return { holes, size: pitch * 0.55 }
}
