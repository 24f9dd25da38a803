import { GROUP_TIER_FROM } from '../../constants.ts'
import type { TypeState } from '../../contracts/names.ts'
import type { HeldType, TypeName } from '../../contracts/types/ticketType.ts'
import type { Language } from '../../messages/language.ts'

/**
 * A ticket type and its prices in phases. Prices are integer paise and moments milliseconds since 1970; null means no
 * limit. A type that admits several people takes a seat for each, but is bought, priced and counted as one.
 */
export interface TypePhase {
  pricePaise: number
  groupPaise: number
  until: number | null
  /** The phase ends once so many of the type are sold, those of earlier phases included. */
  sold: number | null
}
export interface TicketType {
  id: string
  name: TypeName
  note: string | null
  seats: number | null
  from: number | null
  until: number | null
  maxPerOrder: number | null
  paused: boolean
  hidden: boolean
  admits: number
  phases: readonly TypePhase[]
}

/** The seats of a type that are sold or held: now, and the most there ever were, which ends phases for good. */
export interface TypeSeats {
  taken: number
  most: number
}

export const hasSeveralTypes = (event: { types?: readonly unknown[] | undefined } | null | undefined): boolean =>
  (event?.types?.length ?? 0) > 1

/** Whether a type needs a count of its own: not while it is the only one, without seats and with one price. */
export const isCountedApart = (types: readonly Pick<TicketType, 'seats' | 'phases'>[]): boolean =>
  hasSeveralTypes({ types }) || types.some(({ seats, phases }) => seats !== null || phases.length > 1)

const countSold = (seats: number, { admits }: Pick<TicketType, 'admits'>): number => Math.ceil(seats / admits)

/**
 * The phase whose price counts for this many more of the type. A phase serves an order only as a whole: one that is
 * larger than what is left of the phase gets the next price. Returned seats never bring back a phase that has ended.
 */
export function findPhase(
  type: Pick<TicketType, 'admits' | 'phases'>,
  { seats, quantity = 1, now }: { seats: TypeSeats; quantity?: number; now: number },
): TypePhase {
  const sold = countSold(seats.taken, type) + quantity
  const most = countSold(seats.most, type)
  const phase =
    type.phases.find(
      (one) => (one.until === null || now < one.until) && (one.sold === null || (most < one.sold && sold <= one.sold)),
    ) ?? type.phases.at(-1)
  if (!phase) throw new RangeError('A ticket type without a price')
  return phase
}

/** How many more the phase has; null if its number is not limited. */
export const countLeft = (
  { sold }: Pick<TypePhase, 'sold'>,
  { seats, type }: { seats: TypeSeats; type: Pick<TicketType, 'admits'> },
): number | null => (sold === null ? null : Math.max(0, sold - countSold(seats.taken, type)))

/** The price of one, of so many of the same type in an order. */
export const priceInPhase = ({ pricePaise, groupPaise }: TypePhase, quantity: number): number =>
  quantity >= GROUP_TIER_FROM ? groupPaise : pricePaise

/** How many of the type can still be bought, if the event has so many free seats. */
export const countRemaining = (
  { seats, admits }: Pick<TicketType, 'seats' | 'admits'>,
  { taken, free }: { taken: number; free: number },
): number => Math.max(0, Math.floor(Math.min(free, seats === null ? free : seats - taken) / admits))

export function findTypeState(
  { from, until, paused }: Pick<TicketType, 'from' | 'until' | 'paused'>,
  { now, remaining, isOver }: { now: number; remaining: number; isOver: boolean },
): TypeState {
  if (isOver || (until !== null && now >= until)) return 'ended'
  if (from !== null && now < from) return 'soon'
  if (paused) return 'paused'
  return remaining > 0 ? 'onSale' : 'soldOut'
}

/** The prices of the tickets of one of a type, in whole paise; they add up to its price. */
export function splitPrice(paise: number, admits: number): number[] {
  const each = Math.floor(paise / admits)
  return Array.from({ length: admits }, (_, at) => each + (at < paise - each * admits ? 1 : 0))
}

export const pickTypeName = (name: TypeName, language: Language): string => name[language] || name.en

/** Whether a holder of this type knows of several: those that everybody sees, and their own. */
export const isTypeShown = (types: readonly Pick<TicketType, 'id' | 'hidden'>[], id: string): boolean =>
  types.filter((type) => !type.hidden || type.id === id).length > 1

/** The type's name for its holder; null where it would tell them nothing. */
export const pickShownType = (type: HeldType | undefined, language: Language): string | null =>
  type?.isShown ? pickTypeName(type.name, language) : null
