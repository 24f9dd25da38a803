import { DEFAULT_MAX_PER_ORDER } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { largestQuantity, mayStillBuy, quantityProblem, readQuantity } from '@garba/shared/rules/sale'
import { useState } from 'react'
import { useConfig } from '../../platform/config.ts'
import { useWords } from '../words.ts'
import { limitsText, priceOf, problemText } from './order.ts'

/**
 * The quantity as typed, never reformatted, and everything derived from it. `owned`: the buyer's active and used tickets. How
 * many remain may change while the dialog is open.
 */
export function useQuantity(event: GarbaEvent, owned: number) {
  const words = useWords()
  const [typed, setTyped] = useState('1')
  const perOrder = useConfig(({ config }) => config?.maxPerOrder ?? DEFAULT_MAX_PER_ORDER)
  const perPerson = useConfig(({ config }) => config?.maxPerPerson ?? 0)
  const limits = { perOrder, perPerson }
  const bounds = { limits, owned, remaining: event.availableTickets }
  const quantity = readQuantity(typed)
  const problem = quantityProblem({ ...bounds, quantity })
  return {
    typed,
    setTyped,
    quantity,
    max: largestQuantity(bounds),
    limits: limitsText(limits, mayStillBuy(limits, owned), words),
    problem: problem === null ? null : problemText(problem, limits, words),
    price: priceOf(quantity, event),
  }
}
export type QuantityState = ReturnType<typeof useQuantity>
