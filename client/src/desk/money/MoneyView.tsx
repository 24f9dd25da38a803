import type { MoneyTotal } from '@garba/shared/contracts/money/cash'
import { paysByLink } from '@garba/shared/contracts/names'
import type { BooksLine } from '@garba/shared/contracts/order'
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
import { SkeletonCards } from '../../kit/Skeleton.tsx'
import { type Column, ColumnTable } from '../../kit/Table.tsx'
import { useConfig } from '../../platform/config.ts'
import { type AnswerOf, callFile } from '../../platform/http/call.ts'
import { useUser } from '../../platform/identity/session.ts'
import { queries } from '../../platform/queries.ts'
import { DeskFrame, RefreshButton } from '../frame/DeskFrame.tsx'
import { calendarDay } from '../frame/dates.ts'
import { useDeskEvent } from '../frame/deskEvent.ts'
import { DaysChoice, isNarrowed, useDays } from '../frame/fields/DaysChoice.tsx'
import { joinLoads, LoadedCard, LoadFailure, useFirstLoad } from '../frame/LoadedCard.tsx'
import { useDeskHome } from '../frame/places.ts'
import { formatRupeesOrDash } from '../orders/orderMoney.ts'
import { DESK } from '../texts/desk.ts'
import { ORDERS } from '../texts/orders.ts'
import { CashSessionsCard } from './CashSessions.tsx'
import { Matters } from './Matters.tsx'
import styles from './MoneyView.module.css'
import { UnprovenCard } from './Unproven.tsx'

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
  const isFirst = useFirstLoad([totals, attention, cash, books])
  return (
    <DeskFrame
      title={DESK.titles.money}
      byEvent
      actions={
        <>
          <DaysChoice />
          {isAdmin ? <BankingLinks /> : null}
          <RefreshButton query={load.query} />
        </>
      }
    >
      <LoadFailure {...load} />
      {isFirst ? (
        <SkeletonCards heights={[120, 120, 240]} label={totalsWords.loading} />
      ) : (
        <>
          {isAdmin ? <AttentionCard query={attention} /> : null}
          {isAdmin ? <UnprovenCard sums={attention.data?.unproven ?? []} /> : null}
          <BooksCard query={books} linked={isAdmin} />
          <TotalsCard query={totals} />
          {isAdmin ? <UnpaidSeats unpaid={attention.data?.unpaid} /> : null}
          {isAdmin ? <CashSessionsCard query={cash} /> : null}
        </>
      )}
    </DeskFrame>
  )
}

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

const UnpaidSeats = ({ unpaid }: { unpaid: AnswerOf<'attention'>['unpaid'] | undefined }) => {
  if (!unpaid || unpaid.orders === 0) return null
  const isFull = unpaid.seats >= unpaid.most
  return (
    <Banner tone={isFull ? 'warn' : 'info'} title={MONEY.unpaid.title}>
      <p>
        {MONEY.unpaid.text(unpaid)} {isFull ? MONEY.unpaid.full : ''}{' '}
        <Link to="../orders?state=held">{MONEY.unpaid.orders}</Link>
      </p>
    </Banner>
  )
}

const attentionWords = MONEY.attention

const AttentionCard = ({ query }: { query: UseQueryResult<AnswerOf<'attention'>> }) => {
  const days = useDays()
  return (
    <LoadedCard
      query={query}
      words={attentionWords}
      lines={2}
      file={{ fetch: () => callFile('exportAttention', { query: days }), name: 'money-to-decide.csv' }}
    >
      {({ attention }) => {
        // Sales to prove have a card of their own, and each has this matter on its order.
        const matters = attention.filter(({ kind }) => kind !== 'unproven')
        return (
          <>
            {matters.length === 0 ? <p className="soft">{attentionWords.none}</p> : null}
            <Matters matters={matters} linked />
          </>
        )
      }}
    </LoadedCard>
  )
}

const totalsWords = MONEY.totals

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

const computeNetAmount = ({ captured, refunded, fees }: Sums) =>
  toRupees(toPaise(captured) - toPaise(refunded) - toPaise(fees))

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

const Equation = ({ sums }: { sums: Sums }) => {
  const { captured, refunded, fees, requested } = totalsWords.columns
  const less = [
    { label: refunded, sign: '−', amount: sums.refunded },
    { label: fees, sign: '−', amount: sums.fees },
  ].filter(({ amount }) => amount !== 0)
  const parts = [
    { label: captured, sign: '', amount: sums.captured },
    ...less,
    ...(less.length === 0 ? [] : [{ label: totalsWords.columns.net, sign: '=', amount: computeNetAmount(sums) }]),
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
  { title: totalsWords.columns.captured, numeric: true, cell: ({ captured }) => formatRupeesOrDash(captured) },
  { title: totalsWords.columns.refunded, numeric: true, cell: ({ refunded }) => formatRupeesOrDash(refunded) },
  { title: totalsWords.columns.fees, numeric: true, cell: ({ fees }) => formatRupeesOrDash(fees) },
  { title: totalsWords.columns.net, numeric: true, cell: (sums) => formatRupeesOrDash(computeNetAmount(sums)) },
  { title: totalsWords.columns.requested, numeric: true, cell: ({ requested }) => formatRupeesOrDash(requested) },
]
