import type { RefundState } from '@garba/shared/contracts/names'
import { refundOf } from '@garba/shared/rules/cancellation'
import { Refusal } from '../../../refusal.ts'
import type { OrderRow } from '../../../store/orders.ts'
import { findPayment } from '../../../store/payments.ts'
import { changeRefund, type RefundRow, refundsOfTickets } from '../../../store/refunds.ts'
import type { WriteTx } from '../../../store/sql.ts'
import type { TicketRow } from '../../../store/tickets.ts'
import type { Deps } from '../../deps.ts'
import { moveCashPaidBack, requireUncounted } from '../drawers.ts'
import { paidOrderOf } from './refundCancelled.ts'
import { refundsItself, requestFromOrder, requestRefund } from './requestRefund.ts'
import { tellOfRefund } from './tellRefund.ts'

interface ByHand {
  ticket: TicketRow
  /** Follows SPEC 2: true is Done, false Failed, null Pending. */
  isRefundDone: boolean | null
  now: Date
  reason?: string
  by: string
  byId: string
}

const STATES = new Map<boolean | null, RefundState>([
  [true, 'manual'],
  [false, 'failed'],
  [null, 'requested'],
])

/**
 * Writes an admin's report on the refund of a paid ticket into its refunds, makes them if there are none, and tells the
 * buyer when the money was paid back. Refuses with REFUND_IN_DOUBT while it is unknown whether the provider made one,
 * with REFUND_ON_ITS_WAY while the provider is paying it back, or has, and with DRAWER_COUNTED for cash from a drawer
 * counted since.
 */
export async function recordByHand(deps: Pick<Deps, 'now' | 'mailer'>, tx: WriteTx, said: ByHand): Promise<void> {
  const order = await paidOrderOf(tx, said.ticket)
  if (!order) return
  if (said.isRefundDone !== true) await requireUncounted(tx, said.ticket.id)
  await write(tx, order, said)
  await moveCashPaidBack(tx, { ticketId: said.ticket.id, byId: said.byId })
  const [refund] = (await refundsOfTickets(tx, [said.ticket.id])).filter(({ state }) => state === 'manual')
  if (refund) await tellOfRefund(deps, tx, order, refund)
}

/** Refuses with REFUND_IN_DOUBT while the provider has not reported the outcome of a refund of these tickets. */
export async function requireNoDoubt(tx: WriteTx, ticketIds: readonly string[]): Promise<RefundRow[]> {
  const refunds = await refundsOfTickets(tx, ticketIds)
  if (refunds.some(({ state }) => state === 'asking')) throw new Refusal('REFUND_IN_DOUBT')
  return refunds
}

async function write(tx: WriteTx, order: OrderRow, said: ByHand): Promise<void> {
  const { ticket, isRefundDone, now, by } = said
  const known = await requireNoDoubt(tx, [ticket.id])
  const open = known.filter(({ state }) => state !== 'done')
  if (known.some(({ state }) => state === 'sent') || (known.length > 0 && open.length === 0))
    throw new Refusal('REFUND_ON_ITS_WAY')
  for (const refund of open) await change(tx, refund, said)
  if (known.length > 0) return
  const paise = refundOf(ticket.pricePaise).refundPaise
  const state = STATES.get(isRefundDone) ?? 'requested'
  await requestFromOrder(tx, order, { kind: 'guest', paise, now, ticketId: ticket.id, by, state, reason: said.reason })
}

async function change(tx: WriteTx, refund: RefundRow, { isRefundDone, now, reason, by }: ByHand): Promise<void> {
  const state = STATES.get(isRefundDone) ?? 'requested'
  const said = { updatedAt: now, requestedByName: by, reason: reason ?? refund.reason }
  const payment = await findPayment(tx, refund.paymentId)
  if (state !== 'requested' || refund.state === 'requested' || !payment || !refundsItself(payment)) {
    await changeRefund(tx, refund, { ...said, state })
    return
  }
  // It is pending again: the provider is asked once more, with another key.
  await changeRefund(tx, refund, { ...said, state: 'failed' })
  const { id: retryOf, kind, amountPaise: paise, ticketId } = refund
  await requestRefund(tx, { payment, kind, paise, now, ticketId, by, retryOf, reason: said.reason })
}
