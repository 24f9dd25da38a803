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
