import { DEFAULT_MAX_PER_ORDER } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { largestQuantity, mayStillBuy, quantityProblem, readQuantity } from '@garba/shared/rules/sale'
import { useState } from 'react'
import { useConfig } from '../../platform/config.ts'
import { useWords } from '../words.ts'
import { limitsText, priceOf, problemText } from './order.ts'

/**
 * The quantity as typed, never reformatted, and everything derived from it. `owned`: the buyer's active and used tickets. How
 * many remain may change while the dialog is open. `start`: the quantity to begin with, or as many as can be bought.
 */
export function useQuantity({ event, owned, start }: { event: GarbaEvent; owned: number; start: number }) {
  const words = useWords()
  const perOrder = useConfig(({ config }) => config?.maxPerOrder ?? DEFAULT_MAX_PER_ORDER)
  const perPerson = useConfig(({ config }) => config?.maxPerPerson ?? 0)
  const limits = { perOrder, perPerson }
  const bounds = { limits, owned, remaining: event.availableTickets }
  const max = largestQuantity(bounds)
  const [typed, setTyped] = useState(() => String(Math.min(start, max)))
  const quantity = readQuantity(typed)
  const problem = quantityProblem({ ...bounds, quantity })
  return {
    typed,
    setTyped,
    quantity,
    max,
    limits: limitsText(limits, mayStillBuy(limits, owned), words),
    problem: problem === null ? null : problemText(problem, limits, words),
    price: priceOf(quantity, event),
  }
}
export type QuantityState = ReturnType<typeof useQuantity>
