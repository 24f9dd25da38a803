import { MINUTE_MS } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { WholeOrder } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { shortenTicketId } from '@garba/shared/messages/common'
import { POLICY_FACTS } from '@garba/shared/messages/policies'
import { findOnlineSale } from '@garba/shared/rules/event/evening'
import { formatRupees, sumRupees } from '@garba/shared/rules/money'
import { isFree } from '@garba/shared/rules/orders/orderMoney'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Printer, WifiOff } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation, useNavigate, useParams } from 'react-router'
import { StateChip, type StateTone } from '../../kit/Badge.tsx'
import { Banner, ErrorPanel } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Card } from '../../kit/Card.tsx'
import { PrintedPages } from '../../kit/PrintSheet.tsx'
import { Qr } from '../../kit/Qr.tsx'
import { SkeletonLines } from '../../kit/Skeleton.tsx'
import { Line } from '../../kit/Slip.tsx'
import { useConfig } from '../../platform/config.ts'
import { isEndedHere } from '../../platform/endedLinks.ts'
import { callServer } from '../../platform/http/call.ts'
import { isFailure } from '../../platform/http/failure.ts'
import { usePerson } from '../../platform/identity/person.ts'
import { useOnline } from '../../platform/net/connectivity.ts'
import { usePageTitle } from '../../platform/page.ts'
import { KEYS } from '../../platform/queries.ts'
import { useServerNow } from '../../platform/screen/now.ts'
import { OFFLINE_NOTE } from '../data/DataAge.tsx'
import { type GuestData, type LoadState, useGuestData } from '../data/useGuestData.ts'
import { failureText } from '../failures.ts'
import { type Format, findEventDayKind, useFormat } from '../format.ts'
import { GUEST_HOME, ORDERS_PATH } from '../paths.ts'
import { JustBought } from '../purchase/JustBought.tsx'
import { PrintSheet, usePrint } from '../tickets/PrintSheet.tsx'
import { TicketCard } from '../tickets/TicketCard.tsx'
import { TicketSheet } from '../tickets/TicketSheet.tsx'
import { useWords } from '../words.ts'
import { awaitOrder, forgetOrder, isAwaited } from './awaited.ts'
import { HeldOrder } from './HeldOrder.tsx'
import styles from './OrderPage.module.css'
import { OrderLines, OrderSlip, OrderState, OrdersHead } from './OrderParts.tsx'
import { type KnownOrder, useOrder } from './useOrder.ts'
import { type OrderWords, useOrderWords } from './words.ts'

export default function OrderPage() {
  const { code = '' } = useParams()
  const words = useOrderWords()
  const online = useOnline()
  const data = useGuestData()
  const known = useOrder(data.userId, code)
  const { order } = known
  useReturn(code)
  const [waited, setWaited] = useState(() => isAwaited(code))
  const [seen, setSeen] = useState(false)
  if (order?.state === 'held' && !waited) setWaited(true)
  useEffect(() => {
    if (order?.state === 'held') awaitOrder(order.code)
    else if (order !== null) forgetOrder(order.code)
  }, [order])
  usePageTitle(words.title(code))
  return (
    <div className={styles.page}>
      <OrdersHead back={{ to: ORDERS_PATH, label: words.list.title }} title={words.title(code)}>
        <div aria-live="polite">{order === null ? null : <OrderState order={order} />}</div>
      </OrdersHead>
      {online ? null : (
        <div id={OFFLINE_NOTE}>
          <Banner tone="warn" live="status" icon={<WifiOff />}>
            <p>{order === null ? words.offline : words.offlineOld}</p>
          </Banner>
        </div>
      )}
      {order === null || data.userId === null ? (
        <Missing known={known} online={online} />
      ) : order.state === 'held' ? (
        <HeldOrder order={order} userId={data.userId} asking={known.asking} ask={known.ask} />
      ) : order.state === 'paid' ? (
        <PaidOrder
          order={order}
          userId={data.userId}
          event={data.event}
          isNew={waited && !seen}
          isKept={!data.notKept}
          onSeen={() => setSeen(true)}
        />
      ) : (
        <EndedOrder order={order} event={data.event} />
      )}
    </div>
  )
}

/** Remembers that the provider sent the payer here, and removes what it added to the address. */
function useReturn(code: string): void {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  useState(() => {
    if (search !== '') awaitOrder(code, Date.now())
  })
  useEffect(() => {
    if (search !== '') void navigate(pathname, { replace: true })
  }, [pathname, search, navigate])
}

const Missing = ({ known, online }: { known: KnownOrder; online: boolean }) => {
  const orderWords = useOrderWords()
  const words = useWords()
  const { error } = known
  if (error === null) return <SkeletonLines lines={5} label={orderWords.loading} />
  if (!online) return null
  const unknown = isFailure(error) && error.code === 'ORDER_NOT_FOUND'
  return (
    <ErrorPanel
      title={orderWords.failed}
      busy={known.asking}
      retryLabel={orderWords.list.retry}
      onRetry={unknown ? undefined : () => void known.ask()}
    >
      {unknown ? orderWords.notFound : failureText(error, words)}
    </ErrorPanel>
  )
}

/** A UPI payment may be unknown to the server, so buying again is suggested only to people who have not paid. */
const EndedOrder = ({ order, event }: { order: WholeOrder; event: GuestData['event'] }) => {
  const { ended } = useOrderWords()
  const support = useConfig(({ config }) => config?.supportEmail ?? '')
  const hasMoney = order.refunds.length > 0
  const mayHavePaid = order.provider === 'upi' && !hasMoney
  const text = order.state === 'expired' ? ended.expired : ended.cancelled
  const now = useServerNow(MINUTE_MS)
  const night = event.type === 'known' ? event.value : null
  const onSale = night !== null && findOnlineSale(night, now) === 'open'
  return (
    <>
      {mayHavePaid ? (
        <Banner tone="warn" title={ended.paid}>
          <p>{order.creditSeen ? ended.creditSeen : ended.ask(order.code)}</p>
          {support === '' ? null : <p>{ended.whom(support)}</p>}
        </Banner>
      ) : (
        <Banner tone={order.refunds.every(isPaidBack) ? 'info' : 'warn'}>
          <p>{order.refunds.some(({ kind }) => kind === 'late') ? ended.late : hasMoney ? ended.back : text}</p>
        </Banner>
      )}
      <OrderSlip order={order} titled />
      <Refunds order={order} />
      {onSale && !order.creditSeen ? (
        <div className={styles.buttons}>
          <ButtonLink
            to={GUEST_HOME}
            state={{ buy: order.quantity }}
            tone={mayHavePaid ? 'secondary' : 'primary'}
            size="lg"
          >
            {mayHavePaid ? ended.notPaid : ended.again}
          </ButtonLink>
        </div>
      ) : null}
    </>
  )
}

const CancelDialog = lazy(async () => ({ default: (await import('../cancel/CancelDialog.tsx')).CancelDialog }))

const NOBODY: ReadonlySet<string> = new Set()
const NO_EVENT: LoadState<GarbaEvent | null> = { type: 'known', value: null, savedAt: 0 }

interface PaidOrderProps {
  order: WholeOrder
  userId: string
  event: LoadState<GarbaEvent | null>
  isNew: boolean
  isKept: boolean
  onSeen: () => void
}

const PaidOrder = ({ order, userId, event, isNew, isKept, onSeen }: PaidOrderProps) => {
  const { receipt } = useOrderWords()
  const client = useQueryClient()
  const online = useOnline()
  const now = useServerNow(MINUTE_MS)
  const { timeZone } = useFormat()
  const { print, only } = usePrint()
  const { link, printReceipt, preparing } = usePrintReceipt(order, online)
  const [leaving, setLeaving] = useState<{ ticket: Ticket; open: boolean } | null>(null)
  const night = event.type === 'known' ? event.value : null
  const [first] = order.tickets
  const active = order.tickets.filter(({ status }) => status === 'active')
  const common = {
    event: first?.isPast ? NO_EVENT : event,
    eventDay: first?.isPast ? null : findEventDayKind(night, timeZone, now),
    over: night !== null && now >= Date.parse(night.endsAt),
    online,
    level: 3,
    onCancel: (ticket: Ticket) => setLeaving({ ticket, open: true }),
    onPrint: print,
  } as const
  return (
    <>
      {isNew && night !== null && active.length > 0 && !common.over ? (
        <JustBought
          count={order.quantity}
          tickets={active}
          event={night}
          userId={userId}
          isKept={isKept}
          isTheDay={common.eventDay !== null}
          onDone={onSeen}
        />
      ) : null}
      {first === undefined ? null : (
        <section className={styles.tickets} aria-labelledby="tickets">
          <h2 id="tickets" className={styles.heading}>
            {receipt.tickets}
          </h2>
          {order.tickets.length === 1 ? (
            <div className={styles.card}>
              <TicketCard {...common} ticket={first} justEntered={false} />
            </div>
          ) : (
            <TicketSheet
              {...common}
              tickets={order.tickets}
              hasHead
              fresh={isNew ? order.tickets.map(({ _id }) => _id) : []}
              entered={NOBODY}
            />
          )}
        </section>
      )}
      <div className={styles.papers}>
        <Receipt order={order} preparing={preparing} onPrint={printReceipt} />
        <Refunds order={order} />
      </div>
      {only === null ? <PrintedReceipt order={order} link={link} /> : <PrintSheet tickets={[only]} event={night} />}
      <Suspense fallback={null}>
        {leaving === null || night === null ? null : (
          <CancelDialog
            key={leaving.ticket._id}
            open={leaving.open}
            ticket={order.tickets.find(({ _id }) => _id === leaving.ticket._id) ?? leaving.ticket}
            all={false}
            others={active.filter(({ _id }) => _id !== leaving.ticket._id)}
            event={night}
            userId={userId}
            onClose={() => setLeaving({ ...leaving, open: false })}
            onCancelled={() => void client.invalidateQueries({ queryKey: [...KEYS.myOrders, userId] })}
          />
        )}
      </Suspense>
    </>
  )
}

function usePrintReceipt({ tickets }: WholeOrder, online: boolean) {
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

const Receipt = ({ order, preparing, onPrint }: { order: WholeOrder; preparing: boolean; onPrint: () => void }) => {
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

const PrintedReceipt = ({ order, link }: { order: WholeOrder; link: string | null }) => {
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

type Refund = WholeOrder['refunds'][number]
const isPaidBack = ({ state }: Refund): boolean => state === 'done' || state === 'manual'
type OrderRefunds = Pick<WholeOrder, 'refunds' | 'provider'>

const TONES = {
  requested: 'info',
  sent: 'info',
  done: 'ok',
  failed: 'bad',
  manual: 'ok',
} as const satisfies Record<Refund['state'], StateTone>

const Refunds = ({ order }: { order: OrderRefunds }) => {
  const { refund: words } = useOrderWords()
  const format = useFormat()
  if (order.refunds.length === 0) return null
  return (
    <Card title={words.title}>
      <ul className="stack-4">
        {order.refunds.map((refund) => (
          <li key={refund.id} className={styles.refund}>
            <div className={styles.head}>
              <span>
                {refund.ticketId === null ? words.kind[refund.kind] : words.ofTicket(shortenTicketId(refund.ticketId))}
              </span>
              <span className={styles.amount}>{formatRupees(refund.amount)}</span>
            </div>
            <div className={styles.state}>
              <StateChip state={TONES[refund.state]}>{words.state[refund.state]}</StateChip>
              <span className="soft">{formatRefundStep(refund, order, words, format)}</span>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function formatRefundStep(
  refund: Refund,
  { provider }: OrderRefunds,
  words: OrderWords['refund'],
  format: Format,
): string {
  const { upiAndWallets, usual } = POLICY_FACTS.refundDays
  const days = provider === 'upi' ? upiAndWallets : usual
  if (refund.state === 'done') return words.done(format.date(refund.updatedAt))
  if (refund.state === 'manual') return words.manual(format.date(refund.updatedAt))
  return refund.state === 'failed' ? words.failed : words.expected(days)
}
