import type { GarbaEvent } from '../../contracts/event.ts'

type PricedEvent = Pick<GarbaEvent, 'ticketPrice' | 'groupPrice4' | 'types'>

/** What one ticket of the first type costs now, in rupees. The event's own price is that of its last phase. */
export function pickCurrentPrices({
  ticketPrice,
  groupPrice4,
  types,
}: PricedEvent): Pick<GarbaEvent, 'ticketPrice' | 'groupPrice4'> {
  const [first] = types ?? []
  return first ? { ticketPrice: first.price, groupPrice4: first.groupPrice } : { ticketPrice, groupPrice4 }
}

/** The lowest price among several types, of those on sale if there are any; null for an event with one. */
export function findLowestPrice({ types = [] }: Pick<GarbaEvent, 'types'>): number | null {
  if (types.length < 2) return null
  const open = types.filter(({ state }) => state === 'onSale')
  return Math.min(...(open.length > 0 ? open : types).map(({ price }) => price))
}
