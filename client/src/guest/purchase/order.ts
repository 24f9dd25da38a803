import { DEFAULT_MAX_PER_ORDER } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { toPaise, toRupees } from '@garba/shared/rules/money'
import type { PurchaseLimits, QuantityProblem } from '@garba/shared/rules/orders/sale'
import { quotePrice } from '@garba/shared/rules/pricing'
import { pickCurrentPrices } from '@garba/shared/rules/types/currentPrices'
import type { GuestWords } from '../words.ts'

/** A purchase's cost in rupees, the unit of the API and of the screens. */
export interface Price {
  tier: 'individual' | 'group'
  each: number
  total: number
  saving: number
}

/** The price by the shared rule; null when there is no quantity, or it is too large to multiply. */
export function quotePurchase(quantity: number | null, event: GarbaEvent): Price | null {
  if (quantity === null || quantity < 1) return null
  const { ticketPrice, groupPrice4 } = pickCurrentPrices(event)
  const ticketPricePaise = toPaise(ticketPrice)
  const groupPricePaise = toPaise(groupPrice4)
  if (!Number.isSafeInteger(quantity * Math.max(ticketPricePaise, groupPricePaise))) return null
  const { tier, unitPaise, totalPaise, savingPaise } = quotePrice({ quantity, ticketPricePaise, groupPricePaise })
  return { tier, each: toRupees(unitPaise), total: toRupees(totalPaise), saving: toRupees(savingPaise) }
}

export function problemText(problem: QuantityProblem, limits: PurchaseLimits, words: GuestWords): string {
  switch (problem.type) {
    case 'notWhole':
      return words.purchase.quantityWrong
    case 'aboveOrder':
      return words.purchase.atMost(problem.max)
    case 'abovePerson':
      return words.failures.codes.LIMIT_REACHED({ maxPerPerson: limits.perPerson, mayBuy: problem.mayBuy })
    case 'aboveRemaining':
      return words.failures.codes.SOLD_OUT(problem)
  }
}

/** The organiser's limits, shown before a purchase; `mayBuy` is null without a limit per person. */
export function limitsText({ perOrder, perPerson }: PurchaseLimits, mayBuy: number | null, words: GuestWords) {
  const order = perOrder < DEFAULT_MAX_PER_ORDER && words.purchase.atMost(perOrder)
  const person = mayBuy !== null && words.failures.codes.LIMIT_REACHED({ maxPerPerson: perPerson, mayBuy })
  return [order, person].filter(Boolean).join(' ') || undefined
}
