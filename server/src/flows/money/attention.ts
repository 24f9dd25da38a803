import type { Attention } from '@garba/shared/contracts/order'
import { ORDER } from '@garba/shared/messages/order'
import { toRupees } from '@garba/shared/rules/money'
import { upiSeatsAtMost } from '@garba/shared/rules/sale'
import { Refusal } from '../../refusal.ts'
import { type AttentionRow, openAttention, resolveAttention } from '../../store/attention.ts'
import { findEvent } from '../../store/events.ts'
import { findOrderById } from '../../store/orders.ts'
import type { ReadTx } from '../../store/sql.ts'
import { type UpiWaiting, upiWaiting } from '../../store/upiOrders.ts'
import { audited } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'

const viewOf = async (tx: ReadTx, row: AttentionRow): Promise<Attention> => ({
  id: row.id,
  kind: row.kind,
  order: row.orderId === null ? null : ((await findOrderById(tx, row.orderId))?.code ?? null),
  amount: toRupees(row.amountPaise),
  detail: row.detail,
  at: row.createdAt.toISOString(),
})

/** Money without a home, oldest first. */
export const listAttention = ({ store }: Deps): Promise<Attention[]> =>
  store.read(async (tx) => {
    const views: Attention[] = []
    for (const row of await openAttention(tx)) views.push(await viewOf(tx, row))
    return views
  })

/** How many UPI orders of the current event wait for the desk, and the seats that they hold; null without UPI. */
export const waitingByUpi = ({ store, settings }: Deps): Promise<(UpiWaiting & { most: number }) | null> =>
  store.read(async (tx) => {
    const event = settings.payments.guest.includes('upi') ? await findEvent(tx) : undefined
    return event ? { ...(await upiWaiting(tx, event.id)), most: upiSeatsAtMost(event.totalTickets) } : null
  })

/** Takes a matter off the list, with what was done about it. Refuses with NOT_FOUND. */
export const settleAttention = (
  deps: Deps,
  { admin, id, resolution }: { admin: Caller; id: string; resolution: string },
): Promise<Attention> =>
  deps.store.write(async (tx) => {
    const now = deps.now()
    const row = await resolveAttention(tx, id, { resolvedAt: now, resolvedByName: admin.name, resolution })
    if (!row) throw new Refusal('NOT_FOUND')
    const detail = `${ORDER.attention[row.kind]}, ${row.detail}; ${resolution}`
    const order = row.orderId === null ? undefined : await findOrderById(tx, row.orderId)
    const subject = { id: row.orderId, name: row.detail, eventId: order?.eventId ?? null }
    await audited(tx, { at: now, action: 'order.attention', actor: admin, subject, detail })
    return viewOf(tx, row)
  })
