import type { WholeOrder } from '@garba/shared/contracts/order'
import { shortenTicketId } from '@garba/shared/messages/common'
import { formatRupees, sumRupees } from '@garba/shared/rules/money'
import { isFree } from '@garba/shared/rules/orders/orderMoney'
import { useMutation } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../kit/Button.tsx'
import { PrintedPages } from '../../kit/PrintSheet.tsx'
import { Qr } from '../../kit/Qr.tsx'
import { Line } from '../../kit/Slip.tsx'
import { isEndedHere } from '../../platform/endedLinks.ts'
import { callServer } from '../../platform/http/call.ts'
import { usePerson } from '../../platform/identity/person.ts'
import { useFormat } from '../format.ts'
import styles from './OrderPage.module.css'
import { OrderLines, OrderSlip } from './OrderParts.tsx'
import { isPaidBack, type Refund } from './Refunds.tsx'
import { useOrderWords } from './words.ts'

export function usePrintReceipt({ tickets }: WholeOrder, online: boolean) {
  const [link, setLink] = useState<{ id: string; url: string } | null>(null)
  const printing = useMutation({
    mutationFn: async () => {
      const ticketIds = tickets.flatMap(({ _id, status, isPast }) => (status === 'active' && !isPast ? _id : []))
      if (link !== null && !isEndedHere(link.id)) return link
      if (!online || ticketIds.length === 0) return null
      return (await callServer('makeLink', { body: { ticketIds, purpose: 'order' }, retries: 0 })).link
    },
    onError: (error) => console.warn('The receipt is printed without a link', error),
  })
  const printReceipt = () => {
    // These callbacks do not run after this page is left, when another page would be printed.
    printing.mutate(undefined, {
      onSettled: (made) => {
        // The sheet is drawn while the window prints, so it must know the link by then.
        flushSync(() => setLink(made ?? null))
        window.print()
      },
    })
  }
  return { link: link?.url ?? null, printReceipt, preparing: printing.isPending }
}

export const Receipt = ({
  order,
  preparing,
  onPrint,
}: {
  order: WholeOrder
  preparing: boolean
  onPrint: () => void
}) => {
  const { receipt } = useOrderWords()
  return (
    <section className={styles.receipt} aria-labelledby="receipt">
      <h2 id="receipt">{receipt.title}</h2>
      <OrderSlip order={order}>
        <Facts order={order} />
      </OrderSlip>
      <div>
        <Button icon={<Printer />} busy={preparing} onClick={onPrint}>
          {receipt.print}
        </Button>
      </div>
    </section>
  )
}

const Facts = ({ order }: { order: WholeOrder }) => {
  const { receipt, provider } = useOrderWords()
  const format = useFormat()
  const payment = order.payments.find(({ state }) => state === 'captured')
  const paidAt = payment?.at ?? order.settledAt
  return (
    <>
      <Line label={receipt.date}>{format.moment(order.createdAt)}</Line>
      {paidAt === null || isFree(order.provider) ? null : <Line label={receipt.paidOn}>{format.moment(paidAt)}</Line>}
      <Line label={receipt.paidWith}>{provider[payment?.provider ?? order.provider]}</Line>
      {order.utr === undefined ? null : <Line label="UTR">{order.utr}</Line>}
    </>
  )
}

export const PrintedReceipt = ({ order, link }: { order: WholeOrder; link: string | null }) => {
  const words = useOrderWords()
  const { name, email } = usePerson()
  const paidBack = order.refunds.filter(isPaidBack)
  const received = sumRupees(order.payments.filter(({ state }) => state === 'captured'))
  const surplus = Math.max(0, received - order.total)
  const labelOf = ({ kind, state, ticketId }: Refund) =>
    `${ticketId === null ? words.refund.kind[kind] : words.refund.ofTicket(shortenTicketId(ticketId))} (${words.refund.state[state]})`
  return (
    <PrintedPages>
      <article className={styles.sheet}>
        <h1>{words.receipt.title}</h1>
        <p className={styles.event}>{order.eventName}</p>
        <dl>
          <Line label={words.code}>{order.code}</Line>
          <Line label={words.receipt.buyer}>{name === email ? name : `${name}, ${email}`}</Line>
          <Facts order={order} />
          <OrderLines order={order} />
          <Line label={words.receipt.numbers}>
            {order.tickets.map(({ ticketId }) => shortenTicketId(ticketId)).join(', ')}
          </Line>
          <Line label={words.receipt.total} strong>
            {formatRupees(order.total)}
          </Line>
          {surplus === 0 ? null : <Line label={words.refund.kind.duplicate}>{formatRupees(surplus)}</Line>}
          {paidBack.map((refund) => (
            <Line key={refund.id} label={labelOf(refund)}>
              {formatRupees(-refund.amount)}
            </Line>
          ))}
          {paidBack.length === 0 ? null : (
            <Line label={words.receipt.net} strong>
              {formatRupees(order.total + surplus - sumRupees(paidBack))}
            </Line>
          )}
          {order.refunds
            .filter((refund) => !isPaidBack(refund))
            .map((refund) => (
              <Line key={refund.id} label={labelOf(refund)}>
                {formatRupees(refund.amount)}
              </Line>
            ))}
        </dl>
        {link === null ? null : (
          <div className={styles.link}>
            <Qr text={link} label={words.receipt.link} />
            <p>{words.receipt.linkText}</p>
          </div>
        )}
      </article>
    </PrintedPages>
  )
}
