import { MINUTE_MS } from '@garba/shared/constants'
import type { WholeOrder } from '@garba/shared/contracts/order'
import { orderPage } from '@garba/shared/contracts/site/pages'
import type { Config } from '@garba/shared/contracts/site/site'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { shortenTicketId } from '@garba/shared/messages/common'
import { findOnlineSale } from '@garba/shared/rules/event/evening'
import { useQuery } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import {
  lazy,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { toast } from 'sonner'
import { Banner } from '../../kit/Banner.tsx'
import { createLazyComponent } from '../../kit/late.tsx'
import { waitForIdle } from '../../platform/ahead.ts'
import { useConfig } from '../../platform/config.ts'
import { isOnline, useOnline } from '../../platform/net/connectivity.ts'
import { usePageTitle } from '../../platform/page.ts'
import { queries } from '../../platform/queries.ts'
import { useNow, useServerNow } from '../../platform/screen/now.ts'
import { hasChangedEvent, useCurrentEvent } from '../../platform/store/event.ts'
import { dropLastView, keepLastView } from '../../platform/store/lastView.ts'
import { setWantedPurchase, takePurchase } from '../../platform/wantedPurchase.ts'
import { type Change, changesBetween, ownCodes, type Seen } from '../data/changes.ts'
import { DataAge, OfflineStrip } from '../data/DataAge.tsx'
import { type GuestData, useGuestData } from '../data/useGuestData.ts'
import { failureText } from '../failures.ts'
import { type Format, findEventDayKind, useFormat } from '../format.ts'
import { isDialogEntry } from '../GuestDialog.tsx'
import { awaitOrder, forgetOrder, isAwaited } from '../orders/awaited.ts'
import { useOrder } from '../orders/useOrder.ts'
import { PrintSheet, usePrint } from '../tickets/PrintSheet.tsx'
import { countTicketsByStatus, statusText } from '../tickets/status.ts'
import { TicketsSection } from '../tickets/TicketsSection.tsx'
import { type GuestWords, useWords } from '../words.ts'
import styles from './Dashboard.module.css'
import { EmptyTicket, findTickMs, InstallOffer, PricesLine } from './GetTickets.tsx'
import { Keepsake } from './Keepsake.tsx'
import { EventLine, Figures, OrdersLine, Panel, UserLine, Welcome } from './Panel.tsx'
import welcomeStyles from './Welcome.module.css'

// Loaded after the tickets, because these are half of this screen's code.
const JustBought = createLazyComponent(
  async () => ({ default: (await import('../purchase/JustBought.tsx')).JustBought }),
  null,
)
const PurchaseDialog = lazy(async () => {
  // Both at once, so that what follows a purchase does not push the new tickets down.
  const [{ PurchaseDialog }] = await Promise.all([import('../purchase/PurchaseDialog.tsx'), JustBought.load()])
  return { default: PurchaseDialog }
})
const WaitingOrder = lazy(async () => ({ default: (await import('../orders/HeldOrder.tsx')).WaitingOrder }))
const CancelDialog = lazy(async () => ({ default: (await import('../cancel/CancelDialog.tsx')).CancelDialog }))

export const Dashboard = () => {
  const words = useWords()
  const data = useGuestData({ pollsAtEvent: true })
  const online = useOnline()
  const now = useNow(MINUTE_MS)
  const event = data.event.type === 'known' ? data.event.value : null
  const serverNow = useServerNow(findTickMs(event))
  const { timeZone } = useFormat()
  const isChanged = useCurrentEvent(hasChangedEvent)
  const { asking, ask } = useRefresh(data)
  const sells = useSale()
  const { requested, type } = useWantedPurchase()
  const [buying, setBuying] = useState({ open: requested !== null, nth: 0, quantity: requested ?? 1, type })
  const [bought, setBought] = useState<Bought | null>(null)
  const [cancelled, setCancelled] = useState<readonly string[]>([])
  const [leaving, setLeaving] = useState<CancelDialogState | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const showTickets = useTicketsView(heading)
  const { print, only } = usePrint()
  const navigate = useNavigate()
  const waiting = useWaiting({
    userId: data.userId,
    paid: sells === 'paid',
    onPaid: (order) => setBought({ count: order.quantity, ids: order.tickets.map(({ _id }) => _id) }),
  })
  usePageTitle(words.title)
  useLastView(data, bought !== null || waiting !== null)

  const tickets = data.tickets.type === 'known' ? data.tickets.value : []
  const counts = data.tickets.type === 'known' ? countTicketsByStatus(tickets) : null
  const active = tickets.filter(({ status }) => status === 'active')
  const news = active.filter(({ _id }) => bought?.ids.includes(_id))
  const sale = event === null ? null : findOnlineSale(event, serverNow)
  const eventDay = findEventDayKind(event, timeZone, serverNow)
  // No dialog opens for a person who comes to buy when nothing can be bought.
  const [isArriving, setIsArriving] = useState(requested !== null)
  if (isArriving && sale !== null) {
    setIsArriving(false)
    if (sale !== 'open' || sells === 'counter') setBuying({ ...buying, open: false })
  }
  const buy = (quantity = 1, type?: string) => {
    if (!isOnline()) return
    setBought(null)
    setBuying(({ nth }) => ({ open: true, nth: nth + 1, quantity, type }))
  }

  const isPastOnly = data.event.type === 'known' && sale !== 'open' && data.past.length > 0
  const hasNone = counts?.total === 0 && data.lost.length === 0 && !isPastOnly
  // The failed tickets tell of the failure already.
  const isTold = data.tickets.type === 'failed' && data.event.type === 'failed'
  const shop = {
    event: data.event,
    sale,
    online,
    userId: data.userId,
    atCounter: sells === 'counter',
    isHeld: waiting !== null,
    onBuy: buy,
  }
  const section = (
    <TicketsSection
      data={data}
      online={online}
      asking={asking}
      onSale={sale === 'open' && sells !== 'counter'}
      eventDay={eventDay}
      over={sale === 'over'}
      heading={heading}
      fresh={bought?.ids ?? NONE}
      empty={hasNone ? <EmptyTicket {...shop} /> : null}
      onBuy={() => buy()}
      onRefresh={ask}
      onCancel={(ticket) => setLeaving({ ticket, all: false, open: true })}
      onCancelAll={([ticket]) => {
        if (ticket !== undefined) setLeaving({ ticket, all: true, open: true })
      }}
      onPrint={print}
    >
      <Keepsake tickets={tickets} over={sale === 'over'} />
      {bought === null || news.length === 0 || event === null || data.userId === null ? null : (
        <JustBought
          count={bought.count}
          tickets={news}
          event={event}
          userId={data.userId}
          isKept={!data.notKept}
          isTheDay={eventDay !== null}
          onDone={() => {
            setBought(null)
            heading.current?.focus({ preventScroll: true })
          }}
        />
      )}
    </TicketsSection>
  )
  const isBare = bought !== null || (eventDay !== null && active.length > 0)
  const strip = (
    <div className={welcomeStyles.strip} data-narrow={isBare || undefined}>
      <Welcome />
      <DataAge data={data} online={online} now={now} />
    </div>
  )

  return (
    <>
      <OfflineStrip data={data} online={online} now={now} />
      {waiting === null || data.userId === null ? null : (
        <div className={styles.waiting}>
          <Suspense fallback={null}>
            <WaitingOrder order={waiting} userId={data.userId} />
          </Suspense>
        </div>
      )}
      {/* A different key, so that nothing on the screen slides from one place to another. */}
      <div key={`${hasNone} ${isChanged}`} className={styles.page}>
        <div className={styles.first}>
          {isBare ? null : strip}
          <Changes data={data} cancelled={cancelled} />
          {section}
        </div>
        <div key={data.tickets.type} className={styles.second}>
          {isBare ? strip : null}
          <Panel>
            {/* Past tickets are no part of the totals. */}
            {counts?.total === 0 && data.past.length > 0 ? null : <Figures counts={counts} />}
            <EventLine event={data.event} />
            {hasNone || isTold ? null : <PricesLine {...shop} />}
            {sells === 'free' ? null : <OrdersLine />}
            <UserLine
              count={counts === null ? null : counts.total + data.past.length}
              online={online}
              busy={asking}
              onShow={showTickets}
              onRefresh={ask}
            />
          </Panel>
          <InstallOffer warned={bought !== null} />
        </div>
      </div>
      <Suspense fallback={null}>
        {event === null || data.userId === null ? null : (
          <PurchaseDialog
            key={buying.nth}
            open={buying.open}
            event={event}
            userId={data.userId}
            quantity={buying.quantity}
            type={buying.type}
            owned={counts === null ? 0 : counts.active + counts.used}
            ticketsSavedAt={data.tickets.type === 'known' ? data.tickets.savedAt : 0}
            waiting={waiting}
            onOrdered={({ code, payUrl }) => {
              // The order's page comes first in the history, because Back and the provider lead there.
              void navigate(orderPage(code), { replace: isDialogEntry() })
              if (payUrl !== undefined) location.assign(payUrl)
            }}
            onClose={() => setBuying({ ...buying, open: false })}
            onBought={(count, ids) => {
              setBuying({ ...buying, open: false })
              setBought({ count, ids })
            }}
            onClosed={() => {
              if (bought !== null) showTickets()
            }}
          />
        )}
        {leaving === null || event === null || data.userId === null ? null : (
          <CancelDialog
            key={`${leaving.ticket._id} ${leaving.all}`}
            open={leaving.open}
            all={leaving.all}
            ticket={tickets.find(({ _id }) => _id === leaving.ticket._id) ?? leaving.ticket}
            others={active.filter(({ _id }) => _id !== leaving.ticket._id)}
            event={event}
            userId={data.userId}
            onClose={() => setLeaving({ ...leaving, open: false })}
            onCancelled={(ids) => setCancelled([...cancelled, ...ids])}
          />
        )}
      </Suspense>
      <PrintSheet tickets={only === null ? active : [only]} event={event} />
    </>
  )
}

/**
 * How many tickets the landing page or an unpaid order asks to buy, and of which type, read once. The navigation state
 * is cleared before a dialog opens, because the dialog adds its own entry to the history.
 */
function useWantedPurchase(): { requested: number | null; type: string | undefined } {
  const { state, pathname } = useLocation()
  const navigate = useNavigate()
  const [kept] = useState(takePurchase)
  const requested = typeof state?.buy === 'number' ? state.buy : null
  const [type] = useState(() => (typeof state?.type === 'string' ? state.type : undefined))
  useLayoutEffect(() => {
    if (requested ?? kept) setWantedPurchase(requested ?? kept)
    if (requested !== null) void navigate(pathname, { replace: true })
  }, [requested, kept, pathname, navigate])
  return { requested: requested ?? kept, type }
}

interface CancelDialogState {
  ticket: Ticket
  all: boolean
  open: boolean
}

const NONE: readonly string[] = []

interface Bought {
  count: number
  ids: readonly string[]
}

function useRefresh({ refresh, tickets }: GuestData): { asking: boolean; ask: () => void } {
  const words = useWords()
  const [asking, setAsking] = useState(false)
  const isTold = tickets.type === 'failed'
  const ask = useCallback(() => {
    setAsking(true)
    refresh()
      .then(
        () => toast.success(words.toasts.refreshed),
        (error: unknown) => {
          if (!isTold) toast.error(words.toasts.loadData(failureText(error, words)))
        },
      )
      .finally(() => setAsking(false))
  }, [refresh, isTold, words])
  return { asking, ask }
}

/** Longer than any animation on the screen (ms). */
const SETTLED_MS = 2_000

/** Keeps the screen for the next start, once it has settled with what is now known (see site/lastView). */
function useLastView({ tickets, event }: GuestData, passing: boolean): void {
  const words = useWords()
  const shown = tickets.type === 'known' ? tickets.value : null
  const night = event.type === 'known' ? event.value : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words are another view
  useEffect(() => {
    dropLastView()
    if (passing || shown === null || night === null) return
    let isStale = false
    void waitForIdle(SETTLED_MS).then(() => {
      if (!isStale) keepLastView()
    })
    return () => {
      isStale = true
    }
  }, [shown, night, passing, words])
}

function useTicketsView(heading: RefObject<HTMLHeadingElement | null>): () => void {
  const { key } = useLocation()
  const [search] = useSearchParams()
  const isRequested = search.get('view') === 'tickets'
  const show = useCallback(() => {
    heading.current?.scrollIntoView({ block: 'start' })
    heading.current?.focus({ preventScroll: true })
  }, [heading])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes when the same link is followed again
  useEffect(() => {
    if (!isRequested) return
    // The shell moves the focus to the start of the page first.
    const frame = requestAnimationFrame(show)
    return () => cancelAnimationFrame(frame)
  }, [isRequested, key, show])
  return show
}

/** `free`: tickets are given out when they are ordered. `counter`: only the desk sells. */
type Sale = 'free' | 'paid' | 'counter'

const getSaleMode = (payments: Config['payments'] | undefined): Sale =>
  payments === undefined ? 'free' : payments.providers.length > 0 ? 'paid' : payments.desk ? 'counter' : 'free'

const useSale = (): Sale => useConfig(({ config }) => getSaleMode(config?.payments))

interface WaitingOptions {
  userId: string | null
  paid: boolean
  onPaid: (order: WholeOrder) => void
}

/** The user's order that awaits payment, wherever it was placed; null if there is none. `onPaid`: paid since this device saw it. */
function useWaiting({ userId, paid, onPaid }: WaitingOptions): WholeOrder | null {
  const { data } = useQuery({
    ...queries.myOrders(userId ?? ''),
    enabled: paid && userId !== null,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
  })
  const orders = data?.orders ?? []
  const open = orders.find(({ state }) => state === 'held') ?? orders.find(({ code }) => isAwaited(code))
  const { order } = useOrder(userId, open?.code ?? null)
  const notifyPaid = useEffectEvent(onPaid)
  useEffect(() => {
    if (order === null) return
    if (order.state === 'held') return awaitOrder(order.code)
    if (order.state === 'paid' && isAwaited(order.code)) notifyPaid(order)
    forgetOrder(order.code)
  }, [order])
  return order?.state === 'held' ? order : null
}

interface ChangesProps {
  data: GuestData
  cancelled: readonly string[]
}

/** The changes since this page first had something to show, which may be data that the device stored days ago. */
const Changes = ({ data: { tickets, event }, cancelled }: ChangesProps) => {
  const words = useWords()
  const format = useFormat()
  const [before, setBefore] = useState<Seen | null>(null)
  if (tickets.type !== 'known' || event.type !== 'known') return null
  const now = { tickets: tickets.value, event: event.value }
  if (before === null) setBefore(now)
  const changes = before === null ? [] : changesBetween(before, now, [...cancelled, ...ownCodes])
  if (changes.length === 0) return null
  return (
    <Banner title={words.changes.title} icon={<BellRing />} live="status">
      <ul className={styles.list}>
        {changes.map((change) => (
          <li key={'ticket' in change ? change.ticket._id : change.type}>{formatChange(change, words, format)}</li>
        ))}
      </ul>
    </Banner>
  )
}

function formatChange(change: Change, { changes, ticket }: GuestWords, format: Format): string {
  switch (change.type) {
    case 'date':
      return changes.date(format.day(change.event.date))
    case 'hours':
      return changes.hours(format.hours(change.event))
    case 'venue':
      return changes.venue(change.event.venue)
    case 'ticket':
      return `${ticket.name(shortenTicketId(change.ticket.ticketId))}: ${statusText(change.ticket, ticket)}`
    case 'code':
      return `${ticket.name(shortenTicketId(change.ticket.ticketId))}: ${changes.code}`
  }
}
