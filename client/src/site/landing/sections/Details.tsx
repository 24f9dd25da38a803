import type { GarbaEvent } from '@garba/shared/contracts/event'
import { LANGUAGE_LOCALES } from '@garba/shared/messages/language'
import type { ReactNode } from 'react'
import { StateChip } from '../../../kit/Badge.tsx'
import { useLanguage } from '../../../platform/language.ts'
import { useWords } from '../../words.ts'
import type { EventFacts } from '../facts.ts'
import styles from './Details.module.css'
import { Section } from './Section.tsx'
import { useSectionWords } from './words.ts'

/** When, where and for how much, on paper like the ticket itself. */
export const Details = ({ event, facts }: { event: GarbaEvent | null; facts: EventFacts }) => {
  const { hero } = useWords()
  const { details } = useSectionWords()
  return (
    <Section id="details" title={details.title}>
      <div className={styles.paper} data-surface="paper">
        <dl className={styles.when}>
          <Detail label={hero.date}>{facts.longDate ?? facts.shortDate}</Detail>
          <Detail label={hero.time}>{facts.time}</Detail>
          <Detail label={hero.venue}>{facts.venue}</Detail>
        </dl>
        <dl className={styles.prices}>
          <Detail label={facts.group ? details.single : hero.price}>
            <Price amount={facts.price} each={details.each} />
          </Detail>
          {facts.group === null ? null : (
            <Detail label={details.group} note={details.saving(facts.group.saving)}>
              <Price amount={facts.group.price} each={details.each} />
            </Detail>
          )}
          {event === null ? null : <Availability left={event.availableTickets} />}
        </dl>
      </div>
    </Section>
  )
}

const Detail = ({ label, note, children }: { label: string; note?: string; children: ReactNode }) => (
  <div className={styles.detail}>
    <dt>{label}</dt>
    <dd className={styles.value}>{children}</dd>
    {note === undefined ? null : <dd className={styles.note}>{note}</dd>}
  </div>
)

const Price = ({ amount, each }: { amount: string; each: string }) => (
  <>
    <span className={styles.amount}>{amount}</span> <span className={styles.each}>{each}</span>
  </>
)

const Availability = ({ left }: { left: number }) => {
  const { hero } = useWords()
  const { details } = useSectionWords()
  const language = useLanguage((store) => store.language)
  const count = new Intl.NumberFormat(LANGUAGE_LOCALES[language]).format(left)
  return (
    <Detail label={details.availability}>
      {left > 0 ? (
        <StateChip state="ok">{details.remaining(count)}</StateChip>
      ) : (
        <StateChip state="bad">{hero.soldOut}</StateChip>
      )}
    </Detail>
  )
}
