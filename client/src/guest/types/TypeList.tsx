import { DEFAULT_TIMEZONE } from '@garba/shared/constants'
import type { TicketTypeOffer } from '@garba/shared/contracts/types/ticketType'
import { momentText } from '@garba/shared/messages/formats'
import { formatRupees } from '@garba/shared/rules/money'
import { pickTypeName } from '@garba/shared/rules/types/ticketTypes'
import { ChevronRight } from 'lucide-react'
import { useConfig } from '../../platform/config.ts'
import { useLanguage } from '../../platform/language.ts'
import styles from './TypeList.module.css'
import { useTypeWords } from './words.ts'

/** How long a price counts and for how many more, in true counts; null while it has no end. */
export function usePhaseText(): (phase: TicketTypeOffer['phase']) => string | null {
  const words = useTypeWords()
  const language = useLanguage((store) => store.language)
  const timeZone = useConfig(({ config }) => config?.timezone ?? DEFAULT_TIMEZONE)
  return ({ until, left }) => {
    const when = until === null ? null : momentText(until, { language, timeZone })
    if (when !== null && left !== null) return words.untilOrLeft(when, left)
    return when !== null ? words.until(when) : left === null ? null : words.leftAtPrice(left)
  }
}

interface TypeListProps {
  types: readonly TicketTypeOffer[]
  /** The event's free seats, which the page tells: a type that is not limited itself does not repeat them. */
  free: number
  onChoose: ((type: string) => void) | null
}

/** The event's types; one that is on sale leads into its purchase. */
export const TypeList = ({ types, free, onChoose }: TypeListProps) => {
  const words = useTypeWords()
  return (
    <ul className={styles.list}>
      {types.map((type) => (
        <li key={type.id}>
          {onChoose !== null && type.state === 'onSale' ? (
            <button type="button" className={styles.type} onClick={() => onChoose(type.id)}>
              <span className="spoken">{words.choose}: </span>
              <TypeOffer type={type} free={free} />
              <ChevronRight />
            </button>
          ) : (
            <div className={styles.type}>
              <TypeOffer type={type} free={free} />
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

const TypeOffer = ({ type, free }: { type: TicketTypeOffer; free: number }) => {
  const words = useTypeWords()
  const language = useLanguage((store) => store.language)
  const phaseText = usePhaseText()
  const { price, groupPrice, state, admits, remaining, note } = type
  const isOpen = state === 'onSale'
  const facts = [
    admits > 1 && words.admits(admits),
    isOpen && groupPrice < price && words.group(formatRupees(groupPrice)),
    isOpen && phaseText(type.phase),
    isOpen && remaining < Math.floor(free / admits) && words.left(remaining),
  ].filter(Boolean)
  return (
    <span className={styles.words} data-closed={!isOpen || undefined}>
      <span className={styles.head}>
        <span className={styles.name}>{pickTypeName(type.name, language)}</span>
        <span className={styles.price}>{formatRupees(price)}</span>
      </span>
      {facts.length === 0 ? null : <span className={styles.facts}>{facts.join(' · ')}</span>}
      {note === null ? null : <span className={styles.facts}>{note}</span>}
      {isOpen ? null : <span className={styles.state}>{words.states[state]}</span>}
    </span>
  )
}
