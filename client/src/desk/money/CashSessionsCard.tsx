import type { CashSession } from '@garba/shared/contracts/order'
import { MONEY } from '@garba/shared/messages/deskMoney'
import { formatRupees } from '@garba/shared/rules/money'
import { useQuery } from '@tanstack/react-query'
import { StateChip } from '../../kit/Badge.tsx'
import { Table, Td, Th, Tr } from '../../kit/Table.tsx'
import { queries } from '../../platform/queries.ts'
import { useDates } from '../frame/dates.ts'
import { LoadedCard } from '../frame/LoadedCard.tsx'
import styles from './Money.module.css'

const words = MONEY.cash

/** Everybody's cash sessions, with what was missing or too much at the count. */
export const CashSessionsCard = () => {
  const query = useQuery(queries.cash())
  return (
    <LoadedCard title={words.title} query={query} failed={words.failed} words={words} lines={3}>
      {({ sessions }) =>
        sessions.length === 0 ? (
          <p className={styles.soft}>{words.none}</p>
        ) : (
          <Sessions sessions={sessions} busy={query.isFetching} />
        )
      }
    </LoadedCard>
  )
}

const Sessions = ({ sessions, busy }: { sessions: readonly CashSession[]; busy: boolean }) => {
  const { momentOf } = useDates()
  const head = (
    <>
      <Th>{words.columns.person}</Th>
      <Th numeric>{words.columns.opened}</Th>
      <Th numeric>{words.columns.closed}</Th>
      <Th numeric>{words.columns.taken}</Th>
      <Th numeric>{words.columns.expected}</Th>
      <Th numeric>{words.columns.counted}</Th>
      <Th numeric>{words.columns.difference}</Th>
      <Th>{words.columns.note}</Th>
    </>
  )
  return (
    <div className={styles.table}>
      <Table caption={words.title} head={head} busy={busy} bare>
        {sessions.map(({ id, person, openedAt, closedAt, taken, expected, counted, difference, note }) => (
          <Tr key={id}>
            <Td label={words.columns.person} text title={person}>
              {person}
            </Td>
            <Td label={words.columns.opened} numeric className={styles.when}>
              {momentOf(openedAt)}
            </Td>
            <Td label={words.columns.closed} numeric className={styles.when}>
              {closedAt === null ? words.open : momentOf(closedAt)}
            </Td>
            <Td label={words.columns.taken} numeric>
              {formatRupees(taken)}
            </Td>
            <Td label={words.columns.expected} numeric>
              {formatRupees(expected)}
            </Td>
            <Td label={words.columns.counted} numeric>
              {counted === null ? '–' : formatRupees(counted)}
            </Td>
            <Td label={words.columns.difference} numeric>
              {difference === null || difference === 0 ? (
                '–'
              ) : (
                <StateChip state="warn">{formatRupees(difference)}</StateChip>
              )}
            </Td>
            <Td label={words.columns.note} wide className={styles.detail}>
              {note ?? '–'}
            </Td>
          </Tr>
        ))}
      </Table>
    </div>
  )
}
