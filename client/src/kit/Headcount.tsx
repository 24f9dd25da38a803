import { formatCount } from '@garba/shared/messages/language'
import styles from './Headcount.module.css'
import { ProgressBar } from './ProgressBar.tsx'

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
    <p className={styles.number}>
      <strong data-testid="people">{formatCount(people)}</strong> <span>{peopleWord}</span>
    </p>
    <div className="stack-2">
      <p>{ticketsUsed}</p>
      <ProgressBar label={ticketsUsed} value={sold === 0 ? 0 : (admitted / sold) * 100} valueText={ticketsUsed} />
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
