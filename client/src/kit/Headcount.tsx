import { formatCount } from '@garba/shared/messages/language'
import styles from './Headcount.module.css'
import { ProgressBar } from './ProgressBar.tsx'

interface HeadcountProps {
  people: number
  /** What the number counts: "people let in". */
  peopleWord: string
  admitted: number
  sold: number
  /** What the bar shows: "473 of 480 tickets used". */
  ticketsUsed: string
  facts: readonly { label: string; count: number }[]
}

/** The one large number of an evening: how many people were let in. Below it, how many tickets they used. */
export const Headcount = ({ people, peopleWord, admitted, sold, ticketsUsed, facts }: HeadcountProps) => (
  <>
    <p className={styles.number}>
      <strong data-testid="people">{formatCount(people)}</strong> <span>{peopleWord}</span>
    </p>
    <div className={styles.tickets}>
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
