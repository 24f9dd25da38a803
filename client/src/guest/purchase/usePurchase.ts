import { RELOAD_AFTER_PURCHASE_MS } from '@garba/shared/constants'
import type { GuestProvider } from '@garba/shared/contracts/names'
import type { Order } from '@garba/shared/contracts/order'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'sonner'
import { refreshConfig } from '../../platform/config.ts'
import { type BodyOf, callServer } from '../../platform/http/call.ts'
import { isFailure } from '../../platform/http/failure.ts'
import { isUnsure } from '../../platform/http/unsure.ts'
import { useLanguage } from '../../platform/language.ts'
import { askPersistence } from '../../platform/pwa/storage.ts'
import { queries } from '../../platform/queries.ts'
import { local } from '../../platform/store/local.ts'
import {
  failureText,
  findBoughtQuantity,
  findKnownOrder,
  findRemainingTickets,
  limitText,
  saleHasChanged,
} from '../failures.ts'
import type { Trouble } from '../StepDialog.tsx'
import { useWords } from '../words.ts'

type Step =
  | { type: 'choosing'; refused: string | null }
  | { type: 'confirming'; trouble: Trouble | null }
  | { type: 'buying' }

export interface PurchaseOptions {
  userId: string
  /** Device time in ms at which the tickets were last fetched. */
  ticketsSavedAt: number
  /** `ids`: the tickets if this answer contains them. */
  onBought: (count: number, ids: readonly string[]) => void
  onOrdered: (order: Pick<Order, 'code' | 'payUrl'>) => void
}

/** What is bought: the tickets and the total in rupees as they are shown, and what is sent. */
export interface ChosenPurchase {
  quantity: number
  total: number
  body: Pick<BodyOf<'buyTickets'>, 'quantity' | 'lines' | 'code'>
}

export function usePurchase({ userId, ticketsSavedAt, onBought, onOrdered }: PurchaseOptions) {
  const words = useWords()
  const client = useQueryClient()
  const [step, setStep] = useState<Step>({ type: 'choosing', refused: null })
  const [key, setKey] = useState(() => beginOrder({ userId, ticketsSavedAt }))

  const bought = (count: number, ids: readonly string[] = []) => {
    endOrder(key)
    // Tickets that the answer contains come with a moment of their own.
    if (ids.length === 0) toast.success(words.toasts.purchased(count))
    rememberStorage()
    onBought(count, ids)
    setTimeout(() => {
      void client.invalidateQueries({ queryKey: queries.myTickets(userId).queryKey })
      void client.invalidateQueries({ queryKey: queries.event().queryKey })
    }, RELOAD_AFTER_PURCHASE_MS)
  }

  const failed = async (error: unknown, quantity: number) => {
    const known = findKnownOrder(error)
    if (known !== null) {
      endOrder(key)
      setKey(beginOrder({ userId, ticketsSavedAt }))
      void client.invalidateQueries({ queryKey: queries.myOrders(userId).queryKey })
      return known.waits ? setStep({ type: 'choosing', refused: null }) : onOrdered({ code: known.code })
    }
    const earlier = findBoughtQuantity(error)
    if (earlier !== null) {
      toast.info(words.purchase.earlier(earlier))
      return bought(earlier)
    }
    const limit = await limitText(error, quantity, words)
    const text = limit ?? failureText(error, words)
    toast.error(words.toasts.purchase(text))
    if (isUnsure(error)) {
      leaveUnsure(key, Date.now())
      return setStep({ type: 'confirming', trouble: { type: 'unsure', why: text, text: words.purchase.unsure } })
    }
    if (saleHasChanged(error)) await refreshConfig().catch(() => null)
    // The page must show the new price, or why nothing is sold, before the buyer can press again.
    if (isFailure(error) && SALE_CHANGED.has(error.code))
      await client.invalidateQueries({ queryKey: queries.event().queryKey })
    if (limit !== null) {
      // Tickets were bought on another device, or a limit was lowered: the list and the limits here are out of date.
      void client.invalidateQueries({ queryKey: queries.myTickets(userId).queryKey })
      return setStep({ type: 'choosing', refused: text })
    }
    const remaining = findRemainingTickets(error)
    if (remaining === null) return setStep({ type: 'confirming', trouble: { type: 'refused', text } })
    client.setQueryData(
      queries.event().queryKey,
      (old) => old && { ...old, data: old.data && { ...old.data, availableTickets: remaining } },
    )
    setStep({ type: 'choosing', refused: text })
  }

  const buy = async ({ quantity, total, body }: ChosenPurchase, provider: GuestProvider | null) => {
    setStep({ type: 'buying' })
    try {
      if (provider !== null) {
        const headers = { 'Idempotency-Key': key, 'Accept-Language': useLanguage.getState().language }
        const { order } = await callServer('placeOrder', { body: { ...body, total, provider }, headers })
        endOrder(key)
        return onOrdered(order)
      }
      const answer = await callServer('buyTickets', { body, headers: { 'Idempotency-Key': key } })
      // The tickets must be in the list when the dialog closes, before the reload has brought them.
      const { tickets: news } = answer
      client.setQueryData(queries.myTickets(userId).queryKey, (old) => ({
        ...old,
        success: true as const,
        tickets: [...news, ...(old?.tickets ?? []).filter(({ _id }) => !news.some((one) => one._id === _id))],
      }))
      bought(
        news.length,
        news.map(({ _id }) => _id),
      )
    } catch (error) {
      await failed(error, quantity)
    }
  }

  return {
    step,
    confirm: () => setStep({ type: 'confirming', trouble: null }),
    back: () => setStep({ type: 'choosing', refused: null }),
    /** `total` in rupees, as it is shown. `provider` takes the money; it is null where tickets are free. */
    buy: (chosen: ChosenPurchase, provider: GuestProvider | null) => void buy(chosen, provider),
  }
}

interface Unsure {
  userId: string
  key: string
  /** Device time in ms since which the outcome is unknown; null while no attempt has failed. */
  unsureSince: number | null
}

let order: Unsure | null = null

/**
 * The idempotency key of a purchase that begins now. A purchase whose outcome is still unknown is continued, because
 * the server sells at most once under its key. If the tickets were fetched after it (`ticketsSavedAt`, device time in
 * ms), the buyer has seen the outcome, and the next purchase gets a new key.
 */
export function beginOrder({ userId, ticketsSavedAt }: { userId: string; ticketsSavedAt: number }): string {
  const goesOn =
    order !== null && order.userId === userId && order.unsureSince !== null && ticketsSavedAt <= order.unsureSince
  if (!goesOn || order === null) order = { userId, key: crypto.randomUUID(), unsureSince: null }
  return order.key
}

/** No answer came: the order may have arrived. */
export function leaveUnsure(key: string, now: number): void {
  if (order?.key === key) order = { ...order, unsureSince: now }
}

export function endOrder(key: string): void {
  if (order?.key === key) order = null
}

const SALE_CHANGED: ReadonlySet<string> = new Set([
  'PRICE_CHANGED',
  'TYPE_SOLD_OUT',
  'TYPE_NOT_ON_SALE',
  'CODE_UNKNOWN',
  'CODE_USED_UP',
  'EVENT_CALLED_OFF',
  'SALES_CLOSED',
  'SALES_NOT_OPEN',
  'SALES_PAUSED',
])

const ASKED = 'garba.persistenceAsked'

/** Asks the browser once, after the first purchase, not to clear the stored tickets. */
export function rememberStorage(): void {
  if (local.read(ASKED) !== null) return
  local.write(ASKED, '1')
  void askPersistence()
}
