import type { Evening } from '@garba/shared/contracts/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { Card } from '../../kit/Card.tsx'
import { AXIS, GRID, MARGIN } from '../frame/chartLook.ts'
import { useDates } from '../frame/dates.ts'
import styles from './Evening.module.css'

const words = FIGURES.evening
const TABLE_STEP = 10

/** Entries per minute; screen readers get the sum of every ten. */
export const EntriesChart = ({ perMinute }: { perMinute: Evening['perMinute'] }) => {
  const { timeOf } = useDates()
  const points = perMinute.map(({ minute, count }) => ({ label: timeOf(minute), count }))
  const total = points.reduce((sum, { count }) => sum + count, 0)
  return (
    <Card title={words.perMinute}>
      {total === 0 ? <p className={styles.soft}>{words.noEntries}</p> : null}
      <div className={styles.chart} aria-hidden="true">
        <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 320, height: 180 }}>
          <AreaChart data={points} accessibilityLayer={false} margin={MARGIN}>
            <CartesianGrid {...GRID} />
            <XAxis {...AXIS} dataKey="label" ticks={halfHours(points)} interval={0} />
            <YAxis {...AXIS} width={32} allowDecimals={false} />
            <Tooltip
              content={({ active, payload }) => {
                const point: { label: string; count: number } | undefined = payload[0]?.payload
                return active && point ? (
                  <p className={styles.tip}>
                    {point.label}: <strong className="tabular">{point.count}</strong>
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
      </div>
      {/* A table cannot be smaller than its rows, so a wrapper hides it. */}
      <div className={styles.spoken}>
        <table>
          <caption>{words.perMinute}</caption>
          <thead>
            <tr>
              <th scope="col">{words.minute}</th>
              <th scope="col">{words.entries}</th>
            </tr>
          </thead>
          <tbody>
            {points
              .filter((_, index) => index % TABLE_STEP === 0)
              .map(({ label }, step) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  <td>{sumFrom(points, step * TABLE_STEP)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

const halfHours = (points: readonly { label: string }[]): string[] =>
  points.map(({ label }) => label).filter((label) => /:[03]0/.test(label))

const sumFrom = (points: readonly { count: number }[], from: number): number =>
  points.slice(from, from + TABLE_STEP).reduce((sum, { count }) => sum + count, 0)
