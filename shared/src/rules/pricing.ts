import { GROUP_TIER_FROM } from '../constants.ts'

export interface Quote {
  tier: 'individual' | 'group'
  unitPaise: number
  totalPaise: number
  /** The saving compared with the individual price; 0 if the group price is not lower. */
  savingPaise: number
}

interface Purchase {
  quantity: number
  ticketPricePaise: number
  groupPricePaise: number | null
}

/**
 * The price of one purchase: 1 to 3 tickets at the ticket price, 4 or more at the group price, which falls back to the
 * ticket price. Prices are integer paise. Throws RangeError unless quantity is an integer above 0.
 * (Spec: Limits and constants.)
 */
export function quotePrice({ quantity, ticketPricePaise, groupPricePaise }: Purchase): Quote {
  if (!Number.isInteger(quantity) || quantity < 1) throw new RangeError(`Not a quantity: ${quantity}`)
  const tier = quantity >= GROUP_TIER_FROM ? 'group' : 'individual'
  const unitPaise = tier === 'group' ? (groupPricePaise ?? ticketPricePaise) : ticketPricePaise
  return {
    tier,
    unitPaise,
    totalPaise: unitPaise * quantity,
    savingPaise: Math.max(0, ticketPricePaise - unitPaise) * quantity,
  }
}
