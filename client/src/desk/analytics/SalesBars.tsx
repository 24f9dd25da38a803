import { FIGURES } from '@garba/shared/messages/deskFigures'
import { numberFormat } from '@garba/shared/messages/formats'
import { formatCount } from '@garba/shared/messages/language'
import { formatRupees } from '@garba/shared/rules/money'
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { AXIS, GRID, MARGIN } from '../frame/chartLook.ts'
import styles from './Analytics.module.css'

export interface SalesPoint {
  label: string
  count: number
  revenue: number
}

interface SalesBarsProps {
  title: string
  points: readonly SalesPoint[]
  /** What a point stands for: heading of the table's first column. */
  unit: string
}

const words = FIGURES.analytics
const compact = numberFormat('en-IN', { notation: 'compact', maximumFractionDigits: 1 })

/** Revenue as bars, and the same figures as a table for people who read rather than look (LOOK 2). */
export const SalesBars = ({ title, points, unit }: SalesBarsProps) => (
  <>
    <div className={styles.chart} role="img" aria-label={words.chartOf(title)}>
      <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 320, height: 240 }}>
        <BarChart data={[...points]} accessibilityLayer={false} margin={MARGIN}>
          <CartesianGrid {...GRID} />
          <XAxis {...AXIS} dataKey="label" minTickGap={4} />
          <YAxis {...AXIS} width={52} tickFormatter={(rupees: number) => `₹${compact.format(rupees)}`} />
          <Tooltip
            cursor={{ fill: 'var(--hover)' }}
            content={({ active, payload }) => {
              const point: SalesPoint | undefined = payload[0]?.payload
              return active && point ? <SalesTip point={point} /> : null
            }}
          />
          <Bar
            dataKey="revenue"
            fill="var(--peacock)"
            radius={[4, 4, 0, 0]}
            maxBarSize={48}
            isAnimationActive={false}
          />
        </BarChart>
      </ResponsiveContainer>
    </div>
    <details className={styles.details}>
      <summary>{words.asTable}</summary>
      <SalesTable {...{ title, points, unit }} />
    </details>
  </>
)

const SalesTip = ({ point: { label, count, revenue } }: { point: SalesPoint }) => (
  <div className={styles.tip}>
    <p className={styles.tipTitle}>{label}</p>
    <p className="tabular">
      {formatRupees(revenue, { decimals: 0 })}, {count} {words.columns.tickets.toLowerCase()}
    </p>
  </div>
)

const SalesTable = ({ title, points, unit }: SalesBarsProps) => (
  <table className={styles.table}>
    <caption>{title}</caption>
    <thead>
      <tr>
        <th scope="col">{unit}</th>
        <th scope="col">{words.columns.tickets}</th>
        <th scope="col">{words.columns.revenue}</th>
      </tr>
    </thead>
    <tbody>
      {points.map(({ label, count, revenue }) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          <td className="tabular">{formatCount(count)}</td>
          <td className="tabular">{formatRupees(revenue, { decimals: 0 })}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
