import type { GarbaEvent } from '@garba/shared/contracts/event'

export type Sale = 'open' | 'soldOut' | 'over' | 'unknown'

/** Whether tickets can be bought: some are left (SPEC 5) and the event has not ended (DECISIONS 2). `now`: device ms. */
export function saleOf(event: GarbaEvent | null, now: number): Sale {
  if (event === null) return 'unknown'
  if (now >= Date.parse(event.endsAt)) return 'over'
  return event.availableTickets > 0 ? 'open' : 'soldOut'
}
