import { COUNTED } from '../../messages/order.ts'
import { formatRupees, toPaise, toRupees } from '../money.ts'

/** Rupees as typed, such as 500 or 499.50; null for anything else. */
export const readAmount = (typed: string): number | null =>
  /^\d{1,8}(\.\d{1,2})?$/.test(typed.trim()) ? Number(typed.trim()) : null

/** Rupees counted more than expected; negative when some are missing. */
export const differenceOf = (counted: number, expected: number): number =>
  toRupees(toPaise(counted) - toPaise(expected))

export function differenceText(difference: number): string {
  if (difference === 0) return COUNTED.exact
  return difference > 0 ? COUNTED.over(formatRupees(difference)) : COUNTED.short(formatRupees(Math.abs(difference)))
}
