import { MINUTE_MS } from '@garba/shared/constants'
import type { EveningFigures } from '@garba/shared/contracts/desk'
import { findUnevenGates } from '@garba/shared/rules/event/forecast'
import { getCrowdLevel } from '@garba/shared/rules/event/inside'
import { enteredLately } from '@garba/shared/rules/ticketStatus'
import { useDates } from '../frame/dates.ts'
import { INSIDE } from '../texts/ground.ts'
import styles from './Inside.module.css'

/** A forecast that moved more than this in ten minutes tells nobody anything. */
const SURE_MINUTES = 60

interface InsideProps {
  evening: EveningFigures
  /** The strip of trouble names the silent phones. */
  isTold: boolean
}

export const Inside = ({ evening, isTold }: InsideProps) => {
  const { timeOf } = useDates()
  const { inside, capacity, forecast, gates, at } = evening
  const { low, high, silent, silentSince } = inside
  // The upper bound: what a silent phone has not reported may be people inside.
  const level = getCrowdLevel(high, capacity)
  const minutes = silentSince === null ? 0 : Math.round((Date.parse(at) - Date.parse(silentSince)) / MINUTE_MS)
  const uneven = findUnevenGates(
    gates.filter(({ none }) => !none).map(({ name, perMinute }) => ({ name, count: enteredLately({ perMinute, at }) })),
  )
  return (
    <section className={styles.inside} aria-label={INSIDE.title} data-crowd={level}>
      <p>
        <span>{INSIDE.title}</span> <strong className="tabular">{INSIDE.between(low, high)}</strong>{' '}
        {capacity === null ? null : INSIDE.of(capacity)}
      </p>
      {level === null ? null : (
        <p className={styles.level} role="status">
          {level === 'full' ? INSIDE.full : INSIDE.nearly(Math.max(0, (capacity ?? 0) - high))}
        </p>
      )}
      {silent === 0 || isTold ? null : <p>{INSIDE.silent(silent, minutes)}</p>}
      {forecast === null || forecast.error > SURE_MINUTES ? null : (
        <p>{INSIDE.allIn(timeOf(forecast.allInBy), forecast.error)}</p>
      )}
      {uneven === null ? null : <p>{INSIDE.uneven(uneven)}</p>}
    </section>
  )
}
