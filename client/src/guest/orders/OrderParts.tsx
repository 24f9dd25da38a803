import type { OrderState as State } from '@garba/shared/contracts/names'
import type { Order, WholeOrder } from '@garba/shared/contracts/order'
import { formatRupees } from '@garba/shared/rules/money'
import { isFree } from '@garba/shared/rules/orders/orderMoney'
import { pickTypeName } from '@garba/shared/rules/types/ticketTypes'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { StateChip, type StateTone } from '../../kit/Badge.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Line, Slip } from '../../kit/Slip.tsx'
import { useLanguage } from '../../platform/language.ts'
import styles from './OrderParts.module.css'
import { useOrderWords } from './words.ts'

type SlipOrder = Pick<Order, 'code' | 'eventName' | 'quantity' | 'unitPrice' | 'total' | 'lines'>

interface OrderSlipProps {
  order: SlipOrder
  titled?: boolean
  children?: ReactNode
}

export const OrderSlip = ({ order, titled = false, children }: OrderSlipProps) => {
  const { receipt, code } = useOrderWords()
  return (
    <Slip>
      <dl>
        {titled ? null : <Line label={code}>{order.code}</Line>}
        <Line label={receipt.event}>{order.eventName}</Line>
        <OrderLines order={order} />
        {children}
        <Line label={receipt.total} strong>
          {formatRupees(order.total)}
        </Line>
      </dl>
    </Slip>
  )
}

/** What was bought: a line for each type, where the buyer knows of several. */
export const OrderLines = ({ order }: { order: Pick<Order, 'quantity' | 'unitPrice' | 'lines'> }) => {
  const { receipt } = useOrderWords()
  const language = useLanguage((state) => state.language)
  const lines = order.lines?.some(({ type }) => type.isShown)
    ? order.lines.map(({ type, ...line }) => ({ ...line, label: pickTypeName(type.name, language) }))
    : [{ label: receipt.tickets, quantity: order.quantity, price: order.unitPrice }]
  return lines.map(({ label, quantity, price }) => (
    <Line key={label} label={label}>
      <span className={styles.count}>{`${quantity} × ${formatRupees(price)}`}</span>
    </Line>
  ))
}

const TONES = { held: 'warn', paid: 'ok', expired: 'bad', cancelled: 'info' } as const satisfies Record<
  State,
  StateTone
>

type CheckedPayment = Pick<WholeOrder, 'utr' | 'creditSeen'>

/** Whether the organiser now checks a payment, so that the order can be neither paid again nor cancelled. */
export const isPaymentGiven = ({ utr, creditSeen }: CheckedPayment): boolean => utr !== undefined || creditSeen === true

export const OrderState = ({ order }: { order: Pick<Order, 'state' | 'provider'> & CheckedPayment }) => {
  const { state, provider, upi } = useOrderWords()
  const isGiven = order.state === 'paid' && isFree(order.provider)
  if (order.state === 'held' && isPaymentGiven(order)) return <StateChip state="info">{upi.checking}</StateChip>
  return <StateChip state={TONES[order.state]}>{isGiven ? provider[order.provider] : state[order.state]}</StateChip>
}

interface OrdersHeadProps {
  back: { to: string; label: string }
  title: string
  children?: ReactNode
}

export const OrdersHead = ({ back, title, children }: OrdersHeadProps) => (
  <header className={styles.head}>
    <ButtonLink to={back.to} tone="ghost" size="sm" icon={<ArrowLeft />}>
      {back.label}
    </ButtonLink>
    <h1 className={styles.title}>{title}</h1>
    {children}
  </header>
)
