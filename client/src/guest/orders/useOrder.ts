import { MINUTE_MS, SECOND_MS } from '@garba/shared/constants'
import type { WholeOrder } from '@garba/shared/contracts/order'
import * as z from '@garba/shared/contracts/zod'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { KEYS, queries } from '../../platform/queries.ts'
import { useNow } from '../../platform/screen/now.ts'
import { local } from '../../platform/store/local.ts'
import { type GuestData, useGuestData } from '../data/useGuestData.ts'

/** The server does not ask the provider more often than this. */
const HELD_MS = 5_000
/** States that people settle by hand, or a bank within days, are polled rarely. */
const SLOW_MS = 30_000

function everyMs(order: WholeOrder | undefined): number | false {
  if (order === undefined) return HELD_MS
  if (order.state === 'held') return order.utr === undefined ? HELD_MS : SLOW_MS
  return order.refunds.some(({ state }) => state === 'requested' || state === 'sent') ? SLOW_MS : false
}

export function refreshAfterOrder(client: QueryClient, userId: string): void {
  void client.invalidateQueries({ queryKey: queries.myTickets(userId).queryKey })
  void client.invalidateQueries({ queryKey: queries.event().queryKey })
  void client.invalidateQueries({ queryKey: [...KEYS.myOrders, userId] })
}

export type KnownOrder = ReturnType<typeof useOrder>

/**
 * One order of the user, read again every few seconds while it waits for its payment and the page is visible, and at
 * once when the page or the connection is back. With null as the code nothing is fetched. `ask` resolves to the order, or
 * null when there was no answer. `onPaid`: paid since this device saw it unpaid.
 */
export function useOrder(userId: string | null, code: string | null, onPaid?: (order: WholeOrder) => void) {
  const client = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery({
    ...queries.order(userId ?? '', code ?? ''),
    enabled: userId !== null && code !== null,
    refetchInterval: (query) => everyMs(query.state.data?.order),
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
  })
  const order = data?.order ?? null
  const notifyPaid = useEffectEvent((paid: WholeOrder) => onPaid?.(paid))
  useEffect(() => {
    if (order === null) return
    if (order.state === 'held') return awaitOrder(order.code)
    if (order.state === 'paid' && isAwaited(order.code)) notifyPaid(order)
    forgetOrder(order.code)
  }, [order])
  const isOrderSettled = order !== null && order.state !== 'held'
  useEffect(() => {
    if (isOrderSettled && userId !== null) refreshAfterOrder(client, userId)
  }, [isOrderSettled, userId, client])
  return { order, error, asking: isFetching, ask: async () => (await refetch()).data?.order ?? null }
}

interface OrderOnPage {
  data: GuestData
  known: KnownOrder
  /** Paid while this device awaited it, and not yet put aside with `setSeen`. */
  isNew: boolean
  setSeen: () => void
}

export function useOrderPage(code: string): OrderOnPage {
  const data = useGuestData()
  const known = useOrder(data.userId, code)
  const { order } = known
  useReturn(code)
  const [waited, setWaited] = useState(() => isAwaited(code))
  const [seen, setSeen] = useState(false)
  if (order?.state === 'held' && !waited) setWaited(true)
  return { data, known, isNew: waited && !seen, setSeen: () => setSeen(true) }
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

const AWAITED = 'garba.awaitedOrders'
/** How soon after the return from the payment page a payment usually arrives; until then nobody should pay again. */
const CHECKING_MS = 2 * MINUTE_MS

const read = (): Record<string, number> =>
  z.record(z.string(), z.number()).safeParse(local.readJson(AWAITED)).data ?? {}

/** Remembers that this device has seen the order unpaid, and the time of a return from its payment page. */
const awaitOrder = (code: string, returnedAt = read()[code] ?? 0): void =>
  local.writeJson(AWAITED, { ...read(), [code]: returnedAt })

export const isAwaited = (code: string): boolean => code in read()

function forgetOrder(code: string): void {
  const { [code]: _, ...others } = read()
  local.writeJson(AWAITED, others)
}

export const useChecking = (code: string): boolean => Math.abs(useNow(SECOND_MS) - (read()[code] ?? 0)) < CHECKING_MS
