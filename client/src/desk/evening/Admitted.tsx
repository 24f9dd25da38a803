import type { Evening } from '@garba/shared/contracts/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { enteredLately } from '@garba/shared/rules/entries'
import { Headcount } from '../../kit/Headcount.tsx'
import styles from './Evening.module.css'

const words = FIGURES.evening

/** How many tickets have been admitted, and how many people are left to come or did not. */
export const Admitted = ({ evening, isOver = false }: { evening: Evening; isOver?: boolean }) => {
  const { admitted, sold, leftToCome } = evening
  const left = { label: isOver ? words.stayedAway : words.left, count: leftToCome }
  const lately = { label: words.lastTen, count: enteredLately(evening) }
  return (
    <section className={styles.headcount} aria-label={words.inside}>
      <p className={styles.label}>{words.inside}</p>
      <Headcount
        label={words.inside}
        admitted={admitted}
        sold={sold}
        ofSold={words.ofSold(sold)}
        facts={isOver ? [left] : [left, lately]}
      />
    </section>
  )
}
