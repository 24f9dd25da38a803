import { FIGURES } from '../texts/figures.ts'
import styles from './Evening.module.css'

const words = FIGURES.evening
const TABLE_STEP = 10

/** One minute; `label` is its time as people read it. */
export interface Minute {
  label: string
  count: number
}

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
