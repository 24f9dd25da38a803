import type { SaleLineInput } from '@garba/shared/contracts/types/ticketType'
import { VALIDATION } from '@garba/shared/messages/codes'
import { toPaise, toRupees } from '@garba/shared/rules/money'
import { type Quote, quotePrice } from '@garba/shared/rules/pricing'
import { isCodeFor, lowerPrice, normalizePromoCode } from '@garba/shared/rules/types/promoCodes'
import {
  countRemaining,
  findPhase,
  findTypeState,
  isCountedApart,
  priceInPhase,
  splitPrice,
  type TicketType,
} from '@garba/shared/rules/types/ticketTypes'
import { Refusal, wrongField } from '../../refusal.ts'
import type { ReadTx, WriteTx } from '../../store/engine/sql.ts'
import { type EventRow, takeEventSeats } from '../../store/events.ts'
import type { OrderRow, StoredLine } from '../../store/orders.ts'
import { findPromoCode, type PromoCodeRow, redeemCode } from '../../store/promoCodes.ts'
import { countCodeUses } from '../../store/soldTypes.ts'
import type { SoldTicket } from '../../store/tickets.ts'
import { getFirstType, readTypeSeats } from '../../store/typeSeats.ts'
import type { Deps } from '../deps.ts'

export interface SaleChoice {
  quantity?: number | undefined
  lines?: readonly SaleLineInput[] | undefined
  code?: string | undefined
}
interface ChosenLine {
  type: TicketType
  quantity: number
  shown: number | undefined
}

export interface SalePrice extends Pick<Quote, 'totalPaise' | 'unitPaise'> {
  /** In the audit: the tier, or the names of the types. */
  tier: string
  lines: StoredLine[]
  promoCodeId: string | null
  promoUses: number
}

export function chooseTypes(event: EventRow, { quantity, lines }: SaleChoice): ChosenLine[] {
  if (lines === undefined) return [{ type: getFirstType(event), quantity: quantity ?? 1, shown: undefined }]
  return lines.map((line) => {
    const type = event.types.find(({ id }) => id === line.type)
    if (!type) throw new Refusal('TYPE_NOT_ON_SALE', { type: line.type })
    return { type, quantity: line.quantity, shown: line.price }
  })
}

export const countSeats = (event: EventRow, choice: SaleChoice): number =>
  chooseTypes(event, choice).reduce((sum, { type, quantity }) => sum + quantity * type.admits, 0)

export async function isSameChoice(
  tx: ReadTx,
  { lines, ...order }: OrderRow,
  { quantity, lines: chosen, code }: SaleChoice,
): Promise<boolean> {
  // The first type may be another by now.
  const isSame = chosen
    ? chosen.length === lines.length &&
      chosen.every(({ type, quantity: n }) => lines.some((line) => line.typeId === type && line.quantity === n))
    : lines.length === 1 && lines.every((line) => line.byQuantity && line.quantity === quantity)
  return isSame && (await isSameCode(tx, order, code))
}

async function isSameCode(
  tx: ReadTx,
  { eventId, promoCodeId }: Pick<OrderRow, 'eventId' | 'promoCodeId'>,
  typed: string | undefined,
): Promise<boolean> {
  if (typed === undefined || eventId === null) return promoCodeId === null
  const code = await findPromoCode(tx, { eventId, compared: normalizePromoCode(typed) })
  // A code that only shows hidden types is not stored with an order of others.
  return code !== undefined && (code.id === promoCodeId || (promoCodeId === null && code.kind === 'access'))
}

const describeTypes = (lines: readonly ChosenLine[]): string => lines.map(({ type }) => type.name.en).join(', ')

export const describeLines = (event: EventRow, { lines, quantity }: Pick<OrderRow, 'lines' | 'quantity'>): string =>
  isCountedApart(event.types)
    ? lines.map(({ typeId }) => event.types.find(({ id }) => id === typeId)?.name.en ?? '').join(', ')
    : quotePrice({ quantity, ...event }).tier

export const priceOfType = (quote: Quote, { typeId, quantity }: { typeId: string; quantity: number }): SalePrice => ({
  tier: quote.tier,
  unitPaise: quote.unitPaise,
  totalPaise: quote.totalPaise,
  lines: [{ typeId, quantity, seats: quantity, unitPaise: quote.unitPaise }],
  promoCodeId: null,
  promoUses: 0,
})

interface PricingFacts {
  choice: SaleChoice
  /** Null for a sale at the desk or the door. */
  userId: string | null
  /** Hidden types and those not on sale too; usual without a user. */
  sellsAll?: boolean
}

/**
 * Prices a sale in the write that takes its seats, before it takes them, and uses its code. Refuses with
 * TYPE_NOT_ON_SALE, TYPE_SOLD_OUT, PRICE_CHANGED, CODE_UNKNOWN, CODE_USED_UP, or VALIDATION_FAILED above the most per
 * order.
 */
export async function priceSale(
  { now }: Pick<Deps, 'now'>,
  tx: WriteTx,
  event: EventRow,
  { choice, userId, sellsAll = userId === null }: PricingFacts,
): Promise<SalePrice> {
  const at = now()
  const chosen = chooseTypes(event, choice)
  const asked = choice.lines === undefined ? { byQuantity: true as const } : {}
  const code = choice.code === undefined ? null : await requirePromoCode(tx, event, { typed: choice.code, now: at })
  for (const line of chosen) if (!sellsAll) requireOffered(line, { code, now: at })
  const [only] = chosen
  if (only && code === null && !isCountedApart(event.types)) {
    const quote = quotePrice({ quantity: only.quantity, ...event })
    if (only.type.admits === 1) {
      requireShownPrice(only, quote.unitPaise)
      const price = priceOfType(quote, { typeId: only.type.id, quantity: only.quantity })
      return { ...price, lines: price.lines.map((line) => ({ ...line, ...asked })) }
    }
  }
  // Locks the event, so that on PostgreSQL no other sale takes seats between reading the counters and taking them.
  await takeEventSeats(tx, event.id, 0)
  const seatsOf = await readTypeSeats(tx, event)
  const lines = chosen.map((line): StoredLine => {
    const { type, quantity } = line
    const seats = seatsOf(type.id)
    const remaining = countRemaining(type, { taken: seats.taken, free: Number.POSITIVE_INFINITY })
    if (quantity > remaining) throw new Refusal('TYPE_SOLD_OUT', { remaining, type: type.id })
    const full = priceInPhase(findPhase(type, { seats, quantity, now: at.getTime() }), quantity)
    const isReduced = code !== null && isCodeFor(termsOf(code), type)
    const unitPaise = isReduced ? lowerPrice(termsOf(code), { unitPaise: full, admits: type.admits }) : full
    requireShownPrice(line, full, unitPaise)
    const stored = { typeId: type.id, quantity, seats: quantity * type.admits, unitPaise, ...asked }
    return isReduced ? { ...stored, withCode: true } : stored
  })
  return {
    tier: describeTypes(chosen),
    ...sumLines(lines),
    lines,
    ...(code === null ? { promoCodeId: null, promoUses: 0 } : await usePromoCode(tx, code, { lines, userId })),
  }
}

const sumLines = (lines: readonly StoredLine[]) => ({
  totalPaise: lines.reduce((sum, { quantity, unitPaise }) => sum + quantity * unitPaise, 0),
  // The accountant compares an order's money with its cheapest ticket.
  unitPaise: Math.min(...ticketPrices(lines).map(({ pricePaise }) => pricePaise)),
})

/** What each ticket of an order is: its type, its share of the price, and whether the code was for it. */
export const ticketPrices = (
  lines: readonly StoredLine[],
): (Pick<SoldTicket, 'typeId' | 'pricePaise'> & { withCode: boolean })[] =>
  lines.flatMap(({ typeId, quantity, seats, unitPaise, withCode = false }) =>
    Array.from({ length: quantity }, () =>
      splitPrice(unitPaise, seats / quantity).map((pricePaise) => ({ typeId, pricePaise, withCode })),
    ).flat(),
  )

function requireShownPrice({ shown, type }: ChosenLine, ...prices: number[]): void {
  const [now = 0] = prices
  if (shown !== undefined && !prices.includes(toPaise(shown)))
    throw new Refusal('PRICE_CHANGED', { price: toRupees(now), type: type.id })
}

interface OfferingFacts {
  code: PromoCodeRow | null
  now: Date
}

export const isOfferedType = (type: TicketType, { code, now }: OfferingFacts): boolean =>
  findTypeState(type, { now: now.getTime(), remaining: 1, isOver: false }) === 'onSale' &&
  (!type.hidden || (code !== null && code.kind === 'access' && isCodeFor(termsOf(code), type)))

export function requireOffered(
  { type, quantity }: Pick<ChosenLine, 'type' | 'quantity'>,
  offering: OfferingFacts,
): void {
  if (!isOfferedType(type, offering)) throw new Refusal('TYPE_NOT_ON_SALE', { type: type.id })
  if (type.maxPerOrder !== null && quantity > type.maxPerOrder)
    throw wrongField('lines', VALIDATION.quantityAbove(type.maxPerOrder))
}

export const termsOf = ({ kind, valueHundredths, typeIds: types }: PromoCodeRow) => ({
  kind,
  value: valueHundredths === null ? null : valueHundredths / 100,
  types,
})

/** The code as typed, if it counts now. Refuses with CODE_UNKNOWN. */
export async function requirePromoCode(
  tx: ReadTx,
  { id: eventId }: Pick<EventRow, 'id'>,
  { typed, now }: { typed: string; now: Date },
): Promise<PromoCodeRow> {
  const code = await findPromoCode(tx, { eventId, compared: normalizePromoCode(typed) })
  if (!code || code.paused || (code.until !== null && now >= code.until)) throw new Refusal('CODE_UNKNOWN')
  return code
}

async function usePromoCode(
  tx: WriteTx,
  code: PromoCodeRow,
  { lines, userId }: { lines: readonly StoredLine[]; userId: string | null },
): Promise<Pick<SalePrice, 'promoCodeId' | 'promoUses'>> {
  const { id, kind, tickets, used, perPerson } = code
  const uses = lines.reduce((sum, { seats, withCode }) => sum + (withCode ? seats : 0), 0)
  if (uses === 0 && kind !== 'access') throw new Refusal('CODE_UNKNOWN')
  if (uses === 0) return { promoCodeId: null, promoUses: 0 }
  const own = userId === null || perPerson === null ? 0 : await countCodeUses(tx, { id, userId })
  if (perPerson !== null && own + uses > perPerson)
    throw new Refusal('CODE_USED_UP', { remaining: Math.max(0, perPerson - own) })
  if (!(await redeemCode(tx, id, uses)))
    throw new Refusal('CODE_USED_UP', { remaining: tickets === null ? 0 : Math.max(0, tickets - used) })
  return { promoCodeId: id, promoUses: uses }
}
