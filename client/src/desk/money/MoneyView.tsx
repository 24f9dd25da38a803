import { paysByLink } from '@garba/shared/contracts/names'
import type { BooksLine, MoneyTotal } from '@garba/shared/contracts/order'
import { formatCount } from '@garba/shared/messages/language'
import { MONEY, STATEMENT } from '@garba/shared/messages/money'
import { formatRupees, toPaise, toRupees } from '@garba/shared/rules/money'
import { useQuery } from '@tanstack/react-query'
import { Landmark } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { StateChip } from '../../kit/Badge.tsx'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Table, Td, Th, Tr } from '../../kit/Table.tsx'
import { useConfig } from '../../platform/config.ts'
import { type AnswerOf, callFile } from '../../platform/http/call.ts'
import { useUser } from '../../platform/identity/session.ts'
import { queries } from '../../platform/queries.ts'
import { DeskFrame } from '../frame/DeskFrame.tsx'
import { useDates } from '../frame/dates.ts'
import { useDeskEvent } from '../frame/deskEvent.ts'
import { ExportButton } from '../frame/ExportButton.tsx'
import { LoadedCard } from '../frame/LoadedCard.tsx'
import { useDeskHome } from '../frame/places.ts'
import { CloseDialog, useCashChanges } from '../sell/CashCard.tsx'
import { DESK } from '../texts/desk.ts'
import { ORDERS } from '../texts/orders.ts'
import { Matters } from './Matters.tsx'
import styles from './Money.module.css'

/** Shows whether money, tickets and seats agree, and the income. Managers see only Books and totals. */
export default function MoneyView() {
  const isAdmin = useUser()?.role === 'admin'
  return (
    <DeskFrame title={DESK.titles.money} byEvent actions={isAdmin ? <BankingLinks /> : undefined}>
      <BooksCard linked={isAdmin} />
      {isAdmin ? <UpiWaiting /> : null}
      {isAdmin ? <AttentionCard /> : null}
      <TotalsCard />
      {isAdmin ? <CashSessionsCard /> : null}
    </DeskFrame>
  )
}

/** Links to the bank's statement and the provider's payouts, if such payments are enabled. */
const BankingLinks = () => {
  const home = useDeskHome()
  const upi = useConfig(({ config }) => config?.payments.providers.includes('upi') ?? false)
  const provider = useConfig(({ config }) => config?.payments.providers.some(paysByLink) ?? false)
  const icon = <Landmark aria-hidden="true" />
  return (
    <>
      {upi ? (
        <ButtonLink size="sm" icon={icon} to={`${home}/money/statement`}>
          {STATEMENT.title}
        </ButtonLink>
      ) : null}
      {provider ? (
        <ButtonLink size="sm" icon={icon} to={`${home}/money/payouts`}>
          {STATEMENT.payouts.title}
        </ButtonLink>
      ) : null}
    </>
  )
}

const words = MONEY.books

/** Shows each rule of the Books as green, or as red with its findings. `linked`: the reader may open the orders. */
const BooksCard = ({ linked }: { linked: boolean }) => {
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

/** A finding about an order begins with the order's code; others are about seats, drawers or tickets. */
const ABOUT_ORDER = /^([0-9A-HJKMNP-TV-Z]{8})(:.*)$/s

const Examples = ({ line, linked }: { line: BooksLine; linked: boolean }) => (
  <ul className={styles.examples}>
    {line.examples.map((finding) => (
      <li key={finding}>
        <Finding finding={finding} linked={linked} />
      </li>
    ))}
    {line.count > line.examples.length ? <li>{words.more(line.count - line.examples.length)}</li> : null}
  </ul>
)

const Finding = ({ finding, linked }: { finding: string; linked: boolean }) => {
  const [, code, rest] = ABOUT_ORDER.exec(finding) ?? []
  if (!linked || code === undefined) return finding
  return (
    <>
      <Link to={`../orders/${code}`}>{code}</Link>
      {rest}
    </>
  )
}

const cashSessionsWords = MONEY.cash

/** Lists everybody's cash sessions, with the difference found at the count. */
const CashSessionsCard = () => {
  const query = useQuery(queries.cash())
  return (
    <LoadedCard
      title={cashSessionsWords.title}
      query={query}
      failed={cashSessionsWords.failed}
      words={cashSessionsWords}
      lines={3}
      actions={
        <ExportButton
          fetch={() => callFile('exportCashSessions')}
          name="cash-sessions.csv"
          label={cashSessionsWords.exportCsv}
        />
      }
    >
      {(cash) => (
        <>
          {cash.sessions.length === 0 ? (
            <p className={styles.soft}>{cashSessionsWords.none}</p>
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
        <h3 id="arrived-later">{cashSessionsWords.arrivedLater}</h3>
        <p className={styles.soft}>{cashSessionsWords.arrivedLaterHint}</p>
        <ul className={styles.lines}>
          {arrivedLater.map(({ phone, seller, sales, amount }) => (
            <li key={`${phone} ${seller}`} className={styles.line}>
              {cashSessionsWords.arrived({ phone, seller, sales, amount: formatRupees(amount) })}
            </li>
          ))}
        </ul>
      </section>
    )}
    {paidBackOutside === 0 ? null : (
      <p className={styles.soft}>{cashSessionsWords.paidBackOutside(formatRupees(paidBackOutside))}</p>
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
      <Th>{cashSessionsWords.columns.person}</Th>
      <Th numeric>{cashSessionsWords.columns.opened}</Th>
      <Th numeric>{cashSessionsWords.columns.closed}</Th>
      <Th numeric>{cashSessionsWords.columns.taken}</Th>
      <Th numeric>{cashSessionsWords.columns.paidBack}</Th>
      <Th numeric>{cashSessionsWords.columns.expected}</Th>
      <Th numeric>{cashSessionsWords.columns.counted}</Th>
      <Th numeric>{cashSessionsWords.columns.difference}</Th>
      <Th>{cashSessionsWords.columns.note}</Th>
    </>
  )
  return (
    <div className={styles.table}>
      <Table caption={cashSessionsWords.title} head={head} busy={busy} bare>
        {sessions.map((session) => (
          <Tr key={session.id}>
            <Td label={cashSessionsWords.columns.person} text title={session.person}>
              {session.person}
            </Td>
            <Td label={cashSessionsWords.columns.opened} numeric className={styles.when}>
              {momentOf(session.openedAt)}
            </Td>
            <Td label={cashSessionsWords.columns.closed} numeric className={styles.when}>
              {session.closedAt === null ? cashSessionsWords.open : momentOf(session.closedAt)}
            </Td>
            <Td label={cashSessionsWords.columns.taken} numeric>
              {formatRupees(session.taken)}
            </Td>
            <Td label={cashSessionsWords.columns.paidBack} numeric>
              {session.paidBack === 0 ? '–' : formatRupees(session.paidBack)}
            </Td>
            <Td label={cashSessionsWords.columns.expected} numeric>
              {formatRupees(session.expected)}
            </Td>
            <Td label={cashSessionsWords.columns.counted} numeric>
              {session.mayClose ? (
                <Button
                  size="sm"
                  aria-label={cashSessionsWords.countOf(session.person)}
                  onClick={() => setCounting(session)}
                >
                  {cashSessionsWords.count}
                </Button>
              ) : session.counted === null ? (
                '–'
              ) : (
                formatRupees(session.counted)
              )}
            </Td>
            <Td label={cashSessionsWords.columns.difference} numeric>
              {session.difference === null || session.difference === 0 ? (
                '–'
              ) : (
                <StateChip state="warn">{formatRupees(session.difference)}</StateChip>
              )}
            </Td>
            <Td label={cashSessionsWords.columns.note} wide className={styles.detail}>
              {session.note ?? '–'}
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

/** Shows how many seats unconfirmed UPI orders hold; absent when there are none. */
const UpiWaiting = () => {
  const waiting = useQuery(queries.attention()).data?.upiWaiting
  if (!waiting || waiting.orders === 0) return null
  const isFull = waiting.seats >= waiting.most
  return (
    <Banner tone={isFull ? 'warn' : 'info'} title={MONEY.upiWaiting.title}>
      <p>
        {MONEY.upiWaiting.text(waiting)} {isFull ? MONEY.upiWaiting.full : ''}{' '}
        <Link to="../orders?state=held&provider=upi">{MONEY.upiWaiting.orders}</Link>
      </p>
    </Banner>
  )
}

const attentionWords = MONEY.attention

/** Lists money that no rule can handle, until a person records what was done with it. */
const AttentionCard = () => {
  const query = useQuery(queries.attention())
  return (
    <LoadedCard
      title={attentionWords.title}
      query={query}
      failed={attentionWords.failed}
      words={attentionWords}
      lines={2}
    >
      {({ attention }) =>
        attention.length === 0 ? (
          <p className={styles.soft}>{attentionWords.none}</p>
        ) : (
          <Matters matters={attention} linked />
        )
      }
    </LoadedCard>
  )
}

const totalsWords = MONEY.totals

/** Shows each day's income by channel and way of paying. */
const TotalsCard = () => {
  const { asked } = useDeskEvent()
  const query = useQuery(queries.moneyTotals(asked))
  return (
    <LoadedCard
      title={totalsWords.title}
      query={query}
      failed={totalsWords.failed}
      words={totalsWords}
      lines={4}
      actions={
        <ExportButton
          fetch={() => callFile('exportTotals', { query: asked })}
          name="totals.csv"
          label={totalsWords.exportCsv}
        />
      }
    >
      {({ totals }) =>
        totals.length === 0 ? (
          <p className={styles.soft}>{totalsWords.none}</p>
        ) : (
          <Totals totals={totals} busy={query.isFetching} />
        )
      }
    </LoadedCard>
  )
}

const add = (totals: readonly MoneyTotal[], field: 'captured' | 'refunded' | 'requested') =>
  toRupees(totals.reduce((sum, total) => sum + toPaise(total[field]), 0))

const Totals = ({ totals, busy }: { totals: readonly MoneyTotal[]; busy: boolean }) => {
  const { dayOf } = useDates()
  const head = (
    <>
      <Th>{totalsWords.columns.day}</Th>
      <Th>{totalsWords.columns.channel}</Th>
      <Th>{totalsWords.columns.provider}</Th>
      <Th numeric>{totalsWords.columns.orders}</Th>
      <Th numeric>{totalsWords.columns.captured}</Th>
      <Th numeric>{totalsWords.columns.refunded}</Th>
      <Th numeric>{totalsWords.columns.net}</Th>
      <Th numeric>{totalsWords.columns.requested}</Th>
    </>
  )
  const all = {
    orders: totals.reduce((sum, { orders }) => sum + orders, 0),
    captured: add(totals, 'captured'),
    refunded: add(totals, 'refunded'),
    requested: add(totals, 'requested'),
  }
  return (
    <div className={styles.table}>
      <Table caption={totalsWords.title} head={head} busy={busy} bare>
        {totals.map((total) => (
          <Tr key={`${total.day} ${total.channel} ${total.provider}`}>
            <Td label={totalsWords.columns.day}>{dayOf(`${total.day}T12:00:00Z`)}</Td>
            <Td label={totalsWords.columns.channel}>{ORDERS.channels[total.channel]}</Td>
            <Td label={totalsWords.columns.provider}>{ORDERS.providers[total.provider]}</Td>
            <Sums sums={total} />
          </Tr>
        ))}
        <Tr className={styles.sum}>
          <Td>{totalsWords.sum}</Td>
          <Td className={styles.filler} />
          <Td className={styles.filler} />
          <Sums sums={all} />
        </Tr>
      </Table>
    </div>
  )
}

const Sums = ({
  sums: { orders, captured, refunded, requested },
}: {
  sums: Pick<MoneyTotal, 'orders' | 'captured' | 'refunded' | 'requested'>
}) => (
  <>
    <Td label={totalsWords.columns.orders} numeric>
      {formatCount(orders)}
    </Td>
    <Td label={totalsWords.columns.captured} numeric>
      {formatRupees(captured)}
    </Td>
    <Td label={totalsWords.columns.refunded} numeric>
      {formatRupees(refunded)}
    </Td>
    <Td label={totalsWords.columns.net} numeric>
      {formatRupees(toRupees(toPaise(captured) - toPaise(refunded)))}
    </Td>
    <Td label={totalsWords.columns.requested} numeric>
      {requested === 0 ? '–' : formatRupees(requested)}
    </Td>
  </>
)
