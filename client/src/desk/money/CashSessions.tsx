import { MONEY } from '@garba/shared/messages/money'
import { formatRupees } from '@garba/shared/rules/money'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { StateChip } from '../../kit/Badge.tsx'
import { Button } from '../../kit/Button.tsx'
import { ColumnTable } from '../../kit/Table.tsx'
import { type AnswerOf, callFile } from '../../platform/http/call.ts'
import { useDates } from '../frame/dates.ts'
import { isNarrowed, useDays } from '../frame/fields/DaysChoice.tsx'
import { LoadedCard } from '../frame/LoadedCard.tsx'
import { CloseDialog } from '../sell/CashCard.tsx'
import styles from './MoneyView.module.css'

const words = MONEY.cash

export const CashSessionsCard = ({ query }: { query: UseQueryResult<AnswerOf<'cashSessions'>> }) => {
  const days = useDays()
  return (
    <LoadedCard
      query={query}
      words={words}
      lines={3}
      file={{ fetch: () => callFile('exportCashSessions', { query: days }), name: 'cash-sessions.csv' }}
    >
      {(cash) => (
        <>
          {cash.sessions.length === 0 ? (
            <p className="soft">{isNarrowed(days) ? words.noneThen : words.none}</p>
          ) : (
            <Sessions sessions={cash.sessions} busy={query.isFetching} />
          )}
          <Outside cash={cash} />
        </>
      )}
    </LoadedCard>
  )
}

const Outside = ({ cash: { arrivedLater, paidBackOutside } }: { cash: AnswerOf<'cashSessions'> }) => (
  <>
    {arrivedLater.length === 0 ? null : (
      <section aria-labelledby="arrived-later" className={styles.outside}>
        <h3 id="arrived-later">{words.arrivedLater}</h3>
        <p className="soft">{words.arrivedLaterHint}</p>
        <ul className={styles.lines}>
          {arrivedLater.map(({ phone, seller, sales, amount }) => (
            <li key={`${phone} ${seller}`} className={styles.line}>
              {words.arrived({ phone, seller, sales, amount: formatRupees(amount) })}
            </li>
          ))}
        </ul>
      </section>
    )}
    {paidBackOutside === 0 ? null : <p className="soft">{words.paidBackOutside(formatRupees(paidBackOutside))}</p>}
  </>
)

type Session = AnswerOf<'cashSessions'>['sessions'][number]

const Sessions = ({ sessions, busy }: { sessions: readonly Session[]; busy: boolean }) => {
  const { momentOf } = useDates()
  const [counting, setCounting] = useState<Session | null>(null)
  return (
    <div className={styles.table}>
      <ColumnTable
        caption={words.title}
        busy={busy}
        bare
        rows={sessions}
        keyOf={({ id }) => id}
        columns={[
          {
            title: words.columns.person,
            wide: true,
            className: styles.who,
            cell: ({ person, note }) => (
              <>
                {person}
                {note === null ? null : <p className="soft">{note}</p>}
              </>
            ),
          },
          {
            title: words.columns.opened,
            numeric: true,
            className: styles.when,
            cell: ({ openedAt }) => momentOf(openedAt),
          },
          {
            title: words.columns.closed,
            numeric: true,
            className: styles.when,
            cell: ({ closedAt }) => (closedAt === null ? words.open : momentOf(closedAt)),
          },
          { title: words.columns.start, numeric: true, cell: ({ float }) => formatRupees(float) },
          { title: words.columns.taken, numeric: true, cell: ({ taken }) => formatRupees(taken) },
          {
            title: words.columns.paidBack,
            numeric: true,
            cell: ({ paidBack }) => (paidBack === 0 ? '–' : formatRupees(paidBack)),
          },
          { title: words.columns.expected, numeric: true, cell: ({ expected }) => formatRupees(expected) },
          {
            title: words.columns.counted,
            numeric: true,
            cell: (session) =>
              session.mayClose ? (
                <Button size="sm" aria-label={words.countOf(session.person)} onClick={() => setCounting(session)}>
                  {words.count}
                </Button>
              ) : session.counted === null ? (
                '–'
              ) : (
                formatRupees(session.counted)
              ),
          },
          {
            title: words.columns.difference,
            numeric: true,
            cell: ({ difference }) =>
              difference === null || difference === 0 ? (
                '–'
              ) : (
                <StateChip state="warn">{formatRupees(difference)}</StateChip>
              ),
          },
        ]}
      />
      {counting === null ? null : <CloseDialog session={counting} onClose={() => setCounting(null)} />}
    </div>
  )
}
