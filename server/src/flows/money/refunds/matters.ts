import type { Days } from '@garba/shared/contracts/common'
import type { Attention } from '@garba/shared/contracts/order'
import { ORDER } from '@garba/shared/messages/order'
import { spanOf } from '@garba/shared/rules/calendar'
import { upiSeatsAtMost } from '@garba/shared/rules/orders/sale'
import { orRefuse, Refusal } from '../../../refusal.ts'
import {
  type AttentionRow,
  everyAttention,
  findAttention,
  openAttention,
  resolveAttention,
} from '../../../store/attention.ts'
import type { ReadTx, WriteTx } from '../../../store/engine/sql.ts'
import { findEvent, isClosed } from '../../../store/events.ts'
import { type UpiWaiting, upiWaiting } from '../../../store/lists.ts'
import { findOrderById, type OrderRow } from '../../../store/orders.ts'
import { changeRefund, findRefund } from '../../../store/refunds.ts'
import { findTicket } from '../../../store/tickets.ts'
import { audited } from '../../audited.ts'
import type { Caller, Deps } from '../../deps.ts'
import { moveByAdmin, seatsLeft } from '../../tickets/changeTickets.ts'
import { attentionView } from '../orders/deskOrders.ts'
import { eventOfOrder } from '../orders/orderRows.ts'
import { tellOfRefund } from './applyRefund.ts'
import { gaveUpMoney, isLoose, noteRefundElsewhere, ticketsWithoutMoney } from './refundsElsewhere.ts'
import { refundOfMatter } from './requestRefund.ts'

const viewOf = async (tx: ReadTx, row: AttentionRow): Promise<Attention> => {
  const order = row.orderId === null ? undefined : await findOrderById(tx, row.orderId)
  return attentionView(row, order?.code ?? null)
}

/** Open matters, oldest first. */
export const listAttention = ({ store }: Deps): Promise<Attention[]> =>
  store.read(async (tx) => Array.fromAsync(await openAttention(tx), (row) => viewOf(tx, row)))

/** A matter with what was done about it; `resolvedAt` is null while it is open. */
export type ExportedMatter = Attention & Pick<AttentionRow, 'resolvedAt' | 'resolvedByName' | 'resolution'>

/** Every matter of these days, oldest first, for an export. */
export const everyMatter = ({ store, settings }: Deps, days: Days): Promise<ExportedMatter[]> =>
  store.read(async (tx) =>
    Array.fromAsync(await everyAttention(tx, spanOf(days, settings.timezone)), async (row) => {
      const { resolvedAt, resolvedByName, resolution } = row
      return { ...(await viewOf(tx, row)), resolvedAt, resolvedByName, resolution }
    }),
  )

/** The UPI orders of the current event that wait for the desk, and the seats they hold; null without UPI. */
export const waitingByUpi = ({ store, settings }: Deps): Promise<(UpiWaiting & { most: number }) | null> =>
  store.read(async (tx) => {
    const event = settings.payments.guest.includes('upi') ? await findEvent(tx) : undefined
    return event ? { ...(await upiWaiting(tx, event.id)), most: upiSeatsAtMost(event.totalTickets) } : null
  })

interface Settling {
  admin: Caller
  id: string
  resolution: string
}

/**
 * Resolves a matter and notes what was done about it: money without a ticket counts as paid back by hand, and tickets
 * whose money went back at the provider are cancelled. The same words by the same person again change nothing. Refuses
 * with NOT_FOUND unless the matter is open, TICKETS_WITHOUT_MONEY when only a person can say which ticket it is,
 * REFUND_IN_DOUBT, or REFUND_ON_ITS_WAY.
 */
export const settleAttention = (deps: Deps, { admin, id, resolution }: Settling): Promise<Attention> =>
  deps.store.write(async (tx) => {
    const now = deps.now()
    const found = orRefuse(await findAttention(tx, id), 'NOT_FOUND')
    if (found.resolvedAt !== null) {
      if (found.resolvedByName === admin.name && found.resolution === resolution) return viewOf(tx, found)
      throw new Refusal('NOT_FOUND', { message: ORDER.settledBefore(found.resolvedByName, found.resolution) })
    }
    const order = found.orderId === null ? undefined : await findOrderById(tx, found.orderId)
    if (order && found.kind === 'refundedElsewhere') await cancelWithoutMoney(deps, tx, order, admin)
    const row = await resolveAttention(tx, id, { resolvedAt: now, resolvedByName: admin.name, resolution })
    if (order) await paidByHand(deps, tx, { row, order, admin, resolution })
    const detail = `${ORDER.attention[row.kind]}, ${row.detail}; ${resolution}`
    const subject = { id: row.orderId, name: row.detail || (order?.code ?? ''), eventId: order?.eventId ?? null }
    await audited(tx, { at: now, action: 'order.attention', actor: admin, subject, detail })
    return viewOf(tx, row)
  })

interface ByHand extends Omit<Settling, 'id'> {
  row: AttentionRow
  order: OrderRow
}

/** A ticket's refund is marked on the ticket; a refund without a ticket shows nowhere else. */
async function paidByHand(deps: Deps, tx: WriteTx, { row, order, admin, resolution }: ByHand): Promise<void> {
  const id = refundOfMatter(row)
  const refund = id === null ? undefined : await findRefund(tx, id)
  // If the refund of a deleted ticket bounces, there is no ticket to mark.
  if (!refund || (refund.ticketId !== null && (await findTicket(tx, refund.ticketId)))) return
  if (refund.state === 'asking') throw new Refusal('REFUND_IN_DOUBT')
  if (refund.state === 'sent') throw new Refusal('REFUND_ON_ITS_WAY')
  if (refund.state !== 'requested' && refund.state !== 'failed') return
  const changes = { updatedAt: deps.now(), requestedByName: admin.name, reason: resolution }
  const paid = await changeRefund(tx, refund, { ...changes, state: 'manual' })
  if (!paid) return
  await tellOfRefund(deps, tx, order, paid)
  // The refund was made at the provider without a ticket, and bounced.
  if (isLoose(paid) && (await gaveUpMoney(tx, order)))
    await noteRefundElsewhere(tx, { orderId: order.id, refund: paid, now: deps.now() })
}

async function cancelWithoutMoney(deps: Deps, tx: WriteTx, order: OrderRow, admin: Caller): Promise<void> {
  // The tickets of a closed event do not change.
  if (isClosed(await eventOfOrder(tx, order))) return
  const { lost, valid } = await ticketsWithoutMoney(tx, order.id)
  if (lost === 0) return
  if (lost < valid.length || valid.some(({ status }) => status === 'used')) throw new Refusal('TICKETS_WITHOUT_MONEY')
  for (const { id } of valid)
    await moveByAdmin(tx, {
      admin,
      id,
      to: 'cancelled',
      now: deps.now(),
      seats: await seatsLeft(tx),
      includeUsed: false,
    })
  tx.announce('roster', 'evening')
}
