import { paysByLink, type RefundKind, type RefundState } from '@garba/shared/contracts/names'
import { newId } from '../../store/ids.ts'
import { insertJob } from '../../store/jobs.ts'
import type { PaymentRow } from '../../store/payments.ts'
import { insertRefund, newRefund } from '../../store/refunds.ts'
import type { WriteTx } from '../../store/sql.ts'

interface Requested {
  payment: PaymentRow
  kind: RefundKind
  paise: number
  now: Date
  ticketId?: string
  reason?: string
  /** Who asked for it; absent for our own. */
  by?: string
  /** Another than `requested` for what an admin does by hand. */
  state?: RefundState
}

/** Whether the provider pays it back by itself; else somebody must, by hand. */
export const refundsItself = ({ provider, providerPaymentId }: PaymentRow): boolean =>
  paysByLink(provider) && providerPaymentId !== null

/**
 * Stores that money is to go back, and the job that asks the provider for it. Money that came another way waits in the desk's
 * list of refunds that are due.
 */
export async function requestRefund(
  tx: WriteTx,
  { payment, kind, paise, now, ticketId, reason, by, state = 'requested' }: Requested,
): Promise<void> {
  if (paise <= 0) return
  const id = newId(now)
  const about = { ticketId: ticketId ?? null, reason: reason ?? null, requestedByName: by ?? null }
  await insertRefund(
    tx,
    newRefund({ id, paymentId: payment.id, kind, amountPaise: paise, state, createdAt: now, ...about }),
  )
  if (state !== 'requested' || !refundsItself(payment)) return
  await insertJob(tx, {
    kind: 'refund',
    id: `refund:${id}`,
    payload: { refundId: id },
    orderId: payment.orderId,
    createdAt: now,
    dueAt: now,
  })
  tx.announce('jobs')
}
