import type { RefundState } from '@garba/shared/contracts/names'
import { refundOf } from '@garba/shared/rules/cancellation'
import { Refusal } from '../../refusal.ts'
import type { OrderRow } from '../../store/orders.ts'
import { changeRefund, refundOfTicket } from '../../store/refunds.ts'
import type { WriteTx } from '../../store/sql.ts'
import type { TicketRow } from '../../store/tickets.ts'
import type { Deps } from '../deps.ts'
import { paidOrderOf, paymentHolding } from './refundCancelled.ts'
import { requestRefund } from './requestRefund.ts'
import { tellOfRefund } from './tellRefund.ts'

interface ByHand {
  ticket: TicketRow
  /** As in SPEC 2: true Done, false Failed, null Pending. */
  isRefundDone: boolean | null
  now: Date
  reason?: string
  by: string
}

const STATES = new Map<boolean | null, RefundState>([
  [true, 'manual'],
  [false, 'failed'],
  [null, 'requested'],
])

/**
 * Writes what an admin says of the refund of a paid ticket into its refund, which is made if there is none (DECISIONS 9), and
 * tells the buyer that it was made.
 * Refuses with REFUND_ON_ITS_WAY while the provider is paying it back, or has.
 */
export async function recordByHand(deps: Pick<Deps, 'now' | 'mailer'>, tx: WriteTx, said: ByHand): Promise<void> {
  const order = await paidOrderOf(tx, said.ticket)
  if (!order) return
  await write(tx, order, said)
  const refund = await refundOfTicket(tx, said.ticket.id)
  if (refund?.state === 'manual') await tellOfRefund(deps, tx, order, refund)
}

async function write(tx: WriteTx, order: OrderRow, { ticket, isRefundDone, now, reason, by }: ByHand): Promise<void> {
  const state = STATES.get(isRefundDone) ?? 'requested'
  const known = await refundOfTicket(tx, ticket.id)
  // Pending again after a failure: the provider is asked once more, by another key.
  if (known && !(known.state === 'failed' && isRefundDone === null)) {
    if (known.state === 'sent' || known.state === 'done') throw new Refusal('REFUND_ON_ITS_WAY')
    await changeRefund(tx, known, { state, updatedAt: now, requestedByName: by, reason: reason ?? known.reason })
    return
  }
  const paise = refundOf(ticket.pricePaise).refundPaise
  const payment = await paymentHolding(tx, order, paise)
  if (!payment) return
  const why = reason === undefined ? {} : { reason }
  await requestRefund(tx, { payment, kind: 'guest', paise, now, ticketId: ticket.id, by, state, ...why })
}
