import type { OpenMatterKind } from '../contracts/names.ts'
import { formatCount } from './language.ts'

const counted = (one: string, many: string) => (n: number) => (n === 1 ? `1 ${one}` : `${formatCount(n)} ${many}`)

/** What is still open at an event that is to be closed. */
export const OPEN_MATTERS = {
  drawers: counted('cash drawer is not counted', 'cash drawers are not counted'),
  refundsByHand: counted('refund is still to be paid by hand', 'refunds are still to be paid by hand'),
  refundsInDoubt: counted('refund waits for the provider’s answer', 'refunds wait for the provider’s answer'),
  phonesUnsent: counted('phone had unsent rows at its last contact', 'phones had unsent rows at their last contact'),
  matters: counted('matter under Money is not settled', 'matters under Money are not settled'),
  unmatchedCredits: counted(
    'credit on the bank statement has no order yet',
    'credits on the bank statement have no order yet',
  ),
  unproven: counted('sale by UPI or card has no number', 'sales by UPI or card have no number'),
} as const satisfies Record<OpenMatterKind, (n: number) => string>

export const openText = (matters: readonly { kind: OpenMatterKind; count: number }[]): string =>
  matters.map(({ kind, count }) => OPEN_MATTERS[kind](count)).join(', ')
