import type { OrderListed } from '@garba/shared/contracts/order'
import { DESK } from '@garba/shared/messages/desk'
import { ORDERS } from '@garba/shared/messages/deskOrders'
import { formatCount } from '@garba/shared/messages/language'
import { formatRupees } from '@garba/shared/rules/money'
import { Receipt, Ticket } from 'lucide-react'
import { Link } from 'react-router'
import { Email } from '../../kit/Email.tsx'
import { Td, Th, Tr } from '../../kit/Table.tsx'
import { useDates } from '../frame/dates.ts'
import { useDeskEvent } from '../frame/deskEvent.ts'
import { CopyItem, MenuTable, PlaceItem, RowMenu } from '../frame/RowMenu.tsx'
import { OrderState } from './OrderState.tsx'
import styles from './Orders.module.css'

const words = ORDERS

export const OrdersTable = ({ orders, busy }: { orders: readonly OrderListed[]; busy: boolean }) => {
  const head = (
    <>
      <Th>{words.columns.order}</Th>
      <Th>{words.columns.buyer}</Th>
      <Th numeric>{words.columns.placed}</Th>
      <Th numeric>{words.columns.quantity}</Th>
      <Th numeric>{words.columns.amount}</Th>
      <Th>{words.columns.state}</Th>
      <Th>{words.columns.provider}</Th>
      <Th numeric>{words.columns.captured}</Th>
      <Th numeric>{words.columns.refunded}</Th>
    </>
  )
  return (
    <MenuTable caption={words.caption} head={head} busy={busy}>
      {orders.map((order) => (
        <OrderRow key={order.code} order={order} />
      ))}
    </MenuTable>
  )
}

/** ₹0 in every row would hide the rows where money moved. */
const moved = (rupees: number) => (rupees === 0 ? '–' : formatRupees(rupees))

const OrderRow = ({ order }: { order: OrderListed }) => {
  const { code, buyer } = order
  const { momentOf } = useDates()
  const { asked } = useDeskEvent()
  const placeOf = (view: string, search: string) => `../${view}?${new URLSearchParams({ ...asked, search })}`
  const name = buyer.name || words.nobody
  return (
    <Tr>
      <Td>
        <Link className={styles.code} to={code}>
          {code}
        </Link>
      </Td>
      <Td label={words.columns.buyer} wide text title={[name, buyer.email].filter(Boolean).join(', ')}>
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
      <Td label={words.columns.quantity} numeric>
        {formatCount(order.quantity)}
      </Td>
      <Td label={words.columns.amount} numeric>
        {formatRupees(order.total)}
      </Td>
      <Td label={words.columns.state}>
        <OrderState state={order.state} />
      </Td>
      <Td label={words.columns.provider} className={styles.when}>
        {words.providers[order.provider]}
        <span className={styles.second}>{words.channels[order.channel]}</span>
      </Td>
      <Td label={words.columns.captured} numeric>
        {moved(order.captured)}
      </Td>
      <Td label={words.columns.refunded} numeric>
        {moved(order.refunded)}
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
