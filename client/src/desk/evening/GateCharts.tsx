import type { Evening } from '@garba/shared/contracts/desk'
import { GATE } from '@garba/shared/messages/gate'
import { useDates } from '../frame/dates.ts'
import { EntriesArea, SpokenEntries } from './EntriesArea.tsx'
import styles from './Evening.module.css'

/** Entries per minute at each gate that let somebody in lately, all to the same scale; nothing when none did. */
export const GateCharts = ({ gates, perMinute }: Pick<Evening, 'gates' | 'perMinute'>) => {
  const { timeOf } = useDates()
  const columns = gates
    .filter((gate) => gate.perMinute.length > 0)
    .map((gate) => {
      const counts = new Map(gate.perMinute.map(({ minute, count }) => [minute, count]))
      return {
        name: gate.name,
        minutes: perMinute.map(({ minute }) => ({ label: timeOf(minute), count: counts.get(minute) ?? 0 })),
      }
    })
  if (columns.length === 0) return null
  const top = Math.max(...columns.flatMap(({ minutes }) => minutes.map(({ count }) => count)))
  const hours = perMinute.map(({ minute }) => timeOf(minute)).filter((label) => /:00/.test(label))
  return (
    <section className={styles.gates}>
      <h3 className={styles.label}>{GATE.perMinute}</h3>
      <ul className={styles.gateCharts} aria-hidden="true">
        {columns.map(({ name, minutes }) => (
          <li key={name}>
            <p className={styles.gateName} title={name}>
              {name}
            </p>
            <div className={styles.gateChart}>
              <EntriesArea minutes={minutes} ticks={hours} top={top} />
            </div>
          </li>
        ))}
      </ul>
      <SpokenEntries caption={GATE.perMinute} columns={columns} />
    </section>
  )
}
