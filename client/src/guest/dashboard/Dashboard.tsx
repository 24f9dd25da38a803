import { RELOAD_AFTER_PURCHASE_MS } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { saleState } from '@garba/shared/rules/sale'
import { lazy, type RefObject, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { toast } from 'sonner'
import { isOnline, useOnline } from '../../platform/net/connectivity.ts'
import { usePageTitle } from '../../platform/page.ts'
import { useNow } from '../../platform/screen/now.ts'
import { DataAge } from '../data/DataAge.tsx'
import { type GuestData, useGuestData } from '../data/useGuestData.ts'
import { failureText } from '../failures.ts'
import { PrintSheet, usePrint } from '../tickets/PrintSheet.tsx'
import { countsOf } from '../tickets/status.ts'
import { TicketsSection } from '../tickets/TicketsSection.tsx'
import { useWords } from '../words.ts'
import styles from './Dashboard.module.css'
import { EventCard } from './EventCard.tsx'
import { GetTickets } from './GetTickets.tsx'
import { InstallOffer } from './InstallOffer.tsx'
import { Tiles } from './Tiles.tsx'
import { UserCard, Welcome } from './Welcome.tsx'

// After the tickets: their code is half of this screen's.
const PurchaseDialog = lazy(async () => ({ default: (await import('../purchase/PurchaseDialog.tsx')).PurchaseDialog }))
const CancelDialog = lazy(async () => ({ default: (await import('../cancel/CancelDialog.tsx')).CancelDialog }))

const MINUTE_MS = 60_000

const soldUntil = ({ endsAt, availableTickets }: GarbaEvent) => ({
  endsAt: Date.parse(endsAt),
  remaining: availableTickets,
})

/** The guest dashboard of SPEC 2. */
export const Dashboard = () => {
  const words = useWords()
  const data = useGuestData()
  const online = useOnline()
  const now = useNow(MINUTE_MS)
  const { asking, ask } = useRefresh(data)
  const [buying, setBuying] = useState({ open: false, nth: 0 })
  const [leaving, setLeaving] = useState<{ ticket: Ticket; open: boolean } | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const showTickets = useTicketsView(heading)
  const { print, only } = usePrint()
  usePageTitle(words.title)

  const tickets = data.tickets.type === 'known' ? data.tickets.value : []
  const event = data.event.type === 'known' ? data.event.value : null
  const counts = data.tickets.type === 'known' ? countsOf(tickets) : null
  const active = tickets.filter(({ status }) => status === 'active')
  const sale = event === null ? null : saleState(soldUntil(event), now)
  const buy = () => {
    if (isOnline()) setBuying(({ nth }) => ({ open: true, nth: nth + 1 }))
  }
  const closeBuying = () => setBuying(({ nth }) => ({ open: false, nth }))

  return (
    <div className={styles.page}>
      <Welcome counts={counts} />
      <DataAge data={data} online={online} now={now} />
      <Tiles
        count={counts?.total ?? null}
        failed={data.tickets.type === 'failed'}
        online={online}
        busy={asking}
        onShow={showTickets}
        onRefresh={ask}
      />
      <div className={styles.cards}>
        <GetTickets event={event} sale={sale} online={online} onBuy={buy} />
        <EventCard event={data.event} />
        <UserCard />
      </div>
      <InstallOffer />
      <TicketsSection
        data={data}
        online={online}
        asking={asking}
        onSale={sale === 'open'}
        heading={heading}
        onBuy={buy}
        onRefresh={ask}
        onCancel={(ticket) => setLeaving({ ticket, open: true })}
        onPrint={print}
      />
      <Suspense fallback={null}>
        {event === null || data.userId === null ? null : (
          <PurchaseDialog
            key={buying.nth}
            open={buying.open}
            event={event}
            userId={data.userId}
            owned={counts === null ? 0 : counts.active + counts.used}
            ticketsSavedAt={data.tickets.type === 'known' ? data.tickets.savedAt : 0}
            onClose={closeBuying}
            onBought={() => {
              closeBuying()
              // With the reload, when the dialog is gone (SPEC 9).
              setTimeout(showTickets, RELOAD_AFTER_PURCHASE_MS)
            }}
          />
        )}
        {leaving === null || event === null || data.userId === null ? null : (
          <CancelDialog
            key={leaving.ticket._id}
            open={leaving.open}
            ticket={tickets.find(({ _id }) => _id === leaving.ticket._id) ?? leaving.ticket}
            event={event}
            userId={data.userId}
            heading={heading}
            onClose={() => setLeaving({ ...leaving, open: false })}
          />
        )}
      </Suspense>
      <PrintSheet tickets={only === null ? active : [only]} event={event} />
    </div>
  )
}

/** The sentence is the toast's id: a first load that fails while a refresh waits for it shows one toast, not two. */
const toastFailedLoad = (sentence: string) => toast.error(sentence, { id: sentence })

/** A refresh on request, with a toast for its outcome; a failed first load shows a toast too (SPEC 8). */
function useRefresh({ refresh, tickets, event }: GuestData): { asking: boolean; ask: () => void } {
  const words = useWords()
  const [asking, setAsking] = useState(false)
  const failed = [tickets, event].find((known) => known.type === 'failed' && known.error !== null)
  const sentence = failed?.type === 'failed' ? words.toasts.loadData(failureText(failed.error, words)) : null
  useEffect(() => {
    if (sentence !== null) toastFailedLoad(sentence)
  }, [sentence])
  const ask = useCallback(() => {
    setAsking(true)
    refresh()
      .then(
        () => toast.success(words.toasts.refreshed),
        (error: unknown) => toastFailedLoad(words.toasts.loadData(failureText(error, words))),
      )
      .finally(() => setAsking(false))
  }, [refresh, words])
  return { asking, ask }
}

/**
 * Scrolls to the tickets section and moves the focus there: for the tile, and each time a `?view=tickets` link of the menu
 * or of the app's shortcut is followed.
 */
function useTicketsView(heading: RefObject<HTMLHeadingElement | null>): () => void {
  const { key } = useLocation()
  const [search] = useSearchParams()
  const wanted = search.get('view') === 'tickets'
  const show = useCallback(() => {
    heading.current?.scrollIntoView({ block: 'start' })
    heading.current?.focus({ preventScroll: true })
  }, [heading])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes when the same link is followed again
  useEffect(() => {
    if (!wanted) return
    // After the shell has moved the focus to the start of the page.
    const frame = requestAnimationFrame(show)
    return () => cancelAnimationFrame(frame)
  }, [wanted, key, show])
  return show
}
