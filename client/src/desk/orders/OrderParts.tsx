import type { DeskOrder } from '@garba/shared/contracts/order'
import { AUDIT } from '@garba/shared/messages/audit'
import { shortenTicketId } from '@garba/shared/messages/common'
import { BLOCK } from '@garba/shared/messages/gate'
import { formatRupees, sumRupees } from '@garba/shared/rules/money'
import { getOrderStage, type OrderStage } from '@garba/shared/rules/orders/orderStage'
import { getHolderName } from '@garba/shared/rules/ticketStatus'
import { CircleSlash, Eraser, Hourglass, UserPen } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { STATE_ICON, StateChip } from '../../kit/Badge.tsx'
import { Button } from '../../kit/Button.tsx'
import { Card, Fact } from '../../kit/Card.tsx'
import { cx } from '../../kit/cx.ts'
import { ConfirmDialog } from '../../kit/Dialog.tsx'
import { Email } from '../../kit/Person.tsx'
import { callFile } from '../../platform/http/call.ts'
import { useDates } from '../frame/dates.ts'
import { DownloadButton } from '../frame/ExportButton.tsx'
import { CHANGE_BUYER } from '../texts/buyer.ts'
import { CODES } from '../texts/codes.ts'
import { DESK } from '../texts/desk.ts'
import { ORDERS } from '../texts/orders.ts'
import { BuyerDialog } from './BuyerDialog.tsx'
import { buildOrderHistory } from './history.ts'
import styles from './OrderView.module.css'
import { paysBackItself, sumOrderMoney } from './orderMoney.ts'
import { useOrderChanges } from './useOrderChanges.ts'

const words = ORDERS.one

export const OrderSummary = ({ order }: { order: DeskOrder }) => {
  const { momentOf } = useDates()
  const { buyer } = order
  const money = sumOrderMoney(order)
  const { captured, fees, refunded, requested, net } = money
  return (
    <Card title={words.summary} actions={<OrderState stage={getOrderStage(order.state, money)} />}>
      <dl className={styles.facts}>
        <Fact label={words.price}>
          {words.sum({
            quantity: order.quantity,
            each: formatRupees(order.unitPrice),
            total: formatRupees(order.total),
          })}
        </Fact>
        <Fact label={words.captured}>
          <strong className={styles.amount}>{formatRupees(captured)}</strong>
        </Fact>
        <Fact label={words.refunded}>{refunded === 0 ? null : formatRupees(-refunded)}</Fact>
        <Fact label={words.fees}>{fees === 0 ? null : formatRupees(-fees)}</Fact>
        <Fact label={words.net}>
          {refunded === 0 && fees === 0 ? null : <strong className={styles.amount}>{formatRupees(net)}</strong>}
        </Fact>
        <Fact label={words.requested}>{requested === 0 ? null : formatRupees(requested)}</Fact>
        <Fact label={words.provider}>{ORDERS.providers[order.provider]}</Fact>
        <Fact label={CODES.columns.code}>
          {order.promo ? CODES.madeBy(order.promo.code, order.promo.createdBy) : null}
        </Fact>
        <Fact label={words.reason}>{order.reason}</Fact>
        <Fact label={words.buyer}>{buyer.name || ORDERS.nobody}</Fact>
        <Fact label={words.email}>{buyer.email === '' ? null : <Email address={buyer.email} />}</Fact>
        <Fact label={words.phone}>{buyer.phone}</Fact>
        <Fact label={words.seller}>{order.seller}</Fact>
        <Fact label={words.channel}>{ORDERS.channels[order.channel]}</Fact>
        <Fact label={words.event}>{order.eventName}</Fact>
        <Fact label={words.heldUntil}>{order.holdUntil === null ? null : momentOf(order.holdUntil)}</Fact>
      </dl>
      {buyer.name === AUDIT.erased ? null : (
        <div className={styles.data}>
          <ChangeBuyer order={order} />
          {order.account === null ? <BuyerData order={order} /> : null}
        </div>
      )}
    </Card>
  )
}

const ChangeBuyer = ({ order }: { order: DeskOrder }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="sm" tone="ghost" icon={<UserPen />} onClick={() => setOpen(true)}>
        {CHANGE_BUYER.action}
      </Button>
      {open ? <BuyerDialog order={order} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

const BuyerData = ({ order }: { order: DeskOrder }) => {
  const [confirming, setConfirming] = useState(false)
  const { erase } = useOrderChanges(order.code)
  return (
    <>
      <DownloadButton
        tone="ghost"
        fetch={() => callFile('exportBuyer', { params: { code: order.code } })}
        name="person.json"
        done={DESK.users.exportedData}
        failed={DESK.users.exportDataFailed}
      >
        {ORDERS.erase.download}
      </DownloadButton>
      <Button size="sm" tone="ghost" icon={<Eraser />} onClick={() => setConfirming(true)}>
        {ORDERS.erase.action}
      </Button>
      <ConfirmDialog
        open={confirming}
        title={ORDERS.erase.title(order.buyer.name)}
        tone="danger"
        confirmLabel={ORDERS.erase.action}
        cancelLabel={DESK.users.keep}
        busy={erase.isPending}
        onConfirm={() => erase.mutate(undefined, { onSettled: () => setConfirming(false) })}
        onCancel={() => setConfirming(false)}
      >
        {ORDERS.erase.text}
      </ConfirmDialog>
    </>
  )
}

type TicketOfOrder = DeskOrder['tickets'][number]

const waitsForHand = (order: DeskOrder, { id }: TicketOfOrder) =>
  !paysBackItself(order) && order.refunds.some(({ ticketId, state }) => ticketId === id && state === 'requested')

export const OrderTickets = ({ order }: { order: DeskOrder }) => (
  <Card title={words.tickets} flush>
    {order.tickets.length === 0 ? (
      <p className={cx('soft', styles.none)}>{order.state === 'held' ? words.noTickets : words.neverTickets}</p>
    ) : (
      <ul className={styles.tickets}>
        {order.tickets.map((ticket) => (
          <TicketLine key={ticket.id} ticket={ticket} order={order} />
        ))}
      </ul>
    )}
  </Card>
)

const TICKET_TONES = { active: 'info', used: 'ok', cancelled: 'bad' } as const

const TicketLine = ({ ticket, order }: { ticket: TicketOfOrder; order: DeskOrder }) => {
  const { markPaid } = useOrderChanges(order.code)
  const shortId = shortenTicketId(ticket.id)
  const refund = ticket.isRefundDone === null ? 'unset' : ticket.isRefundDone ? 'true' : 'false'
  const own = order.refunds.filter(({ ticketId }) => ticketId === ticket.id)
  const inDoubt = own.find(({ state }) => state === 'asking')
  const { momentOf } = useDates()
  return (
    <li className={styles.ticket}>
      <Link
        className={styles.code}
        to={`../tickets?${new URLSearchParams({ ...(ticket.isPast ? { event: order.event } : {}), search: ticket.id })}`}
        aria-label={words.openTicket(shortId)}
      >
        {shortId}
      </Link>
      <span className={styles.holder} title={getHolderName(ticket)}>
        {getHolderName(ticket)}
        {order.tickets.length > 1 ? <span className="soft"> · {words.openTicket(String(ticket.number))}</span> : null}
        {ticket.paperNumber === undefined ? null : <span className="soft"> · {BLOCK.printed(ticket.paperNumber)}</span>}
      </span>
      <span className="tabular">{formatRupees(ticket.price)}</span>
      <StateChip state={TICKET_TONES[ticket.status]}>{DESK.tickets.statuses[ticket.status]}</StateChip>
      {ticket.status === 'cancelled' && own.length > 0 ? (
        <span className="soft">
          {DESK.tickets.columns.refund}: {formatRupees(sumRupees(own))}, {DESK.tickets.refunds[refund]}
        </span>
      ) : null}
      {inDoubt ? <p className={cx('soft', styles.doubt)}>{ORDERS.inDoubt(momentOf(inDoubt.updatedAt))}</p> : null}
      {waitsForHand(order, ticket) && ticket.isRefundDone !== true ? (
        <Button
          size="sm"
          busy={markPaid.isPending}
          aria-label={ORDERS.markPaid.of(shortId)}
          onClick={() => markPaid.mutate(ticket.id)}
        >
          {ORDERS.markPaid.action}
        </Button>
      ) : null}
    </li>
  )
}

export const OrderHistory = ({ order }: { order: DeskOrder }) => {
  const { momentOf } = useDates()
  return (
    <ol className="stack-4">
      {buildOrderHistory(order, momentOf).map(({ id, at, tone, title, details }) => {
        const Icon = STATE_ICON[tone]
        return (
          <li key={id} className={styles.happening}>
            <Icon className={cx(styles.icon, styles[tone])} />
            <div>
              <p className={styles.what}>{title}</p>
              {details.length === 0 ? null : <p className={cx('soft', styles.details)}>{details.join(' · ')}</p>}
            </div>
            <time dateTime={at} className={cx('soft', styles.at)}>
              {momentOf(at)}
            </time>
          </li>
        )
      })}
    </ol>
  )
}

const TONE = {
  held: 'warn',
  paid: 'ok',
  issued: 'ok',
  refundDue: 'warn',
  partRefunded: 'info',
  refunded: 'info',
  expired: 'info',
  cancelled: 'bad',
} as const satisfies Record<OrderStage, string>

export const OrderState = ({ stage }: { stage: OrderStage }) => (
  <StateChip
    state={TONE[stage]}
    {...(stage === 'held' ? { icon: <Hourglass /> } : {})}
    {...(stage === 'expired' ? { icon: <CircleSlash /> } : {})}
  >
    {ORDERS.stages[stage]}
  </StateChip>
)
