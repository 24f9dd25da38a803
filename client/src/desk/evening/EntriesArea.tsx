import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { AXIS, GRID, MARGIN } from '../frame/chartLook.ts'
import { FIGURES } from '../texts/figures.ts'
import styles from './Evening.module.css'

const words = FIGURES.evening
const TABLE_STEP = 10
/** Room for the half of the last tick's label that is drawn past the right edge (px). */
const LAST_TICK = 28

/** One minute; `label` is its time as people read it. */
export interface Minute {
  label: string
  count: number
}

interface EntriesAreaProps {
  minutes: readonly Minute[]
  /** The labels on the time axis. */
  ticks: string[]
  /** The top of the other axis; by default what is needed. */
  top?: number
}

/** Entries per minute, drawn; `SpokenEntries` is the same for screen readers. */
export const EntriesArea = ({ minutes, ticks, top }: EntriesAreaProps) => (
  <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 320, height: 180 }}>
    <AreaChart data={minutes} accessibilityLayer={false} margin={{ ...MARGIN, right: LAST_TICK }}>
      <CartesianGrid {...GRID} />
      <XAxis {...AXIS} dataKey="label" ticks={ticks} interval={0} />
      <YAxis
        {...AXIS}
        width={32}
        allowDecimals={false}
        {...(top === undefined ? {} : { domain: [0, top], tickCount: 3 })}
      />
      <Tooltip
        content={({ active, payload }) => {
          const minute: Minute | undefined = payload[0]?.payload
          return active && minute ? (
            <p className={styles.tip}>
              {minute.label}: <strong className="tabular">{minute.count}</strong>
            </p>
          ) : null
        }}
      />
      <Area
        dataKey="count"
        type="stepAfter"
        stroke="var(--peacock)"
        fill="var(--peacock)"
        fillOpacity={0.2}
        isAnimationActive={false}
      />
    </AreaChart>
  </ResponsiveContainer>
)

interface SpokenEntriesProps {
  caption: string
  columns: readonly { name: string; minutes: readonly Minute[] }[]
}

/** The sum of every ten minutes. A table cannot be smaller than its rows, so a wrapper hides it. */
export const SpokenEntries = ({ caption, columns }: SpokenEntriesProps) => (
  <div className={styles.spoken}>
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{words.minute}</th>
          {columns.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {(columns[0]?.minutes ?? [])
          .filter((_, index) => index % TABLE_STEP === 0)
          .map(({ label }, step) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {columns.map(({ name, minutes }) => (
                <td key={name}>{sumFrom(minutes, step * TABLE_STEP)}</td>
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  </div>
)

const sumFrom = (minutes: readonly Minute[], from: number): number =>
  minutes.slice(from, from + TABLE_STEP).reduce((sum, { count }) => sum + count, 0)
