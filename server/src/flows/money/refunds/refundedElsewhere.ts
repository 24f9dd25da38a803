import { ORDER_WORDS } from '@garba/shared/messages/order'
import { isRefundDone } from '@garba/shared/rules/orders/orderMoney'
import { insertAttention, openAttentionOf, resolveByKey } from '../../../store/attention.ts'
import { newId, type ReadTx, type WriteTx } from '../../../store/engine/sql.ts'
import { type PaymentRow, paymentsOf } from '../../../store/payments.ts'
import { changeRefund, findRefund, type RefundRow, refundsOf, refundsOfTickets } from '../../../store/refunds.ts'
import { findTicket, moveTicket, type TicketRow, ticketsOfOrder } from '../../../store/tickets.ts'

/**
 * Handles refunds that this database did not request: made at the provider's own dashboard, or by this server after the
 * backup that was restored. Their tickets are unknown, so the desk is to cancel one while the order has more tickets
 * than money.
 */

const KIND = 'refundedElsewhere'
const keyOf = (refundId: string): string => `${KIND}:${refundId}`

/** The active and used tickets of an order, and the part of their price not covered by money received and kept. */
async function validTickets(tx: ReadTx, orderId: string): Promise<{ valid: TicketRow[]; missing: number }> {
  const left = (await capturedMoney(tx, orderId)).reduce((paise, { leftPaise }) => paise + leftPaise, 0)
  const valid = (await ticketsOfOrder(tx, orderId)).filter(({ status }) => status !== 'cancelled')
  return { valid, missing: valid.reduce((paise, { pricePaise }) => paise + pricePaise, 0) - left }
}

const lacksMoney = async (tx: ReadTx, orderId: string): Promise<boolean> =>
  (await validTickets(tx, orderId)).missing > 0

/**
 * Counts the valid tickets of an order that have no money at all. A gap smaller than one price is a favour, not a
 * refund.
 */
export async function ticketsWithoutMoney(
  tx: ReadTx,
  orderId: string,
): Promise<{ lost: number; valid: readonly TicketRow[] }> {
  const { valid, missing } = await validTickets(tx, orderId)
  let [lost, covered] = [0, 0]
  for (const pricePaise of valid.map((ticket) => ticket.pricePaise).toSorted((a, b) => a - b)) {
    covered += pricePaise
    if (covered <= missing) lost += 1
  }
  return { lost, valid }
}

/** Puts such a refund before the desk if it left a ticket without its money. */
export async function noteRefundElsewhere(
  tx: WriteTx,
  { orderId, refund, now }: { orderId: string; refund: RefundRow; now: Date },
): Promise<void> {
  if (!(await lacksMoney(tx, orderId))) return
  await insertAttention(tx, {
    id: newId(now),
    kind: KIND,
    dedupeKey: keyOf(refund.id),
    orderId,
    paymentId: refund.paymentId,
    amountPaise: refund.amountPaise,
    detail: refund.providerRefundId ?? refund.id,
    createdAt: now,
  })
}

/** Whether money of an order went back for a ticket that is still valid. */
export const isRefundedElsewhere = async (tx: ReadTx, orderId: string): Promise<boolean> =>
  (await openAttentionOf(tx, { orderId, kind: KIND })).length > 0

/**
 * Assigns a refund made elsewhere to a ticket cancelled now. True if the order had one: the money of this ticket is
 * back already, and no other refund is due.
 */
export async function claimRefundElsewhere(tx: WriteTx, ticket: TicketRow, now: Date): Promise<boolean> {
  if (ticket.orderId === null) return false
  const open = await openAttentionOf(tx, { orderId: ticket.orderId, kind: KIND })
  if (open.length === 0) return false
  let claimed: RefundRow | undefined
  for (const { dedupeKey } of open) {
    const refund = await findRefund(tx, dedupeKey.slice(keyOf('').length))
    if (claimed || refund?.ticketId !== null || refund.state === 'failed') continue
    claimed = await changeRefund(tx, refund, { state: refund.state, ticketId: ticket.id, updatedAt: now })
  }
  if (claimed) await showOnTicket(tx, claimed, now)
  else {
    // One refund at the provider took the money of several tickets.
    const set = { status: 'cancelled', isRefundDone: true } as const
    await moveTicket(tx, { id: ticket.id, eventId: ticket.eventId, from: 'cancelled', set, now })
  }
  await settleRefundsElsewhere(tx, ticket.orderId, now)
  return true
}

/** Takes the matter off the desk's list once the tickets of the order agree with its money. */
export async function settleRefundsElsewhere(tx: WriteTx, orderId: string, now: Date): Promise<void> {
  const open = await openAttentionOf(tx, { orderId, kind: KIND })
  if (open.length === 0 || (await lacksMoney(tx, orderId))) return
  for (const { dedupeKey } of open)
    await resolveByKey(tx, dedupeKey, { resolvedAt: now, resolution: ORDER_WORDS.agrees })
}

/** The refund column of a cancelled ticket follows its refunds. */
export async function showOnTicket(tx: WriteTx, { ticketId }: RefundRow, now: Date): Promise<void> {
  const ticket = ticketId === null ? undefined : await findTicket(tx, ticketId)
  if (ticket?.status !== 'cancelled') return
  const done = isRefundDone((await refundsOfTickets(tx, [ticket.id])).map(({ state }) => state))
  if (ticket.isRefundDone === done) return
  const set = { status: 'cancelled', isRefundDone: done } as const
  await moveTicket(tx, { id: ticket.id, eventId: ticket.eventId, from: 'cancelled', set, now })
  tx.announce('roster', 'evening')
}

/** A captured payment, and the paise of it that neither went nor are going back; a failed refund leaves them here. */
interface Captured {
  payment: PaymentRow
  leftPaise: number
}

/** The captured payments of an order, oldest first. */
export async function capturedMoney(tx: ReadTx, orderId: string): Promise<Captured[]> {
  const captured = (await paymentsOf(tx, orderId)).filter(({ state }) => state === 'captured')
  const ids = captured.map(({ id }) => id)
  const back = (await refundsOf(tx, ids)).filter(({ state }) => state !== 'failed')
  return captured.map((payment) => ({
    payment,
    leftPaise: back.reduce(
      (left, { paymentId, amountPaise }) => (paymentId === payment.id ? left - amountPaise : left),
      payment.amountPaise,
    ),
  }))
}
