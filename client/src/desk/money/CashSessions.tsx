import { MONEY } from '@garba/shared/messages/money'
import { formatRupees } from '@garba/shared/rules/money'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { StateChip } from '../../kit/Badge.tsx'
import { Button } from '../../kit/Button.tsx'
import { Table, Td, Th, Tr } from '../../kit/Table.tsx'
import { type AnswerOf, callFile } from '../../platform/http/call.ts'
import { isNarrowed, useDays } from '../frame/DaysChoice.tsx'
import { useDates } from '../frame/dates.ts'
import { ExportButton } from '../frame/ExportButton.tsx'
import { LoadedCard } from '../frame/LoadedCard.tsx'
import { CloseDialog, useCashChanges } from '../sell/CashCard.tsx'
import styles from './Money.module.css'

const words = MONEY.cash

/** Lists everybody's cash sessions, with the difference found at the count. */
export const CashSessionsCard = ({ query }: { query: UseQueryResult<AnswerOf<'cashSessions'>> }) => {
  const days = useDays()
  return (
    <LoadedCard
      title={words.title}
      query={query}
      words={words}
      lines={3}
      actions={
        <ExportButton
          fetch={() => callFile('exportCashSessions', { query: days })}
          name="cash-sessions.csv"
          label={words.exportCsv}
        />
      }
    >
      {(cash) => (
        <>
          {cash.sessions.length === 0 ? (
            <p className={styles.soft}>{isNarrowed(days) ? words.noneThen : words.none}</p>
          ) : (
            <Sessions sessions={cash.sessions} busy={query.isFetching} />
          )}
          <Outside cash={cash} />
        </>
      )}
    </LoadedCard>
  )
}

/** Lists cash of the current event that belongs to no drawer. */
const Outside = ({ cash: { arrivedLater, paidBackOutside } }: { cash: AnswerOf<'cashSessions'> }) => (
  <>
    {arrivedLater.length === 0 ? null : (
      <section aria-labelledby="arrived-later" className={styles.outside}>
        <h3 id="arrived-later">{words.arrivedLater}</h3>
        <p className={styles.soft}>{words.arrivedLaterHint}</p>
        <ul className={styles.lines}>
          {arrivedLater.map(({ phone, seller, sales, amount }) => (
            <li key={`${phone} ${seller}`} className={styles.line}>
              {words.arrived({ phone, seller, sales, amount: formatRupees(amount) })}
            </li>
          ))}
        </ul>
      </section>
    )}
    {paidBackOutside === 0 ? null : (
      <p className={styles.soft}>{words.paidBackOutside(formatRupees(paidBackOutside))}</p>
    )}
  </>
)

type Session = AnswerOf<'cashSessions'>['sessions'][number]

const Sessions = ({ sessions, busy }: { sessions: readonly Session[]; busy: boolean }) => {
  const { momentOf } = useDates()
  const [counting, setCounting] = useState<Session | null>(null)
  const { close } = useCashChanges()
  const head = (
    <>
      <Th>{words.columns.person}</Th>
      <Th numeric>{words.columns.opened}</Th>
      <Th numeric>{words.columns.closed}</Th>
      <Th numeric>{words.columns.start}</Th>
      <Th numeric>{words.columns.taken}</Th>
      <Th numeric>{words.columns.paidBack}</Th>
      <Th numeric>{words.columns.expected}</Th>
      <Th numeric>{words.columns.counted}</Th>
      <Th numeric>{words.columns.difference}</Th>
    </>
  )
  return (
    <div className={styles.table}>
      <Table caption={words.title} head={head} busy={busy} bare>
        {sessions.map((session) => (
          <Tr key={session.id}>
            <Td label={words.columns.person} wide className={styles.who}>
              {session.person}
              {session.note === null ? null : <p className={styles.soft}>{session.note}</p>}
            </Td>
            <Td label={words.columns.opened} numeric className={styles.when}>
              {momentOf(session.openedAt)}
            </Td>
            <Td label={words.columns.closed} numeric className={styles.when}>
              {session.closedAt === null ? words.open : momentOf(session.closedAt)}
            </Td>
            <Td label={words.columns.start} numeric>
              {formatRupees(session.float)}
            </Td>
            <Td label={words.columns.taken} numeric>
              {formatRupees(session.taken)}
            </Td>
            <Td label={words.columns.paidBack} numeric>
              {session.paidBack === 0 ? '–' : formatRupees(session.paidBack)}
            </Td>
            <Td label={words.columns.expected} numeric>
              {formatRupees(session.expected)}
            </Td>
            <Td label={words.columns.counted} numeric>
              {session.mayClose ? (
                <Button size="sm" aria-label={words.countOf(session.person)} onClick={() => setCounting(session)}>
                  {words.count}
                </Button>
              ) : session.counted === null ? (
                '–'
              ) : (
                formatRupees(session.counted)
              )}
            </Td>
            <Td label={words.columns.difference} numeric>
              {session.difference === null || session.difference === 0 ? (
                '–'
              ) : (
                <StateChip state="warn">{formatRupees(session.difference)}</StateChip>
              )}
            </Td>
          </Tr>
        ))}
      </Table>
      {counting === null ? null : (
        <CloseDialog
          expected={counting.expected}
          busy={close.isPending}
          onSave={(body) => close.mutate({ id: counting.id, ...body }, { onSuccess: () => setCounting(null) })}
          onClose={() => setCounting(null)}
        />
      )}
    </div>
  )
}
