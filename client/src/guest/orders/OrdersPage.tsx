import type { Order } from '@garba/shared/contracts/order'
import { orderPage } from '@garba/shared/contracts/site/pages'
import { formatRupees } from '@garba/shared/rules/money'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ReceiptText, WifiOff } from 'lucide-react'
import { Link } from 'react-router'
import { Banner, EmptyState, ErrorPanel } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { SkeletonLines } from '../../kit/Skeleton.tsx'
import { useUser } from '../../platform/identity/session.ts'
import { useOnline } from '../../platform/net/connectivity.ts'
import { usePageTitle } from '../../platform/page.ts'
import { queries } from '../../platform/queries.ts'
import { failureText } from '../failures.ts'
import { useFormat } from '../format.ts'
import { GUEST_HOME } from '../paths.ts'
import { useWords } from '../words.ts'
import { OrderState, OrdersHead } from './OrderParts.tsx'
import styles from './OrdersPage.module.css'
import { useOrderWords } from './words.ts'

export default function OrdersPage() {
  const { list, offline } = useOrderWords()
  const words = useWords()
  const online = useOnline()
  const userId = useUser()?._id ?? null
  const { data, error, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    ...queries.everyOrder(userId ?? ''),
    enabled: userId !== null,
    refetchOnReconnect: 'always',
  })
  usePageTitle(list.title)
  // An order placed since the first page was read moves the others down, so that one order is on two pages.
  const orders = new Map(data?.pages.flatMap((page) => page.orders).map((order) => [order.code, order]))
  return (
    <div className={styles.page}>
      <OrdersHead back={{ to: GUEST_HOME, label: list.back }} title={list.title} />
      {online ? null : (
        <Banner tone="warn" live="status" icon={<WifiOff />}>
          <p>{offline}</p>
        </Banner>
      )}
      {data !== undefined ? (
        <>
          <Orders orders={[...orders.values()]} />
          {hasNextPage && online ? (
            <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {list.more}
            </Button>
          ) : null}
        </>
      ) : error === null ? (
        <SkeletonLines lines={5} label={list.loading} />
      ) : online ? (
        <ErrorPanel title={list.failed} busy={isFetching} retryLabel={list.retry} onRetry={() => void refetch()}>
          {failureText(error, words)}
        </ErrorPanel>
      ) : null}
    </div>
  )
}

const Orders = ({ orders }: { orders: readonly Order[] }) => {
  const words = useOrderWords()
  const format = useFormat()
  if (orders.length === 0)
    return (
      <EmptyState title={words.list.none} level={2} icon={<ReceiptText />}>
        <p>{words.list.noneDetail}</p>
      </EmptyState>
    )
  return (
    <ul className="stack-3">
      {orders.map((order) => (
        <li key={order.code}>
          <Link to={orderPage(order.code)} className={styles.order}>
            <span className={styles.main}>
              <span className={styles.code}>{words.title(order.code)}</span>
              <span className={styles.event}>{order.eventName}</span>
              <span className="soft">{format.moment(order.createdAt)}</span>
            </span>
            <span className={styles.sum}>
              <span className={styles.amount}>{formatRupees(order.total)}</span>
              <span className="soft">{words.tickets(order.quantity)}</span>
            </span>
            <OrderState order={order} />
          </Link>
        </li>
      ))}
    </ul>
  )
}
