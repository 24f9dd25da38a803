import type { OrderState as State } from '@garba/shared/contracts/names'
import type { Order } from '@garba/shared/contracts/order'
import { formatRupees } from '@garba/shared/rules/money'
import { isFree } from '@garba/shared/rules/orders/orderMoney'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { StateChip, type StateTone } from '../../kit/Badge.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Line, Slip } from '../../kit/Slip.tsx'
import styles from './OrderParts.module.css'
import { useOrderWords } from './words.ts'

type SlipOrder = Pick<Order, 'code' | 'eventName' | 'quantity' | 'unitPrice' | 'total'>

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
        <Line label={receipt.tickets}>{`${order.quantity} × ${formatRupees(order.unitPrice)}`}</Line>
        {children}
        <Line label={receipt.total} strong>
          {formatRupees(order.total)}
        </Line>
      </dl>
    </Slip>
  )
}

const TONES = { held: 'warn', paid: 'ok', expired: 'bad', cancelled: 'info' } as const satisfies Record<
  State,
  StateTone
>

export const OrderState = ({ order }: { order: Pick<Order, 'state' | 'provider'> }) => {
  const { state, provider } = useOrderWords()
  const isGiven = order.state === 'paid' && isFree(order.provider)
  return <StateChip state={TONES[order.state]}>{isGiven ? provider[order.provider] : state[order.state]}</StateChip>
}

interface OrdersHeadProps {
  back: { to: string; label: string }
  title: string
  children?: ReactNode
}

export const OrdersHead = ({ back, title, children }: OrdersHeadProps) => (
  <header className={styles.head}>
    <ButtonLink to={back.to} tone="ghost" size="sm" icon={<ArrowLeft aria-hidden="true" />}>
      {back.label}
    </ButtonLink>
    <h1 className={styles.title}>{title}</h1>
    {children}
  </header>
)
