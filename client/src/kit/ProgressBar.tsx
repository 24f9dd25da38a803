import { formatCount } from '@garba/shared/messages/language'
import headcountStyles from './Headcount.module.css'
import styles from './ProgressBar.module.css'

interface ProgressBarProps {
  label: string
  /** 0 to 100; anything beyond is clamped. */
  value: number
}

/** A screen reader reads the label and the percentage; other figures stand beside the bar. */
export const ProgressBar = ({ label, value }: ProgressBarProps) => {
  const held = Math.min(100, Math.max(0, Number.isFinite(value) ? value : 0))
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(held)}
      className={styles.track}
    >
      <div className={styles.fill} style={{ width: `${held}%` }} />
    </div>
  )
}

interface HeadcountProps {
  people: number
  /** The unit of the number: "people let in". */
  peopleWord: string
  admitted: number
  sold: number
  /** The text of the bar: "473 of 480 tickets used". */
  ticketsUsed: string
  facts: readonly { label: string; count: number }[]
}

/** The large number counts the people let in; the bar below it shows the tickets they used. */
export const Headcount = ({ people, peopleWord, admitted, sold, ticketsUsed, facts }: HeadcountProps) => (
  <>
    <p className={headcountStyles.number}>
      <strong data-testid="people">{formatCount(people)}</strong> <span>{peopleWord}</span>
    </p>
    <div className="stack-2">
      <p>{ticketsUsed}</p>
      <ProgressBar label={ticketsUsed} value={sold === 0 ? 0 : (admitted / sold) * 100} />
    </div>
    <dl className={headcountStyles.facts}>
      {facts.map((fact) => (
        <div key={fact.label}>
          <dt>{fact.label}</dt>
          <dd className="tabular">{formatCount(fact.count)}</dd>
        </div>
      ))}
    </dl>
  </>
)
