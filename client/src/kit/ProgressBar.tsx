import { formatCount } from '@garba/shared/messages/language'
import styles from './ProgressBar.module.css'

interface ProgressBarProps {
  label: string
  value: number
}

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
  peopleWord: string
  admitted: number
  sold: number
  ticketsUsed: string
  note?: string | null
  facts: readonly { label: string; count: number }[]
}

export const Headcount = ({ people, peopleWord, admitted, sold, ticketsUsed, note = null, facts }: HeadcountProps) => (
  <>
    <p className={styles.number}>
      <strong data-testid="people">{formatCount(people)}</strong> <span>{peopleWord}</span>
    </p>
    <div className="stack-2">
      <p>{ticketsUsed}</p>
      <ProgressBar label={ticketsUsed} value={sold === 0 ? 0 : (admitted / sold) * 100} />
      {note === null ? null : <p className="soft">{note}</p>}
    </div>
    <dl className={styles.facts}>
      {facts.map((fact) => (
        <div key={fact.label}>
          <dt>{fact.label}</dt>
          <dd className="tabular">{formatCount(fact.count)}</dd>
        </div>
      ))}
    </dl>
  </>
)
