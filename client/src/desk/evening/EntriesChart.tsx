import type { Evening } from '@garba/shared/contracts/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { Card } from '../../kit/Card.tsx'
import { useDates } from '../frame/dates.ts'
import { EntriesArea, SpokenEntries } from './EntriesArea.tsx'
import styles from './Evening.module.css'

const words = FIGURES.evening

/** Entries per minute, all gates together. */
export const EntriesChart = ({ perMinute }: { perMinute: Evening['perMinute'] }) => {
  const { timeOf } = useDates()
  const minutes = perMinute.map(({ minute, count }) => ({ label: timeOf(minute), count }))
  const halfHours = minutes.map(({ label }) => label).filter((label) => /:[03]0/.test(label))
  return (
    <Card title={words.perMinute}>
      {minutes.every(({ count }) => count === 0) ? <p className={styles.soft}>{words.noEntries}</p> : null}
      <div className={styles.chart} aria-hidden="true">
        <EntriesArea minutes={minutes} ticks={halfHours} />
      </div>
      <SpokenEntries caption={words.perMinute} columns={[{ name: words.entries, minutes }]} />
    </Card>
  )
}
