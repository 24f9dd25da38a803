import type { WholeOrder } from '@garba/shared/contracts/order'
import type { Config } from '@garba/shared/contracts/site/site'
import { findOnlineSale } from '@garba/shared/rules/event/evening'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { toast } from 'sonner'
import { waitForIdle } from '../../platform/ahead.ts'
import { useConfig } from '../../platform/config.ts'
import { useOnline } from '../../platform/net/connectivity.ts'
import { queries } from '../../platform/queries.ts'
import { useServerNow } from '../../platform/screen/now.ts'
import { dropLastView, keepLastView } from '../../platform/store/lastView.ts'
import { type GuestData, useGuestData } from '../data/useGuestData.ts'
import { failureText } from '../failures.ts'
import { findEventDayKind, useFormat } from '../format.ts'
import { isAwaited, useOrder } from '../orders/useOrder.ts'
import { countTicketsByStatus } from '../tickets/status.ts'
import { useWords } from '../words.ts'
import { findTickMs } from './GetTickets.tsx'

interface Bought {
  count: number
  ids: readonly string[]
}

/** The guest's data and what follows from it: what is on sale, what awaits payment, and what was just bought here. */
export function useDashboard() {
  const data = useGuestData({ pollsAtEvent: true })
  const online = useOnline()
  const event = data.event.type === 'known' ? data.event.value : null
  const serverNow = useServerNow(findTickMs(event))
  const { timeZone } = useFormat()
  const { asking, ask } = useRefresh(data)
  const sells = useSale()
  const [bought, setBought] = useState<Bought | null>(null)
  const waiting = useWaiting({
    userId: data.userId,
    paid: sells === 'paid',
    onPaid: (order) => setBought({ count: order.quantity, ids: order.tickets.map(({ _id }) => _id) }),
  })
  useLastView(data, bought !== null || waiting !== null)

  const tickets = data.tickets.type === 'known' ? data.tickets.value : []
  const counts = data.tickets.type === 'known' ? countTicketsByStatus(tickets) : null
  const sale = event === null ? null : findOnlineSale(event, serverNow)
  const isPastOnly = data.event.type === 'known' && sale !== 'open' && data.past.length > 0
  return {
    data,
    online,
    event,
    tickets,
    active: tickets.filter(({ status }) => status === 'active'),
    counts,
    hasNone: counts?.total === 0 && data.lost.length === 0 && !isPastOnly,
    sells,
    sale,
    eventDay: findEventDayKind(event, timeZone, serverNow),
    waiting,
    bought,
    setBought,
    asking,
    ask,
  }
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
  const { order } = useOrder(userId, open?.code ?? null, onPaid)
  return order?.state === 'held' ? order : null
}
