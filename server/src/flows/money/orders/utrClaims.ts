import { UTR_CLAIMS_MAX } from '@garba/shared/constants'
import { ORDER } from '@garba/shared/messages/order'
import { Refusal, wrongField } from '../../../refusal.ts'
import { listOrderAttention } from '../../../store/attention.ts'
import type { ReadTx, WriteTx } from '../../../store/engine/sql.ts'
import { changePayment, findClaims, findPaymentByUtr, type PaymentRow } from '../../../store/payments.ts'
import { seeNumber } from '../../../store/statementLines.ts'
import type { Deps } from '../../deps.ts'

/** Each bank transfer pays one order. Several may claim the same number: the desk sees them all. */
export async function requireNewUtr(
  tx: WriteTx,
  { utr, paymentId, field = 'utr' }: { utr: string; paymentId: string | null; field?: 'utr' | 'reference' },
): Promise<void> {
  const other = await findPaymentByUtr(tx, utr)
  if (other && other.id !== paymentId && !(await isUnproven(tx, other.orderId))) throw new Refusal('UTR_USED')
  const seen = await seeNumber(tx, utr)
  if (seen === 'shared') throw wrongField(field, ORDER.bankNumber)
  if (seen === 'spent') throw new Refusal('UTR_USED')
}

/** Whether an order has its tickets on the word of its seller: the number is a claim. */
export const isUnproven = async (tx: ReadTx, orderId: string): Promise<boolean> =>
  (await listOrderAttention(tx, { orderId, kind: 'unproven' })).length > 0

/** Each further number could be somebody else's. */
export function requireFewClaims(payments: readonly PaymentRow[]): void {
  const given = payments.reduce((sum, { claims }) => sum + claims, 0)
  if (given >= UTR_CLAIMS_MAX) throw new Refusal('TOO_MANY_CLAIMS')
}

/**
 * A credit that the desk has seen overrides other buyers' and sellers' claims: they are withdrawn, and their buyers are
 * asked for a number again.
 */
export async function takeUtr(
  { now }: Deps,
  tx: WriteTx,
  { utr, paymentId }: { utr: string; paymentId: PaymentRow['id'] | null },
): Promise<void> {
  await requireNewUtr(tx, { utr, paymentId })
  for (const claim of await findClaims(tx, utr))
    if (claim.id !== paymentId) await changePayment(tx, claim, { state: 'created', utr: null, updatedAt: now() })
  const sold = await findPaymentByUtr(tx, utr)
  if (sold && sold.id !== paymentId) await changePayment(tx, sold, { state: sold.state, utr: null, updatedAt: now() })
}
