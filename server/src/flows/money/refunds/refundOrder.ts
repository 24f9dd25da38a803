import type { DeskOrder } from '@garba/shared/contracts/order'
import { ORDER } from '@garba/shared/messages/order'
import { formatRupees, toRupees } from '@garba/shared/rules/money'
import { Refusal } from '../../../refusal.ts'
import type { WriteTx } from '../../../store/engine/sql.ts'
import { claimRequest, knownRequestOf } from '../../../store/knownRequests.ts'
import type { OrderRow } from '../../../store/orders.ts'
import { refundsOf } from '../../../store/refunds.ts'
import { moveTicket, NO_ENTRY, type TicketRow, ticketsOfOrder } from '../../../store/tickets.ts'
import { aboutBuyer, audited } from '../../audited.ts'
import type { Caller, Deps } from '../../deps.ts'
import { moveByAdmin, releaseAdmission, requireNoneUsed } from '../../tickets/changeTickets.ts'
import { deskOrderOf, orderByCode } from '../orders/deskOrders.ts'
import { tell } from '../upkeep/tell.ts'
import { capturedMoney, isRefundedElsewhere } from './refundedElsewhere.ts'
import { requestFromOrder, requireNoDoubt, returnAll } from './requestRefund.ts'

interface Refunding {
  admin: Caller
  code: string
  /** Undefined means the whole order. */
  ticketIds?: readonly string[] | undefined
  reason: string
  /** Also cancels tickets whose holders went in. */
  includeUsed?: boolean | undefined
  idempotencyKey: string
}

/**
 * Gives money back for the organiser's own reasons, in full: the tickets are cancelled, and money that came through a
 * provider goes back by itself. Tickets cancelled before stay as they are. For the whole order, money that bought no
 * tickets goes back too. An admin's repeated key changes nothing more. Refuses with ORDER_NOT_FOUND, NOTHING_TO_REFUND,
 * REFUND_IN_DOUBT, TICKET_USED, IDEMPOTENCY_KEY_REUSED, or TICKET_NOT_FOUND for a ticket of another order.
 */
export function refundOrder(deps: Deps, refunding: Refunding): Promise<DeskOrder> {
  const { admin, code, ticketIds, reason, idempotencyKey: key } = refunding
  const request = knownRequestOf({
    call: 'refundOrder',
    userId: admin.id,
    key,
    asked: [code, ticketIds?.toSorted() ?? 'all', reason],
  })
  return deps.store.write(async (tx) => {
    const order = await orderByCode(tx, code)
    const { isNew, asked } = await claimRequest(tx, request, deps.now())
    if (asked !== request.asked) throw new Refusal('IDEMPOTENCY_KEY_REUSED', { message: ORDER.refundKeyReused })
    if (isNew) await refund(deps, tx, { order, ...refunding })
    return deskOrderOf(deps, tx, order)
  })
}

async function refund(
  deps: Deps,
  tx: WriteTx,
  { order, admin, code, ticketIds, reason, includeUsed = false }: Refunding & { order: OrderRow },
): Promise<void> {
  const tickets = await ticketsOfOrder(tx, order.id)
  const wanted = ticketIds ? new Set(ticketIds) : null
  if (wanted && !tickets.some(({ id }) => wanted.has(id))) throw new Refusal('TICKET_NOT_FOUND')
  if ((await capturedMoney(tx, order.id)).length === 0) throw new Refusal('NOTHING_TO_REFUND')
  if (!includeUsed) requireNoneUsed(tickets.filter(({ id }) => !wanted || wanted.has(id)))
  if (ticketIds) await requireNoDoubt(tx, ticketIds)
  const now = deps.now()
  let paise = 0
  for (const ticket of tickets)
    if (ticket.status !== 'cancelled' && (!wanted || wanted.has(ticket.id)))
      paise += await refundTicket(tx, { order, ticket, reason, now, admin })
  if (!wanted && order.state !== 'paid')
    paise += await returnAll(tx, order, { kind: 'event', now, reason, by: admin.name })
  if (paise === 0) await requireNoDoubtOf(tx, order)
  else {
    tx.announce('roster', 'evening')
    const detail = `${ORDER.refunding(code, formatRupees(toRupees(paise)))}; ${reason}`
    await audited(tx, { at: now, action: 'order.refunded', actor: admin, subject: aboutBuyer(order), detail })
    await tell(deps, tx, order, { what: 'event', about: `${order.id}:${now.getTime()}`, paise })
  }
}

/** A refund still in doubt must not let an order with nothing left to refund pass as settled. */
async function requireNoDoubtOf(tx: WriteTx, { id }: OrderRow): Promise<void> {
  const payments = (await capturedMoney(tx, id)).map(({ payment }) => payment.id)
  if ((await refundsOf(tx, payments)).some(({ state }) => state === 'asking')) throw new Refusal('REFUND_IN_DOUBT')
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
  if (await isRefundedElsewhere(tx, order.id)) {
    tx.announce('roster', 'evening')
    await moveByAdmin(tx, { admin, id: ticket.id, to: 'cancelled', now, seats: 0, includeUsed: true })
    return 0
  }
  if (ticket.status === 'deleted' || !(await holdsMoney(tx, order))) return 0
  const set = { status: 'cancelled' as const, cancelledAt: now, cancellationReason: reason, isRefundDone: null }
  const { id, eventId, status: from } = ticket
  const moved = await moveTicket(tx, { id, eventId, from, set: { ...NO_ENTRY, ...set }, now })
  if (typeof moved === 'string') throw new Refusal('UNAVAILABLE')
  await releaseAdmission(tx, ticket)
  const asked = { kind: 'event', paise: ticket.pricePaise, now, ticketId: id, reason, by: admin.name } as const
  return requestFromOrder(tx, order, asked)
}

const holdsMoney = async (tx: WriteTx, { id }: OrderRow): Promise<boolean> =>
  (await capturedMoney(tx, id)).some(({ leftPaise }) => leftPaise > 0)
