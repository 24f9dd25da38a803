import { numberFormat } from '../intlFormats.ts'

/** Prices are rupees on screens and in the API, and integer paise in rules and in the database. */

/** Rupees to integer paise; meant for amounts of at most two decimals. Throws RangeError on NaN and infinities. */
export function toPaise(rupees: number): number {
  if (!Number.isFinite(rupees)) throw new RangeError(`Not an amount: ${rupees}`)
  return Math.round(rupees * 100)
}

/** Integer paise to rupees. Throws RangeError when there is a fraction of a paisa. */
export function toRupees(paise: number): number {
  if (!Number.isSafeInteger(paise)) throw new RangeError(`Not whole paise: ${paise}`)
  return paise / 100
}

/** Adds rupees in whole paise, because floating point would leave fractions. */
export const sumRupees = (amounts: readonly { amount: number }[]): number =>
  toRupees(amounts.reduce((sum, { amount }) => sum + toPaise(amount), 0))

const formats: { 0?: Intl.NumberFormat; 2?: Intl.NumberFormat } = {}

/**
 * `₹1,23,456` in Indian grouping, and `−₹25` with a true minus sign. Without `decimals` whole rupees stay whole and
 * others show two decimals; analytics pass 0. (Spec: Limits and constants.)
 */
export function formatRupees(rupees: number, { decimals }: { decimals?: 0 | 2 } = {}): string {
  const digits = decimals ?? (Number.isInteger(rupees) ? 0 : 2)
  formats[digits] ??= numberFormat('en-IN', {
    style: 'currency',
    currency: 'INR',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  // Adding 0 removes the sign of a negative zero.
  return formats[digits].format(rupees + 0).replace('-', '−')
}

interface SettledAmounts {
  of: 'payment' | 'refund'
  /** Rupees; null if one side has no record. */
  ours: number | null
  settled: number | null
}

/** The rupees by which a settlement exceeds our records; a refund counts as negative. */
export function computeSettledDifference({ of, ours, settled }: SettledAmounts): number {
  const more = toPaise(settled ?? 0) - toPaise(ours ?? 0)
  return toRupees(of === 'refund' ? 0 - more : more)
}
