import { SELL } from '@garba/shared/messages/deskSell'
import { formatRupees, toPaise, toRupees } from '@garba/shared/rules/money'

/** Rupees as typed, such as 500 or 499.50; null for anything else. */
export const readAmount = (typed: string): number | null =>
  /^\d{1,8}(\.\d{1,2})?$/.test(typed.trim()) ? Number(typed.trim()) : null

/** Rupees counted more than expected; negative when some are missing. */
export const differenceOf = (counted: number, expected: number): number =>
  toRupees(toPaise(counted) - toPaise(expected))

export function differenceText(difference: number): string {
  if (difference === 0) return SELL.cash.exact
  return difference > 0 ? SELL.cash.over(formatRupees(difference)) : SELL.cash.short(formatRupees(Math.abs(difference)))
}
