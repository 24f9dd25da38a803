import type { GarbaEvent } from '@garba/shared/contracts/event'
import { toPaise, toRupees } from '@garba/shared/rules/money'
import { quote } from '@garba/shared/rules/pricing'
import type { GuestWords } from '../words.ts'

/** What a purchase costs, in rupees as people and the API see them. */
export interface Price {
  tier: 'individual' | 'group'
  each: number
  total: number
  saving: number
}

/** The price by the shared rule; null while the quantity is none (an emptied field). */
export function priceOf(quantity: number | null, event: GarbaEvent): Price | null {
  if (quantity === null || !Number.isSafeInteger(quantity) || quantity < 1) return null
  const { tier, unitPaise, totalPaise, savingPaise } = quote({
    quantity,
    ticketPricePaise: toPaise(event.ticketPrice),
    groupPricePaise: toPaise(event.groupPrice4),
  })
  return { tier, each: toRupees(unitPaise), total: toRupees(totalPaise), saving: toRupees(savingPaise) }
}

/** Why this many cannot be bought, or null. How many remain may change while the dialog is open. */
export function quantityProblem(quantity: number | null, event: GarbaEvent, words: GuestWords): string | null {
  if (quantity === null || !Number.isSafeInteger(quantity) || quantity < 1) return words.purchase.quantityWrong
  return quantity > event.availableTickets ? words.failures.soldOut(event.availableTickets) : null
}
