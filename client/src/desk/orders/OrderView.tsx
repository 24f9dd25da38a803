import type { DeskOrder } from '@garba/shared/contracts/order'
import { ORDERS } from '@garba/shared/messages/deskOrders'
import { SELL } from '@garba/shared/messages/deskSell'
import { useQuery } from '@tanstack/react-query'
import { BadgeCheck, Mail, QrCode, Undo2, X } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'react-router'
import { Button } from '../../kit/Button.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Card } from '../../kit/Card.tsx'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { SkeletonCards } from '../../kit/Skeleton.tsx'
import { useConfig } from '../../platform/config.ts'
import { queries } from '../../platform/queries.ts'
import { DeskFrame } from '../frame/DeskFrame.tsx'
import { LoadFailure } from '../frame/LoadFailure.tsx'
import { RefreshButton } from '../frame/RefreshButton.tsx'
import { TicketCodes } from '../sell/TicketCodes.tsx'
import { ConfirmPaymentDialog } from './ConfirmPaymentDialog.tsx'
import styles from './Order.module.css'
import { OrderHistory, OrderSummary, OrderTickets } from './OrderParts.tsx'
import { moneyOf } from './orderMoney.ts'
import { RefundOrderDialog } from './RefundOrderDialog.tsx'
import { useOrderChanges } from './useOrderChanges.ts'

const words = ORDERS.one

/** One order with everything that happened to it, and what can be done about it. */
export default function OrderView() {
  const { code = '' } = useParams()
  const query = useQuery(queries.deskOrder(code))
  const load = { query, failed: words.failed }
  const order = query.data?.order
  return (
    <DeskFrame
      title={words.title(code)}
      actions={
        <>
          <ButtonLink to="../orders" size="sm" tone="ghost">
            {words.all}
          </ButtonLink>
          <RefreshButton {...load} />
          {order ? <Actions order={order} /> : null}
        </>
      }
    >
      <LoadFailure {...load} />
      {query.isPending ? <SkeletonCards heights={[104, 184, 360]} label={words.loading} /> : null}
      {order ? (
        <div className={styles.columns}>
          <div className={styles.main}>
            <OrderTickets order={order} />
            <Card title={words.history}>
              <OrderHistory order={order} />
            </Card>
          </div>
          <OrderSummary order={order} />
        </div>
      ) : null}
    </DeskFrame>
  )
}

/** Money came for it, and there are tickets to take back, or it came for none. */
const isRefundable = (order: DeskOrder): boolean =>
  moneyOf(order).left > 0 && (order.state !== 'paid' || order.tickets.some(({ status }) => status !== 'cancelled'))

/** A mail with active tickets can go to its buyer. */
const isMailable = (order: DeskOrder): boolean =>
  order.buyer.email !== '' && order.tickets.some(({ status }) => status === 'active')

type Open = 'refund' | 'cancel' | 'confirm' | 'codes' | null

const Actions = ({ order }: { order: DeskOrder }) => {
  const [open, setOpen] = useState<Open>(null)
  const { refund, cancel, confirm, mail } = useOrderChanges(order.code)
  const mails = useConfig(({ config }) => (config?.mail ?? 'off') !== 'off')
  const over = { onSuccess: () => setOpen(null) }
  const close = () => setOpen(null)
  const held = order.state === 'held'
  return (
    <>
      {held && order.provider === 'upi' ? (
        <Button size="sm" tone="primary" icon={<BadgeCheck aria-hidden="true" />} onClick={() => setOpen('confirm')}>
          {ORDERS.confirm.action}
        </Button>
      ) : null}
      {held ? (
        <Button size="sm" icon={<X aria-hidden="true" />} onClick={() => setOpen('cancel')}>
          {ORDERS.cancel.action}
        </Button>
      ) : null}
      {order.tickets.some(({ qrCode }) => qrCode !== null) ? (
        <Button size="sm" icon={<QrCode aria-hidden="true" />} onClick={() => setOpen('codes')}>
          {SELL.codes.open}
        </Button>
      ) : null}
      {mails && isMailable(order) ? (
        <Button size="sm" icon={<Mail aria-hidden="true" />} busy={mail.isPending} onClick={() => mail.mutate()}>
          {ORDERS.mail.action}
        </Button>
      ) : null}
      {isRefundable(order) ? (
        <Button size="sm" icon={<Undo2 aria-hidden="true" />} onClick={() => setOpen('refund')}>
          {ORDERS.refund.action}
        </Button>
      ) : null}
      {open === 'codes' ? <TicketCodes tickets={order.tickets} order={order.code} onClose={close} /> : null}
      {open === 'refund' ? (
        <RefundOrderDialog
          order={order}
          busy={refund.isPending}
          onSave={(body) => refund.mutate(body, over)}
          onClose={close}
        />
      ) : null}
      {open === 'confirm' ? (
        <ConfirmPaymentDialog
          order={order}
          busy={confirm.isPending}
          onSave={(body) => confirm.mutate(body, over)}
          onClose={close}
        />
      ) : null}
      <ConfirmDialog
        open={open === 'cancel'}
        title={ORDERS.cancel.title(order.code)}
        tone="danger"
        confirmLabel={ORDERS.cancel.confirm}
        cancelLabel={ORDERS.cancel.keep}
        busy={cancel.isPending}
        onConfirm={() => cancel.mutate(undefined, { onSettled: close })}
        onCancel={close}
      >
        {ORDERS.cancel.text}
      </ConfirmDialog>
    </>
  )
}
