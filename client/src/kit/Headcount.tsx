import { formatCount } from '@garba/shared/messages/language'
import styles from './Headcount.module.css'
import { ProgressBar } from './ProgressBar.tsx'

interface HeadcountProps {
  /** What the number counts, for screen readers. */
  label: string
  admitted: number
  sold: number
  /** Beside the number: "of 480 sold". */
  ofSold: string
  facts: readonly { label: string; count: number }[]
}

/** The one large number of an evening: how many tickets have been admitted. */
export const Headcount = ({ label, admitted, sold, ofSold, facts }: HeadcountProps) => (
  <>
    <p className={styles.number}>
      <strong data-testid="admitted">{formatCount(admitted)}</strong> <span>{ofSold}</span>
    </p>
    <ProgressBar
      label={label}
      value={sold === 0 ? 0 : (admitted / sold) * 100}
      valueText={`${formatCount(admitted)} ${ofSold}`}
    />
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
