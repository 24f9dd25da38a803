import type { NamedType, TicketTypeOffer } from '@garba/shared/contracts/types/ticketType'
import { toPaise, toRupees } from '@garba/shared/rules/money'
import { type Quote, quotePrice } from '@garba/shared/rules/pricing'
import type { BlockRow, DoorMethod, SaleRow } from '../../platform/store/scannerSchema.ts'
import { findPairingEnd, pairingNow } from './pairing.ts'

export interface Draft {
  quantity: number
  type: NamedType | null
  method: DoorMethod
  name: string
  phone: string
  reason: string
  /** The bank's number of a UPI payment; empty if not known. */
  reference: string
  admit: boolean
}

export const buildSaleFacts = ({ method, name, phone, reason, reference }: Draft) => ({
  ...(name === '' ? {} : { name }),
  ...(phone === '' ? {} : { phone }),
  ...(method === 'complimentary' ? { reason } : {}),
  ...(method === 'upi' && reference !== '' ? { reference } : {}),
})

/** In rupees. */
export interface Prices {
  price: number
  groupPrice: number | null
}

/** The server prices by the same rule. Complimentary tickets cost nothing. */
export function quoteDoorSale(
  { price, groupPrice }: Prices,
  { quantity, method }: Pick<Draft, 'quantity' | 'method'>,
): Quote {
  const free = method === 'complimentary'
  return quotePrice({
    quantity,
    ticketPricePaise: free ? 0 : toPaise(price),
    groupPricePaise: free || groupPrice === null ? null : toPaise(groupPrice),
  })
}

export const computeDraftTotal = (prices: Prices, draft: Pick<Draft, 'quantity' | 'method'>): number =>
  toRupees(quoteDoorSale(prices, draft).totalPaise)

/**
 * Blocks that can be sold from, oldest first: of the newest event, and not being returned. None once the phone has ended,
 * because its blocks end with it.
 */
export function listSellableBlocks(blocks: readonly BlockRow[], now: Date): BlockRow[] {
  if (findPairingEnd(pairingNow(), now) !== null) return []
  const open = blocks.filter(({ returning }) => !returning).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const eventId = open.at(-1)?.eventId
  return open.filter((block) => block.eventId === eventId)
}

/** A phone may have codes of a type that is sold out elsewhere. */
export const isTypeOffered = ({ state }: TicketTypeOffer): boolean => state === 'onSale' || state === 'soldOut'

export const listBlocksOfType = (blocks: readonly BlockRow[], type: NamedType | null): readonly BlockRow[] =>
  type === null ? blocks : blocks.filter((block) => block.type?.id === type.id)

export const countSold = ({ tickets, quantity }: SaleRow): number => tickets.length || quantity

export const codesIn = (blocks: readonly BlockRow[]): number => blocks.reduce((sum, { codes }) => sum + codes.length, 0)

/** The next codes to sell, of one type and at the prices of the first code's block. Null if there are too few. */
export function nextCodes(
  blocks: readonly BlockRow[],
  { quantity, type, now }: { quantity: number; type: NamedType | null; now: Date },
): { codes: BlockRow['codes']; prices: Prices } | null {
  const open = listBlocksOfType(listSellableBlocks(blocks, now), type).filter(({ codes }) => codes.length > 0)
  const [first] = open
  const codes = open.flatMap((block) => block.codes).slice(0, quantity)
  return first && codes.length === quantity ? { codes, prices: first } : null
}
