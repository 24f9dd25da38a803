import type { DeskMethod } from '@garba/shared/contracts/names'
import { toPaise, toRupees } from '@garba/shared/rules/money'
import { type Quote, quote } from '@garba/shared/rules/pricing'
import type { BlockRow } from '../../platform/store/scannerSchema.ts'

/** A sale as the seller has filled it in. */
export interface Draft {
  quantity: number
  method: DeskMethod
  name: string
  phone: string
  /** Why complimentary tickets are given. */
  reason: string
  /** The bank's number of a UPI payment, or the slip's of a card payment; empty if not known. */
  reference: string
  /** Whether the buyers go in at once. */
  admit: boolean
}

/** Only UPI and card payments have a number that can be looked up later. */
export const takesReference = (method: DeskMethod): boolean => method === 'upi' || method === 'card'

/** A sale's optional facts, as they are stored and sent. */
export const factsOf = ({ method, name, phone, reason, reference }: Draft) => ({
  ...(name === '' ? {} : { name }),
  ...(phone === '' ? {} : { phone }),
  ...(method === 'complimentary' ? { reason } : {}),
  ...(takesReference(method) && reference !== '' ? { reference } : {}),
})

/** Rupees. */
export interface Prices {
  price: number
  groupPrice: number | null
}

/** The server prices by the same rule. Complimentary tickets cost nothing. */
export function quoteOf(
  { price, groupPrice }: Prices,
  { quantity, method }: Pick<Draft, 'quantity' | 'method'>,
): Quote {
  const free = method === 'complimentary'
  return quote({
    quantity,
    ticketPricePaise: free ? 0 : toPaise(price),
    groupPricePaise: free || groupPrice === null ? null : toPaise(groupPrice),
  })
}

export const totalOf = (prices: Prices, draft: Pick<Draft, 'quantity' | 'method'>): number =>
  toRupees(quoteOf(prices, draft).totalPaise)

/** Blocks that can be sold from, oldest first: of the newest event, within their time, and not being returned. */
export function openBlocks(blocks: readonly BlockRow[], now: Date): BlockRow[] {
  const open = blocks
    .filter(({ returning, leaseUntil }) => !returning && Date.parse(leaseUntil) > now.getTime())
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const eventId = open.at(-1)?.eventId
  return open.filter((block) => block.eventId === eventId)
}

export const codesIn = (blocks: readonly BlockRow[]): number => blocks.reduce((sum, { codes }) => sum + codes.length, 0)

/** The next codes to sell; the prices of the first one's block count for the whole sale. Null if there are too few. */
export function nextCodes(
  blocks: readonly BlockRow[],
  { quantity, now }: { quantity: number; now: Date },
): { codes: BlockRow['codes']; prices: Prices } | null {
  const open = openBlocks(blocks, now).filter(({ codes }) => codes.length > 0)
  const [first] = open
  const codes = open.flatMap((block) => block.codes).slice(0, quantity)
  return first && codes.length === quantity ? { codes, prices: first } : null
}
