import type { BooksLine } from '@garba/shared/contracts/order'
import { MONEY } from '@garba/shared/messages/deskMoney'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { StateChip } from '../../kit/Badge.tsx'
import { queries } from '../../platform/queries.ts'
import { LoadedCard } from '../frame/LoadedCard.tsx'
import styles from './Money.module.css'

const words = MONEY.books

/** The Books, rule by rule: green, or red with what breaks it. `linked`: the reader may open the orders. */
export const BooksCard = ({ linked }: { linked: boolean }) => {
  const query = useQuery(queries.books())
  return (
    <LoadedCard title={words.title} query={query} failed={words.failed} words={words} lines={5}>
      {({ books }) => (
        <ul className={styles.lines}>
          {books.map((line) => (
            <li key={line.rule} className={styles.line}>
              <span className={styles.what}>{words.rules[line.rule]}</span>
              <StateChip state={line.ok ? 'ok' : 'bad'}>{line.ok ? words.ok : words.wrong(line.count)}</StateChip>
              {line.ok ? null : <Examples line={line} linked={linked} />}
            </li>
          ))}
        </ul>
      )}
    </LoadedCard>
  )
}

/** Other things than orders break rules too: an event's seats, a payment's id. */
const isOrderCode = (name: string) => /^[0-9A-HJKMNP-TV-Z]{8}$/.test(name)

const Examples = ({ line, linked }: { line: BooksLine; linked: boolean }) => (
  <ul className={styles.examples}>
    {line.examples.map((name) => (
      <li key={name}>{linked && isOrderCode(name) ? <Link to={`../orders/${name}`}>{name}</Link> : name}</li>
    ))}
    {line.count > line.examples.length ? <li>{words.more(line.count - line.examples.length)}</li> : null}
  </ul>
)
