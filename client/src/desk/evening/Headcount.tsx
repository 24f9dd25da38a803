import type { Evening } from '@garba/shared/contracts/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { formatCount } from '@garba/shared/messages/language'
import { enteredLately } from '@garba/shared/rules/entries'
import { ProgressBar } from '../../kit/ProgressBar.tsx'
import styles from './Evening.module.css'

const words = FIGURES.evening

/** The one large number: how many tickets have been admitted. */
export const Headcount = ({ evening, isOver = false }: { evening: Evening; isOver?: boolean }) => {
  const { admitted, sold, leftToCome } = evening
  return (
    <section className={styles.headcount} aria-label={words.inside}>
      <p className={styles.label}>{words.inside}</p>
      <p className={styles.number}>
        <strong data-testid="admitted">{formatCount(admitted)}</strong> <span>{words.ofSold(sold)}</span>
      </p>
      <ProgressBar
        label={words.inside}
        value={sold === 0 ? 0 : (admitted / sold) * 100}
        valueText={`${admitted} ${words.ofSold(sold)}`}
      />
      <dl className={styles.facts}>
        <div>
          <dt>{isOver ? words.stayedAway : words.left}</dt>
          <dd className="tabular">{formatCount(leftToCome)}</dd>
        </div>
        {isOver ? null : (
          <div>
            <dt>{words.lastTen}</dt>
            <dd className="tabular">{formatCount(enteredLately(evening))}</dd>
          </div>
        )}
      </dl>
    </section>
  )
}
