import type { Evening } from '@garba/shared/contracts/desk'
import { HEADCOUNT } from '@garba/shared/messages/gate'
import { formatCount } from '@garba/shared/messages/language'
import { cx } from '../../kit/cx.ts'
import { useNow } from '../../platform/screen/now.ts'
import { FIGURES } from '../texts/figures.ts'
import { serverTimeOf, silenceOf } from './Devices.tsx'
import styles from './GarboChart.module.css'

const words = FIGURES.evening
/** Holes of a ring: each stands for two of the last 120 minutes, the newest at the top. */
const HOLES = 60
const OUTER = 90
const INNER = 46
/** Phones are lamps around the middle; more would touch each other. */
const LAMPS_MAX = 24
const LAMPS_RADIUS = 30
const LOOK_MS = 10_000

interface GarboChartProps {
  evening: Pick<Evening, 'at' | 'gates' | 'perMinute' | 'devices'>
  /** When the figures came, in ms. */
  receivedAt: number
  className?: string | undefined
}

/** Entries as light in the rings of a garbo, one ring per gate. A silent phone is a dark lamp. The tables say the same. */
export const GarboChart = ({ evening, receivedAt, className }: GarboChartProps) => {
  const now = useNow(LOOK_MS)
  const rings = ringsOf(evening)
  const top = Math.max(1, ...rings.flatMap(({ holes }) => holes))
  const step = rings.length < 2 ? 0 : Math.min(14, (OUTER - INNER) / (rings.length - 1))
  const size = rings.length > 4 ? 1.7 : 2.4
  const at = serverTimeOf(evening, { receivedAt, now })
  const lamps = evening.devices.slice(0, LAMPS_MAX).map((device) => ({
    id: device.deviceId,
    dark: silenceOf(at - Date.parse(device.lastSeen)) !== null,
  }))
  return (
    <div className={cx(styles.garbo, className)} aria-hidden="true">
      <svg viewBox="-100 -100 200 200" aria-hidden="true">
        <circle r="99" className={styles.clay} />
        {rings.map(({ name, holes }, ring) =>
          holes.map((count, hole) => {
            const place = pointAt(OUTER - ring * step, (hole + 0.5) / HOLES)
            return (
              <circle
                // biome-ignore lint/suspicious/noArrayIndexKey: the holes of a ring never change places
                key={`${name} ${hole}`}
                {...place}
                r={count === 0 ? size * 0.6 : size * (0.8 + 0.4 * (count / top))}
                className={count === 0 ? styles.hole : styles.lit}
                opacity={count === 0 ? 1 : 0.45 + 0.55 * (count / top)}
              />
            )
          }),
        )}
        {lamps.map(({ id, dark }, lamp) => (
          <circle
            key={id}
            {...pointAt(LAMPS_RADIUS, lamp / lamps.length)}
            r="3.4"
            className={dark ? styles.dark : styles.lamp}
          />
        ))}
      </svg>
      <ol className={styles.legend}>
        {(rings.length > 1 ? rings : []).map(({ name, people }) => (
          <li key={name}>
            <span title={name}>{name}</span> <strong className="tabular">{formatCount(people)}</strong>
          </li>
        ))}
        {lamps.some(({ dark }) => dark) ? (
          <li className={styles.darkPhones}>{words.darkLamps(lamps.filter(({ dark }) => dark).length)}</li>
        ) : null}
      </ol>
    </div>
  )
}

/** Clockwise from the top; `turn` is a share of the circle. */
const pointAt = (radius: number, turn: number) => ({
  cx: radius * Math.sin(turn * 2 * Math.PI),
  cy: -radius * Math.cos(turn * 2 * Math.PI),
})

/** Outermost first. Without gates, all entries are one ring. */
function ringsOf({ gates, perMinute }: GarboChartProps['evening']) {
  const minutes = perMinute.map(({ minute }) => minute)
  const all = { name: HEADCOUNT.title, people: gates.reduce((sum, { people }) => sum + people, 0), perMinute }
  const named = gates.filter(({ none, people }) => !none || people > 0)
  return (named.every(({ none }) => none) ? [all] : named).map(({ name, people, perMinute: entries }) => {
    const counts = new Map(entries.map(({ minute, count }) => [minute, count]))
    const holes = Array.from({ length: HOLES }, (_, hole) =>
      [0, 1].reduce((sum, half) => sum + (counts.get(minutes[hole * 2 + half] ?? '') ?? 0), 0),
    )
    return { name, people, holes }
  })
}
