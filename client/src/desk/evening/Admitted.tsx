import type { Evening } from '@garba/shared/contracts/desk'
import { HEADCOUNT } from '@garba/shared/messages/gate'
import { enteredLately } from '@garba/shared/rules/ticketStatus'
import { Headcount } from '../../kit/Headcount.tsx'
import { FIGURES } from '../texts/figures.ts'
import styles from './Evening.module.css'

/** How many people were let in, and how many tickets are left to come or did not. */
export const Admitted = ({ evening, isOver = false }: { evening: Evening; isOver?: boolean }) => {
  const { people, admitted, sold, leftToCome } = evening
  const left = { label: isOver ? FIGURES.evening.stayedAway : HEADCOUNT.left, count: leftToCome }
  const lately = { label: HEADCOUNT.lastTen, count: enteredLately(evening) }
  return (
    <section className={styles.headcount} aria-label={HEADCOUNT.title}>
      <Headcount
        people={people}
        peopleWord={HEADCOUNT.people(people)}
        admitted={admitted}
        sold={sold}
        ticketsUsed={HEADCOUNT.ticketsUsed(admitted, sold)}
        facts={isOver ? [left] : [left, lately]}
      />
    </section>
  )
}
