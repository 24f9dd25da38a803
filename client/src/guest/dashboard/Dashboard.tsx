import { MINUTE_MS } from '@garba/shared/constants'
import { orderPage } from '@garba/shared/contracts/site/pages'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { lazy, type RefObject, Suspense, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { createLazyComponent } from '../../kit/late.tsx'
import { isOnline } from '../../platform/net/connectivity.ts'
import { usePageTitle } from '../../platform/page.ts'
import { useNow } from '../../platform/screen/now.ts'
import { hasChangedEvent, useCurrentEvent } from '../../platform/store/event.ts'
import { setWantedPurchase, takePurchase } from '../../platform/wantedPurchase.ts'
import { DataAge, OfflineStrip } from '../data/DataAge.tsx'
import { isDialogEntry } from '../GuestDialog.tsx'
import { PrintSheet, usePrint } from '../tickets/PrintSheet.tsx'
import { TicketsSection } from '../tickets/TicketsSection.tsx'
import { useWords } from '../words.ts'
import { Changes } from './Changes.tsx'
import styles from './Dashboard.module.css'
import { EmptyTicket, InstallOffer, PricesLine } from './GetTickets.tsx'
import { Keepsake } from './Keepsake.tsx'
import { EventLine, Figures, OrdersLine, Panel, UserLine, Welcome } from './Panel.tsx'
import { useDashboard } from './useDashboard.ts'
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
  const dashboard = useDashboard()
  const { data, online, event, tickets, active, counts, hasNone } = dashboard
  const { sells, sale, eventDay, waiting, bought, setBought, asking, ask } = dashboard
  const now = useNow(MINUTE_MS)
  const isChanged = useCurrentEvent(hasChangedEvent)
  const { requested, type } = useWantedPurchase()
  const [buying, setBuying] = useState({ open: requested !== null, nth: 0, quantity: requested ?? 1, type })
  const [cancelled, setCancelled] = useState<readonly string[]>([])
  const [leaving, setLeaving] = useState<CancelDialogState | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const showTickets = useTicketsView(heading)
  const { print, only } = usePrint()
  const navigate = useNavigate()
  usePageTitle(words.title)

  const news = active.filter(({ _id }) => bought?.ids.includes(_id))
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
