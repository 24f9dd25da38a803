import type { DeskOrder } from '@garba/shared/contracts/order'
import { ORDER } from '@garba/shared/messages/order'
import { refundFacts } from '@garba/shared/rules/cancellation'
import { formatRupees, toRupees } from '@garba/shared/rules/money'
import { Refusal } from '../../refusal.ts'
import { listIds, type WriteTx } from '../../store/engine/sql.ts'
import { claimRequest } from '../../store/knownRequests.ts'
import type { OrderRow } from '../../store/orders.ts'
import { listPaymentRefunds } from '../../store/refunds.ts'
import { moveTicket, NO_ENTRY, type TicketRow, ticketsOfOrder } from '../../store/tickets.ts'
import { aboutBuyer, auditChange } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { requireOpenEvent } from '../event/readEvent.ts'
import { readDeskOrder } from '../money/orders/deskOrders.ts'
import { endHold, orderByCode } from '../money/orders/orderRows.ts'
import { capturedMoney, refundsElsewhere } from '../money/refunds/refundsElsewhere.ts'
import { requestFromOrder, requireNoDoubt, returnAll } from '../money/refunds/requestRefund.ts'
import { queueBuyerMail } from '../money/upkeep/tell.ts'
import { moveByAdmin, releaseAdmission, requireNoneUsed } from '../tickets/changeTickets.ts'

interface OrderRefundRequest {
  admin: Caller
  code: string
  ticketIds?: readonly string[] | undefined
  reason: string
  seen?: number | undefined
  includeUsed?: boolean | undefined
  idempotencyKey: string
}

/**
 * Gives money back for the organiser's own reasons, in full: the tickets are cancelled, and money that came through a
 * provider goes back by itself. Tickets cancelled before stay as they are. For the whole order, money that bought no
 * tickets goes back too, and a UPI order that waits for the rest is cancelled.
 */
export function refundOrder(deps: Deps, refunding: OrderRefundRequest): Promise<DeskOrder> {
  const { admin, code, ticketIds, reason, idempotencyKey: key } = refunding
  const asking = {
    call: 'refundOrder',
    userId: admin.id,
    key,
    asked: [code, ticketIds?.toSorted() ?? 'all', reason],
    reused: { message: ORDER.refundKeyReused },
  }
  return deps.store.write(async (tx) => {
    const order = await orderByCode(tx, code)
    if (await claimRequest(tx, asking, deps.now())) await refund(deps, tx, { order, ...refunding })
    return readDeskOrder(deps, tx, order)
  })
}

async function refund(
  deps: Deps,
  tx: WriteTx,
  { order, admin, code, ticketIds, reason, seen, includeUsed = false }: OrderRefundRequest & { order: OrderRow },
): Promise<void> {
  const tickets = await ticketsOfOrder(tx, order.id)
  if (seen !== undefined && tickets.filter(({ status }) => status !== 'cancelled').length !== seen)
    throw new Refusal('ORDER_CHANGED')
  const chosen = ticketIds ? new Set(ticketIds) : null
  const own = listIds(tickets)
  if (ticketIds && !ticketIds.every((id) => own.includes(id))) throw new Refusal('TICKET_NOT_FOUND')
  if ((await capturedMoney(tx, order.id)).length === 0) throw new Refusal('NOTHING_TO_REFUND')
  const leaving = tickets.filter(({ id, status }) => status !== 'cancelled' && (!chosen || chosen.has(id)))
  for (const ticket of leaving) await requireOpenEvent(tx, ticket)
  if (!includeUsed) requireNoneUsed(leaving)
  if (ticketIds) await requireNoDoubt(tx, ticketIds)
  const now = deps.now()
  let paise = 0
  for (const ticket of leaving) paise += await refundTicket(tx, { order, ticket, reason, now, admin })
  if (!chosen && order.state !== 'paid')
    paise += await returnAll(tx, order, { kind: 'event', now, reason, by: admin.name })
  if (paise === 0) await requireNoOrderDoubt(tx, order)
  else {
    // Otherwise the buyer would be asked for the rest of a sum that is being refunded.
    if (order.provider === 'upi') await endHold(tx, order, { to: 'cancelled', now })
    tx.announceChanges('roster', 'evening')
    const detail = `${ORDER.refunding(code, formatRupees(toRupees(paise)))}; ${reason}`
    await auditChange(tx, { at: now, action: 'order.refunded', actor: admin, subject: aboutBuyer(order), detail })
    await queueBuyerMail(deps, tx, order, { what: 'event', about: `${order.id}:${now.getTime()}`, paise })
  }
}

/** A refund still in doubt must not let an order with nothing left to refund pass as settled. */
async function requireNoOrderDoubt(tx: WriteTx, { id }: OrderRow): Promise<void> {
  const payments = (await capturedMoney(tx, id)).map(({ payment }) => payment.id)
  if ((await listPaymentRefunds(tx, payments)).some(({ state }) => state === 'asking'))
    throw new Refusal('REFUND_IN_DOUBT')
}

interface Part {
  order: OrderRow
  reason: string
  now: Date
  admin: Caller
}

async function refundTicket(
  tx: WriteTx,
  { order, ticket, reason, now, admin }: Part & { ticket: TicketRow },
): Promise<number> {
  if (await refundsElsewhere(tx, ticket)) {
    tx.announceChanges('roster', 'evening')
    await moveByAdmin(tx, { admin, id: ticket.id, to: 'cancelled', now, seats: 0, includeUsed: true })
    return 0
  }
  const holdsMoney = (await capturedMoney(tx, order.id)).some(({ leftPaise }) => leftPaise > 0)
  if (ticket.status === 'deleted' || !holdsMoney) return 0
  const refundColumns = refundFacts(ticket.pricePaise)
  const set = { status: 'cancelled' as const, cancelledAt: now, cancellationReason: reason, ...refundColumns }
  const moved = await moveTicket(tx, ticket, { ...NO_ENTRY, ...set }, now)
  if (typeof moved === 'string') throw new Refusal('UNAVAILABLE')
  await releaseAdmission(tx, ticket)
  const part = { kind: 'event', paise: ticket.pricePaise, now, ticketId: ticket.id, reason, by: admin.name } as const
  return requestFromOrder(tx, order, part)
}
