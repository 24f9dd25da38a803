import { paysByLink } from '@garba/shared/contracts/names'
import type { BooksLine, MoneyTotal } from '@garba/shared/contracts/order'
import { formatCount } from '@garba/shared/messages/language'
import { MONEY, STATEMENT } from '@garba/shared/messages/money'
import { formatRupees, toPaise, toRupees } from '@garba/shared/rules/money'
import { isFree } from '@garba/shared/rules/orders/orderMoney'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { ChevronRight, Landmark } from 'lucide-react'
import { Link } from 'react-router'
import { StateChip } from '../../kit/Badge.tsx'
import { Banner } from '../../kit/Banner.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { type Column, ColumnTable } from '../../kit/Table.tsx'
import { useConfig } from '../../platform/config.ts'
import { type AnswerOf, callFile } from '../../platform/http/call.ts'
import { useUser } from '../../platform/identity/session.ts'
import { queries } from '../../platform/queries.ts'
import { DaysChoice, isNarrowed, useDays } from '../frame/DaysChoice.tsx'
import { DeskFrame, RefreshButton } from '../frame/DeskFrame.tsx'
import { calendarDay } from '../frame/dates.ts'
import { useDeskEvent } from '../frame/deskEvent.ts'
import { joinLoads, LoadedCard, LoadFailure } from '../frame/LoadedCard.tsx'
import { useDeskHome } from '../frame/places.ts'
import { moved } from '../orders/orderMoney.ts'
import { DESK } from '../texts/desk.ts'
import { ORDERS } from '../texts/orders.ts'
import { CashSessionsCard } from './CashSessions.tsx'
import { Matters } from './Matters.tsx'
import styles from './Money.module.css'

/** Shows the income first, then what needs a person, and whether everything agrees. Managers see only totals and checks. */
export default function MoneyView() {
  const isAdmin = useUser()?.role === 'admin'
  const { eventQuery } = useDeskEvent()
  const days = useDays()
  const totals = useQuery(queries.moneyTotals({ ...eventQuery, ...days }))
  const attention = useQuery({ ...queries.attention(), enabled: isAdmin })
  const cash = useQuery({ ...queries.cash(days), enabled: isAdmin })
  const books = useQuery(queries.books())
  const load = joinLoads([
    { query: totals, failed: totalsWords.failed },
    ...(isAdmin
      ? [
          { query: attention, failed: attentionWords.failed },
          { query: cash, failed: MONEY.cash.failed },
        ]
      : []),
    { query: books, failed: words.failed },
  ])
  return (
    <DeskFrame
      title={DESK.titles.money}
      byEvent
      actions={
        <>
          <DaysChoice />
          {isAdmin ? <BankingLinks /> : null}
          <RefreshButton {...load} />
        </>
      }
    >
      <LoadFailure {...load} />
      <TotalsCard query={totals} />
      {isAdmin ? (
        <>
          <UpiWaiting waiting={attention.data?.upiWaiting} />
          <AttentionCard query={attention} />
          <CashSessionsCard query={cash} />
        </>
      ) : null}
      <BooksCard query={books} linked={isAdmin} />
    </DeskFrame>
  )
}

/** Links to the bank's statement and the provider's payouts, if such payments are enabled. */
const BankingLinks = () => {
  const home = useDeskHome()
  const upi = useConfig(({ config }) => config?.payments.providers.includes('upi') ?? false)
  const provider = useConfig(({ config }) => config?.payments.providers.some(paysByLink) ?? false)
  const icon = <Landmark />
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

/** The rules of the Books: broken ones with their findings, the others folded away. `linked`: the reader may open orders. */
const BooksCard = ({ query, linked }: { query: UseQueryResult<AnswerOf<'books'>>; linked: boolean }) => (
  <LoadedCard query={query} words={words} lines={2}>
    {({ books }) => {
      const passed = books.filter(({ ok }) => ok)
      const broken = books.filter(({ ok }) => !ok)
      return (
        <>
          <Rules lines={broken} linked={linked} />
          <details className={styles.kept}>
            <summary>
              <ChevronRight className={styles.fold} />
              <StateChip state="ok">{words.passed(passed.length, books.length)}</StateChip>
            </summary>
            <Rules lines={passed} linked={linked} />
          </details>
        </>
      )
    }}
  </LoadedCard>
)

const Rules = ({ lines, linked }: { lines: readonly BooksLine[]; linked: boolean }) =>
  lines.length === 0 ? null : (
    <ul className={styles.lines}>
      {lines.map((line) => (
        <li key={line.rule} className={styles.line}>
          <span className={styles.what}>{words.rules[line.rule]}</span>
          <StateChip state={line.ok ? 'ok' : 'bad'}>{line.ok ? words.ok : words.wrong(line.count)}</StateChip>
          {line.ok ? null : <Examples line={line} linked={linked} />}
        </li>
      ))}
    </ul>
  )

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

/** Shows how many seats unconfirmed UPI orders hold; absent when there are none. */
const UpiWaiting = ({ waiting }: { waiting: AnswerOf<'attention'>['upiWaiting'] | undefined }) => {
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

/** Lists money that no rule can handle, until a person records what was done with it. The export includes settled matters. */
const AttentionCard = ({ query }: { query: UseQueryResult<AnswerOf<'attention'>> }) => {
  const days = useDays()
  return (
    <LoadedCard
      query={query}
      words={attentionWords}
      lines={2}
      file={{ fetch: () => callFile('exportAttention', { query: days }), name: 'money-to-decide.csv' }}
    >
      {({ attention }) => (
        <>
          {attention.length === 0 ? <p className="soft">{attentionWords.none}</p> : null}
          <Matters matters={attention} linked />
        </>
      )}
    </LoadedCard>
  )
}

const totalsWords = MONEY.totals

/** The income, and each day's income by channel and method of payment. */
const TotalsCard = ({ query }: { query: UseQueryResult<AnswerOf<'moneyTotals'>> }) => {
  const { eventQuery } = useDeskEvent()
  const days = useDays()
  return (
    <LoadedCard
      query={query}
      words={totalsWords}
      lines={4}
      file={{ fetch: () => callFile('exportTotals', { query: { ...eventQuery, ...days } }), name: 'totals.csv' }}
    >
      {({ totals }) =>
        totals.length === 0 ? (
          <p className="soft">{isNarrowed(days) ? totalsWords.noneThen : totalsWords.none}</p>
        ) : (
          <Totals totals={totals} busy={query.isFetching} />
        )
      }
    </LoadedCard>
  )
}

type Sums = Pick<MoneyTotal, 'orders' | 'captured' | 'refunded' | 'fees' | 'requested'>

const add = (totals: readonly MoneyTotal[], field: Exclude<keyof Sums, 'orders'>) =>
  toRupees(totals.reduce((sum, total) => sum + toPaise(total[field]), 0))

const netOf = ({ captured, refunded, fees }: Sums) => toRupees(toPaise(captured) - toPaise(refunded) - toPaise(fees))

const Totals = ({ totals, busy }: { totals: readonly MoneyTotal[]; busy: boolean }) => {
  const counted = (ones: readonly MoneyTotal[]) => ones.reduce((sum, { orders }) => sum + orders, 0)
  const taking = totals.filter(({ provider }) => !isFree(provider))
  const free = counted(totals) - counted(taking)
  const all = {
    orders: counted(taking),
    captured: add(totals, 'captured'),
    refunded: add(totals, 'refunded'),
    fees: add(totals, 'fees'),
    requested: add(totals, 'requested'),
  }
  return (
    <>
      {taking.length === 0 ? null : <Equation sums={all} />}
      {free === 0 ? null : <WithoutMoney orders={free} />}
      <div className={styles.table}>
        <ColumnTable
          caption={totalsWords.byDay}
          busy={busy}
          bare
          rows={totals}
          keyOf={({ day, channel, provider }) => `${day} ${channel} ${provider}`}
          columns={[
            { title: totalsWords.columns.day, cell: ({ day }) => calendarDay(day) },
            { title: totalsWords.columns.channel, cell: ({ channel }) => ORDERS.channels[channel] },
            { title: totalsWords.columns.provider, cell: ({ provider }) => ORDERS.providers[provider] },
            ...SUM_COLUMNS,
          ]}
        />
      </div>
    </>
  )
}

/** Shows how the net amount is calculated. */
const Equation = ({ sums }: { sums: Sums }) => {
  const { captured, refunded, fees, requested } = totalsWords.columns
  const less = [
    { label: refunded, sign: '−', amount: sums.refunded },
    { label: fees, sign: '−', amount: sums.fees },
  ].filter(({ amount }) => amount !== 0)
  const parts = [
    { label: captured, sign: '', amount: sums.captured },
    ...less,
    ...(less.length === 0 ? [] : [{ label: totalsWords.columns.net, sign: '=', amount: netOf(sums) }]),
  ]
  return (
    <>
      <dl className={styles.equation}>
        {parts.map(({ label, sign, amount }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {sign === '' ? null : <span className={styles.sign}>{sign} </span>}
              {formatRupees(amount)}
            </dd>
          </div>
        ))}
      </dl>
      <p className="soft">
        {[
          totalsWords.ofOrders(sums.orders),
          sums.requested === 0 ? '' : `${requested}: ${formatRupees(sums.requested)}.`,
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
    </>
  )
}

/** Shown where payments are off: the other screens' revenue is then the price of the tickets, not money received. */
const WithoutMoney = ({ orders }: Pick<Sums, 'orders'>) => {
  const off = useConfig(({ config }) => config?.payments.providers.length === 0 && !config.payments.desk)
  return (
    <p className="soft">
      {totalsWords.withoutMoney(orders)} {off ? totalsWords.off : null}
    </p>
  )
}

const SUM_COLUMNS: readonly Column<Sums>[] = [
  { title: totalsWords.columns.orders, numeric: true, cell: ({ orders }) => formatCount(orders) },
  { title: totalsWords.columns.captured, numeric: true, cell: ({ captured }) => moved(captured) },
  { title: totalsWords.columns.refunded, numeric: true, cell: ({ refunded }) => moved(refunded) },
  { title: totalsWords.columns.fees, numeric: true, cell: ({ fees }) => moved(fees) },
  { title: totalsWords.columns.net, numeric: true, cell: (sums) => moved(netOf(sums)) },
  { title: totalsWords.columns.requested, numeric: true, cell: ({ requested }) => moved(requested) },
]
