import type { Order } from '@garba/shared/contracts/order'
import { formatRupees } from '@garba/shared/rules/money'
import type { ReactNode } from 'react'
import { Line, Slip } from '../Slip.tsx'
import { useOrderWords } from './words.ts'

type SlipOrder = Pick<Order, 'code' | 'eventName' | 'quantity' | 'unitPrice' | 'total'>

export const OrderSlip = ({ order, children }: { order: SlipOrder; children?: ReactNode }) => {
  const { receipt, code } = useOrderWords()
  return (
    <Slip>
      <dl>
        <Line label={code}>{order.code}</Line>
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
