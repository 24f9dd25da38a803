import { ORDER_CHANNELS, ORDER_PROVIDERS, ORDER_STATES } from '@garba/shared/contracts/names'
import { ORDER_SORTS, type OrderListed } from '@garba/shared/contracts/order'
import { formatCount } from '@garba/shared/messages/language'
import { formatRupees } from '@garba/shared/rules/money'
import { getOrderStage } from '@garba/shared/rules/orders/orderStage'
import { useQuery } from '@tanstack/react-query'
import { Receipt, Store, Ticket } from 'lucide-react'
import { Link } from 'react-router'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Email } from '../../kit/Person.tsx'
import { Select } from '../../kit/Select.tsx'
import { Td, Th, Tr } from '../../kit/Table.tsx'
import { callFile } from '../../platform/http/call.ts'
import { queries } from '../../platform/queries.ts'
import { useDates } from '../frame/dates.ts'
import { useDeskEvent } from '../frame/deskEvent.ts'
import { DownloadButton } from '../frame/ExportButton.tsx'
import { DAY_PARAMS, DaysChoice, useDays } from '../frame/fields/DaysChoice.tsx'
import { TypeFilter } from '../frame/fields/TypeFilter.tsx'
import { CopyItem, MenuTable, PlaceItem, RowMenu } from '../frame/RowMenu.tsx'
import { TableView } from '../frame/TableView.tsx'
import { filterOptions, SortTh, useTableUrl, useUrlChoice, useUrlId } from '../frame/tableUrl.tsx'
import { CODES } from '../texts/codes.ts'
import { DESK } from '../texts/desk.ts'
import { ORDERS } from '../texts/orders.ts'
import { SELL } from '../texts/sell.ts'
import { OrderState } from './OrderParts.tsx'
import styles from './OrdersView.module.css'
import { formatRupeesOrDash } from './orderMoney.ts'

const words = ORDERS
const STATES = filterOptions(words.allStates, ORDER_STATES, words.states)
const CHANNELS = filterOptions(words.allChannels, ORDER_CHANNELS, words.channels)
const PROVIDERS = filterOptions(words.allProviders, ORDER_PROVIDERS, words.providers)

export default function OrdersView() {
  const more = ['channel', 'provider', 'type', 'promo', ...DAY_PARAMS]
  const url = useTableUrl({ filter: 'state', values: ORDER_STATES, more, sorts: ORDER_SORTS })
  const [channel, setChannel] = useUrlChoice('channel', ORDER_CHANNELS)
  const [provider, setProvider] = useUrlChoice('provider', ORDER_PROVIDERS)
  const [type, setType] = useUrlId('type')
  const [promo, setPromo] = useUrlId('promo')
  const { eventQuery } = useDeskEvent()
  const filters = { ...eventQuery, ...useDays(), search: url.search, state: url.filter, channel, provider, type, promo }
  const query = useQuery(queries.orders({ page: url.page, sort: url.sort, ...filters }))
  const { types, codes = [] } = query.data ?? {}
  return (
    <TableView
      title={DESK.titles.orders}
      byEvent
      words={words}
      url={url}
      query={query}
      failed={words.failed}
      rowsIn={({ pagination }) => pagination.totalOrders}
      filter={{ label: words.state, options: STATES }}
      moreFilters={
        <>
          <Select label={words.channel} hideLabel value={channel} options={CHANNELS} onChange={setChannel} />
          <Select label={words.provider} hideLabel value={provider} options={PROVIDERS} onChange={setProvider} />
          <TypeFilter types={types} value={type} onChange={setType} />
          {codes.length === 0 ? null : (
            <Select
              label={CODES.filter}
              hideLabel
              value={promo}
              options={[{ value: '', label: CODES.all }, ...codes.map(({ id, code }) => ({ value: id, label: code }))]}
              onChange={setPromo}
            />
          )}
          <DaysChoice />
        </>
      }
      actions={
        <DownloadButton
          fetch={() => callFile('exportOrders', { query: filters })}
          name="orders.csv"
          done={words.exported}
          failed={words.exportFailed}
        >
          {words.exportCsv}
        </DownloadButton>
      }
      primary={
        <ButtonLink to="sell" size="sm" tone="primary" icon={<Store />}>
          {SELL.action}
        </ButtonLink>
      }
    >
      {({ orders }) => <OrdersTable orders={orders} hasTypes={types !== undefined} busy={query.isFetching} />}
    </TableView>
  )
}

interface OrdersTableProps {
  orders: readonly OrderListed[]
  hasTypes: boolean
  busy: boolean
}

const OrdersTable = ({ orders, hasTypes, busy }: OrdersTableProps) => {
  const head = (
    <>
      <SortTh column="order">{words.columns.order}</SortTh>
      <SortTh column="buyer">{words.columns.buyer}</SortTh>
      <SortTh column="placed" numeric newest>
        {words.columns.placed}
      </SortTh>
      <SortTh column="quantity" numeric={!hasTypes}>
        {words.columns.quantity}
      </SortTh>
      <SortTh column="amount" numeric>
        {words.columns.amount}
      </SortTh>
      <SortTh column="state">{words.columns.state}</SortTh>
      <SortTh column="provider">{words.columns.provider}</SortTh>
      <Th numeric>{words.columns.captured}</Th>
      <Th numeric>{words.columns.refunded}</Th>
    </>
  )
  return (
    <MenuTable list caption={words.caption} head={head} busy={busy}>
      {orders.map((order) => (
        <OrderRow key={order.code} order={order} hasTypes={hasTypes} />
      ))}
    </MenuTable>
  )
}

const OrderRow = ({ order, hasTypes }: { order: OrderListed; hasTypes: boolean }) => {
  const { code, buyer, lines = [] } = order
  const types = lines.map(({ type, quantity }) => words.typeLine(type.name.en, quantity)).join(', ')
  const { momentOf } = useDates()
  const { eventQuery } = useDeskEvent()
  const placeOf = (view: string, search: string) => `../${view}?${new URLSearchParams({ ...eventQuery, search })}`
  const name = buyer.name || words.nobody
  return (
    <Tr>
      <Td place="detail">
        <Link className={styles.code} to={code}>
          {code}
        </Link>
      </Td>
      <Td label={words.columns.buyer} place="title" text title={[name, buyer.email].filter(Boolean).join(', ')}>
        <span className={styles.name}>{name}</span>
        {buyer.email === '' ? null : (
          <span className={styles.second}>
            <Email address={buyer.email} />
          </span>
        )}
      </Td>
      <Td label={words.columns.placed} numeric className={styles.when}>
        {momentOf(order.createdAt)}
      </Td>
      {hasTypes ? (
        <Td label={words.columns.quantity} className={styles.types} title={types}>
          <span>{types}</span>
        </Td>
      ) : (
        <Td label={words.columns.quantity} numeric className={styles.quantity} data-unit={words.unit(order.quantity)}>
          {formatCount(order.quantity)}
        </Td>
      )}
      <Td label={words.columns.amount} numeric>
        {formatRupees(order.total)}
      </Td>
      <Td label={words.columns.state} place="state">
        <OrderState stage={getOrderStage(order.state, order)} />
      </Td>
      <Td label={words.columns.provider} className={styles.when}>
        {words.providers[order.provider]}
        <span className={styles.second}>{words.channels[order.channel]}</span>
      </Td>
      <Td label={words.columns.captured} numeric none={order.captured === 0}>
        {formatRupeesOrDash(order.captured)}
      </Td>
      <Td label={words.columns.refunded} numeric none={order.refunded + order.requested === 0}>
        {order.requested === 0 ? (
          formatRupeesOrDash(order.refunded)
        ) : (
          <span title={words.stillToRefund(formatRupees(order.requested))}>
            {order.refunded === 0 ? '' : `${formatRupees(order.refunded)} + `}
            {words.due(formatRupees(order.requested))}
          </span>
        )}
      </Td>
      <Td corner>
        <RowMenu label={words.moreOf(code)}>
          <PlaceItem to={code} Icon={Receipt}>
            {words.menu.open}
          </PlaceItem>
          <CopyItem text={code} toast={words.codeCopied}>
            {words.menu.copyCode}
          </CopyItem>
          {buyer.email === '' ? null : (
            <>
              <CopyItem text={buyer.email} toast={DESK.emailCopied}>
                {words.menu.copyEmail}
              </CopyItem>
              <PlaceItem to={placeOf('orders', buyer.email)} Icon={Receipt}>
                {words.menu.sameBuyer}
              </PlaceItem>
              <PlaceItem to={placeOf('tickets', buyer.email)} Icon={Ticket}>
                {words.menu.tickets}
              </PlaceItem>
            </>
          )}
        </RowMenu>
      </Td>
    </Tr>
  )
}
