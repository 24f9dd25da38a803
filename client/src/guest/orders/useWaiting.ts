import type { WholeOrder } from '@garba/shared/contracts/order'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { queries } from '../../platform/queries.ts'
import { useOrder } from './useOrder.ts'

interface WaitingOptions {
  userId: string | null
  /** Tickets are paid for here; otherwise nothing is asked. */
  paid: boolean
  /** The order that waited has been paid. */
  onPaid: (order: WholeOrder) => void
}

/** The user's order that waits for its payment, wherever it was placed; null without one. */
export function useWaiting({ userId, paid, onPaid }: WaitingOptions): WholeOrder | null {
  const { data } = useQuery({
    ...queries.myOrders(userId ?? ''),
    enabled: paid && userId !== null,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
  })
  const code = data?.orders.find(({ state }) => state === 'held')?.code ?? null
  const { order } = useOrder(userId, code)
  const waited = useRef<string | null>(null)
  const tell = useRef(onPaid)
  useEffect(() => {
    tell.current = onPaid
  })
  useEffect(() => {
    if (order?.state === 'held') waited.current = order.code
    if (order?.state !== 'paid' || waited.current !== order.code) return
    waited.current = null
    tell.current(order)
  }, [order])
  return order?.state === 'held' ? order : null
}
