import type { WholeOrder } from '@garba/shared/contracts/order'
import { formatRupees } from '@garba/shared/rules/money'
import { Printer } from 'lucide-react'
import { Button } from '../../kit/Button.tsx'
import { PrintedPages } from '../../kit/PrintSheet.tsx'
import { usePerson } from '../dashboard/usePerson.ts'
import { useFormat } from '../format.ts'
import { Line } from '../Slip.tsx'
import { OrderSlip } from './OrderSlip.tsx'
import printStyles from './Receipt.module.css'
import { useOrderWords } from './words.ts'

/** The receipt of a paid order, on the screen. */
export const Receipt = ({ order }: { order: WholeOrder }) => {
  const { receipt } = useOrderWords()
  return (
    <section className={printStyles.receipt} aria-labelledby="receipt">
      <h2 id="receipt">{receipt.title}</h2>
      <OrderSlip order={order}>
        <Facts order={order} />
      </OrderSlip>
      <div>
        <Button icon={<Printer aria-hidden="true" />} onClick={() => window.print()}>
          {receipt.print}
        </Button>
      </div>
    </section>
  )
}

/** When and how it was paid. */
const Facts = ({ order }: { order: WholeOrder }) => {
  const { receipt, provider } = useOrderWords()
  const format = useFormat()
  const payment = order.payments.find(({ state }) => state === 'captured')
  const paidAt = payment?.at ?? order.settledAt
  return (
    <>
      <Line label={receipt.date}>{format.moment(order.createdAt)}</Line>
      {paidAt === null ? null : <Line label={receipt.paidOn}>{format.moment(paidAt)}</Line>}
      <Line label={receipt.paidWith}>{provider[payment?.provider ?? order.provider]}</Line>
      {order.utr === undefined ? null : <Line label="UTR">{order.utr}</Line>}
    </>
  )
}

/** What is printed of the order's page: the receipt alone. */
export const PrintedReceipt = ({ order }: { order: WholeOrder }) => {
  const words = useOrderWords()
  const { name, email } = usePerson()
  return (
    <PrintedPages>
      <article className={printStyles.sheet}>
        <h1>{words.receipt.title}</h1>
        <p className={printStyles.event}>{order.eventName}</p>
        <dl>
          <Line label={words.code}>{order.code}</Line>
          <Line label={words.receipt.buyer}>{name === email ? name : `${name}, ${email}`}</Line>
          <Facts order={order} />
          <Line label={words.receipt.tickets}>{`${order.quantity} × ${formatRupees(order.unitPrice)}`}</Line>
          <Line label={words.receipt.total} strong>
            {formatRupees(order.total)}
          </Line>
          {order.refunds.map(({ id, kind, state, amount }) => (
            <Line key={id} label={`${words.refund.kind[kind]} (${words.refund.state[state]})`}>
              {`− ${formatRupees(amount)}`}
            </Line>
          ))}
        </dl>
      </article>
    </PrintedPages>
  )
}
