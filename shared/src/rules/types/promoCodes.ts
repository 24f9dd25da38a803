import { LEAST_PRICE_PAISE } from '../../constants.ts'
import type { PromoKind } from '../../contracts/names.ts'
import { toPaise } from '../money.ts'

const INDIC_DIGIT = /[०-९૦-૯]/g

/** Keyboards of Gujarati and Hindi type their own digits, and copied text may hold marks that nobody sees. */
export const normalizePromoCode = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replace(/[\s\p{Cf}]+/gu, '')
    .replace(INDIC_DIGIT, (digit) => String((digit.charCodeAt(0) - 6) % 16))
    .toUpperCase()

/** `value` is per cent or rupees; `types` null means all. */
export interface PromoTerms {
  kind: PromoKind
  value: number | null
  types: readonly string[] | null
}

/** Whether the code does something for a type: an access code shows hidden types, others lower prices. */
export const isCodeFor = ({ kind, types }: PromoTerms, type: { id: string; hidden: boolean }): boolean =>
  (types === null || types.includes(type.id)) && (kind !== 'access' || type.hidden)

/** The price of one in paise with a code that is for its type: never below ₹1 for each person, and never higher. */
export function lowerPrice(
  { kind, value }: PromoTerms,
  { unitPaise, admits }: { unitPaise: number; admits: number },
): number {
  if (kind === 'access' || value === null) return unitPaise
  const off = kind === 'percent' ? Math.round((unitPaise * value) / 100) : toPaise(value)
  return Math.min(unitPaise, Math.max(LEAST_PRICE_PAISE * admits, unitPaise - off))
}
