import type { MoneyTotal } from '@garba/shared/contracts/order'
import { MONEY } from '@garba/shared/messages/deskMoney'
import { ORDERS } from '@garba/shared/messages/deskOrders'
import { formatCount } from '@garba/shared/messages/language'
import { formatRupees, toPaise, toRupees } from '@garba/shared/rules/money'
import { useQuery } from '@tanstack/react-query'
import { Table, Td, Th, Tr } from '../../kit/Table.tsx'
import { queries } from '../../platform/queries.ts'
import { useDates } from '../frame/dates.ts'
import { useDeskEvent } from '../frame/deskEvent.ts'
import { LoadedCard } from '../frame/LoadedCard.tsx'
import styles from './Money.module.css'

const words = MONEY.totals

/** What each day brought, by channel and way of paying. */
export const TotalsCard = () => {
  const { asked } = useDeskEvent()
  const query = useQuery(queries.moneyTotals(asked))
  return (
    <LoadedCard title={words.title} query={query} failed={words.failed} words={words} lines={4}>
      {({ totals }) =>
        totals.length === 0 ? (
          <p className={styles.soft}>{words.none}</p>
        ) : (
          <Totals totals={totals} busy={query.isFetching} />
        )
      }
    </LoadedCard>
  )
}

const add = (totals: readonly MoneyTotal[], field: 'captured' | 'refunded') =>
  toRupees(totals.reduce((sum, total) => sum + toPaise(total[field]), 0))

const Totals = ({ totals, busy }: { totals: readonly MoneyTotal[]; busy: boolean }) => {
  const { dayOf } = useDates()
  const head = (
    <>
      <Th>{words.columns.day}</Th>
      <Th>{words.columns.channel}</Th>
      <Th>{words.columns.provider}</Th>
      <Th numeric>{words.columns.orders}</Th>
      <Th numeric>{words.columns.captured}</Th>
      <Th numeric>{words.columns.refunded}</Th>
      <Th numeric>{words.columns.net}</Th>
    </>
  )
  const all = {
    orders: totals.reduce((sum, { orders }) => sum + orders, 0),
    captured: add(totals, 'captured'),
    refunded: add(totals, 'refunded'),
  }
  return (
    <div className={styles.table}>
      <Table caption={words.title} head={head} busy={busy} bare>
        {totals.map((total) => (
          <Tr key={`${total.day} ${total.channel} ${total.provider}`}>
            <Td label={words.columns.day}>{dayOf(`${total.day}T12:00:00Z`)}</Td>
            <Td label={words.columns.channel}>{ORDERS.channels[total.channel]}</Td>
            <Td label={words.columns.provider}>{ORDERS.providers[total.provider]}</Td>
            <Sums sums={total} />
          </Tr>
        ))}
        <Tr className={styles.sum}>
          <Td>{words.sum}</Td>
          <Td className={styles.filler} />
          <Td className={styles.filler} />
          <Sums sums={all} />
        </Tr>
      </Table>
    </div>
  )
}

const Sums = ({
  sums: { orders, captured, refunded },
}: {
  sums: Pick<MoneyTotal, 'orders' | 'captured' | 'refunded'>
}) => (
  <>
    <Td label={words.columns.orders} numeric>
      {formatCount(orders)}
    </Td>
    <Td label={words.columns.captured} numeric>
      {formatRupees(captured)}
    </Td>
    <Td label={words.columns.refunded} numeric>
      {formatRupees(refunded)}
    </Td>
    <Td label={words.columns.net} numeric>
      {formatRupees(toRupees(toPaise(captured) - toPaise(refunded)))}
    </Td>
  </>
)
