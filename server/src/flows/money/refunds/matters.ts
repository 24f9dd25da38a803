import type { Days } from '@garba/shared/contracts/common'
import type { Attention } from '@garba/shared/contracts/order'
import { ORDER } from '@garba/shared/messages/order'
import { toInstantRange } from '@garba/shared/rules/event/calendar'
import { unpaidSeatsAtMost } from '@garba/shared/rules/orders/sale'
import { orRefuse, Refusal } from '../../../refusal.ts'
import {
  type AttentionRow,
  everyAttention,
  findAttention,
  openAttention,
  resolveAttention,
} from '../../../store/attention.ts'
import type { ReadTx, WriteTx } from '../../../store/engine/sql.ts'
import { findEvent, isEventClosed } from '../../../store/events.ts'
import { type UnpaidOrders, unpaidOrders } from '../../../store/lists.ts'
import { findOrderById, type OrderRow, orderOrigins } from '../../../store/orders.ts'
import { changeRefund, findRefund } from '../../../store/refunds.ts'
import { findTicket } from '../../../store/tickets.ts'
import { auditChange } from '../../audited.ts'
import type { Caller, Deps } from '../../deps.ts'
import { moveByAdmin, seatsLeft } from '../../tickets/changeTickets.ts'
import { attentionView } from '../orders/deskOrders.ts'
import { eventOfOrder } from '../orders/orderRows.ts'
import { tellOfRefund } from './applyRefund.ts'
import { addElsewhereMatter, gaveUpMoney, isLoose, ticketsWithoutMoney } from './refundsElsewhere.ts'
import { refundOfMatter, requireSeen } from './requestRefund.ts'

async function attentionViews(tx: ReadTx, rows: readonly AttentionRow[]): Promise<Attention[]> {
  const origins = await orderOrigins(
    tx,
    rows.flatMap(({ orderId }) => orderId ?? []),
  )
  return rows.map((row) => attentionView(row, origins.get(row.orderId ?? '')?.code ?? null))
}

export const listAttention = ({ store }: Deps): Promise<Attention[]> =>
  store.read(async (tx) => attentionViews(tx, await openAttention(tx)))

export type ExportedMatter = Attention & Pick<AttentionRow, 'resolvedAt' | 'resolvedByName' | 'resolution'>

export const everyMatter = ({ store, settings }: Deps, days: Days): Promise<ExportedMatter[]> =>
  store.read(async (tx) => {
    const rows = await everyAttention(tx, toInstantRange(days, settings.timezone))
    const views = await attentionViews(tx, rows)
    return rows.flatMap(({ resolvedAt, resolvedByName, resolution }, at) => {
      const view = views[at]
      return view ? { ...view, resolvedAt, resolvedByName, resolution } : []
    })
  })

/** Null where tickets need no payment. */
export const waitingUnpaid = ({ store, settings }: Deps): Promise<(UnpaidOrders & { most: number }) | null> =>
  store.read(async (tx) => {
    const event = settings.payments.on ? await findEvent(tx) : undefined
    if (!event) return null
    const waiting = await unpaidOrders(tx, event.id)
    return { ...waiting, most: unpaidSeatsAtMost({ ...event, unpaid: waiting.seats }) }
  })

interface MatterResolution {
  admin: Caller
  id: string
  resolution: string
}

/**
 * Resolves a matter and notes what was done about it: money without a ticket counts as paid back by hand, and tickets
 * whose money went back at the provider are cancelled. The same words by the same person again change nothing.
 */
export const resolveMatter = (deps: Deps, { admin, id, resolution }: MatterResolution): Promise<Attention> =>
  deps.store.write(async (tx) => {
    const now = deps.now()
    const found = orRefuse(await findAttention(tx, id), 'NOT_FOUND')
    const order = found.orderId === null ? undefined : await findOrderById(tx, found.orderId)
    if (found.resolvedAt !== null) {
      if (found.resolvedByName === admin.name && found.resolution === resolution)
        return attentionView(found, order?.code ?? null)
      throw new Refusal('NOT_FOUND', { message: ORDER.settledBefore(found.resolvedByName, found.resolution) })
    }
    if (order && found.kind === 'refundedElsewhere') await cancelWithoutMoney(deps, tx, order, admin)
    const row = await resolveAttention(tx, id, { resolvedAt: now, resolvedByName: admin.name, resolution })
    if (order) await paidByHand(deps, tx, { row, order, admin, resolution })
    const detail = `${ORDER.attention[row.kind]}, ${row.detail}; ${resolution}`
    const subject = { id: row.orderId, name: row.detail || (order?.code ?? ''), eventId: order?.eventId ?? null }
    await auditChange(tx, { at: now, action: 'order.attention', actor: admin, subject, detail })
    return attentionView(row, order?.code ?? null)
  })

interface ByHand extends Omit<MatterResolution, 'id'> {
  row: AttentionRow
  order: OrderRow
}

/** A ticket's refund is marked on the ticket; a refund without a ticket shows nowhere else. */
async function paidByHand(deps: Deps, tx: WriteTx, { row, order, admin, resolution }: ByHand): Promise<void> {
  const id = refundOfMatter(row)
  const refund = id === null ? undefined : await findRefund(tx, id)
  // If the refund of a deleted ticket bounces, there is no ticket to mark.
  if (!refund || (refund.ticketId !== null && (await findTicket(tx, refund.ticketId)))) return
  await requireSeen(tx, order.id)
  if (refund.state === 'asking') throw new Refusal('REFUND_IN_DOUBT')
  if (refund.state === 'sent') throw new Refusal('REFUND_ON_ITS_WAY')
  if (refund.state !== 'requested' && refund.state !== 'failed') return
  const changes = { updatedAt: deps.now(), requestedByName: admin.name, reason: resolution }
  const paid = await changeRefund(tx, refund, { ...changes, state: 'manual' })
  if (!paid) return
  await tellOfRefund(deps, tx, order, paid)
  // The refund was made at the provider without a ticket, and bounced.
  if (isLoose(paid) && (await gaveUpMoney(tx, order)))
    await addElsewhereMatter(tx, { orderId: order.id, refund: paid, now: deps.now() })
}

async function cancelWithoutMoney(deps: Deps, tx: WriteTx, order: OrderRow, admin: Caller): Promise<void> {
  // The tickets of a closed event do not change.
  if (isEventClosed(await eventOfOrder(tx, order))) return
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
  tx.announceChanges('roster', 'evening')
}
