import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type GuestData, useGuestData } from '../data/useGuestData.ts'
import { awaitOrder, forgetOrder, isAwaited } from './awaited.ts'
import { type KnownOrder, useOrder } from './useOrder.ts'

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
  useEffect(() => {
    if (order?.state === 'held') awaitOrder(order.code)
    else if (order !== null) forgetOrder(order.code)
  }, [order])
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
