import { AUDIT } from '@garba/shared/messages/audit'
import { toRupees } from '@garba/shared/rules/money'
import { Refusal } from '../refusal.ts'
import { everyEvent } from '../store/events.ts'
import { heldOrderOf } from '../store/orders.ts'
import { erasePersonalData, eventsAwaiting, recordsOf } from '../store/personalData.ts'
import { findUser, removeUser } from '../store/users.ts'
import { audited } from './audited.ts'
import { auditRowView } from './auditTrail.ts'
import { requireStillAdmin } from './authenticate.ts'
import type { Caller, Deps } from './deps.ts'
import { endOf } from './views/event.ts'
import { ticketView } from './views/ticket.ts'
import { userView } from './views/user.ts'

/** All that is stored about a person, for their own request. Refuses with USER_NOT_FOUND. */
export const exportPerson = ({ store }: Deps, id: string) =>
  store.read(async (tx) => {
    const user = await findUser(tx, id)
    if (!user) throw new Refusal('USER_NOT_FOUND')
    const events = await everyEvent(tx)
    const records = await recordsOf(tx, id)
    return {
      user: userView(user),
      tickets: records.tickets.map((ticket) => ticketView(ticket, events(ticket))),
      orders: records.orders.map((order) => ({
        id: order.id,
        quantity: order.quantity,
        total: toRupees(order.totalPaise),
        createdAt: order.createdAt.toISOString(),
        ...(order.provider !== 'none' && {
          code: order.code,
          state: order.state,
          provider: order.provider,
          phone: order.buyerPhone,
        }),
      })),
      ...(records.payments.length > 0 && {
        payments: records.payments.map((payment) => ({
          id: payment.id,
          order: payment.orderId,
          state: payment.state,
          amount: toRupees(payment.amountPaise),
          providerPaymentId: payment.providerPaymentId,
          utr: payment.utr,
          createdAt: payment.createdAt.toISOString(),
        })),
        refunds: records.refunds.map((refund) => ({
          id: refund.id,
          payment: refund.paymentId,
          ticket: refund.ticketId,
          state: refund.state,
          amount: toRupees(refund.amountPaise),
          reason: refund.reason,
          createdAt: refund.createdAt.toISOString(),
        })),
      }),
      ...(records.lost.length > 0 && {
        lostTickets: records.lost.map((lost) => ({
          ticket: lost.ticketId,
          offeredAt: lost.offeredAt.toISOString(),
          state: lost.state,
          note: lost.note,
        })),
      }),
      audit: records.audit.map(auditRowView),
    }
  })

/**
 * Erases a guest on their own request: the account goes, and with it every name, email and word of theirs; tickets stay as
 * numbers. Refuses with OWN_ACCOUNT, USER_NOT_FOUND, FORBIDDEN, ERASE_STAFF, ERASE_OPEN_ORDER, or ERASE_ACTIVE_TICKETS before their
 * event ends.
 */
export async function erasePerson(deps: Deps, { admin, id }: { admin: Caller; id: string }): Promise<void> {
  if (id === admin.id) throw new Refusal('OWN_ACCOUNT')
  await deps.store.write(async (tx) => {
    tx.announce('access', 'roster', 'evening')
    await requireStillAdmin(tx, admin, 'FORBIDDEN')
    const user = await findUser(tx, id)
    if (!user) throw new Refusal('USER_NOT_FOUND')
    if (user.role !== 'guest' || user.wasChecker) throw new Refusal('ERASE_STAFF')
    const now = deps.now()
    const awaited = await eventsAwaiting(tx, id)
    if (awaited.some((event) => endOf(event, deps.settings.timezone) > now)) throw new Refusal('ERASE_ACTIVE_TICKETS')
    if (await heldOrderOf(tx, id)) throw new Refusal('ERASE_OPEN_ORDER')
    const kept = await erasePersonalData(tx, { userId: id, now })
    await removeUser(tx, id)
    await audited(tx, {
      at: now,
      action: 'user.erased',
      actor: admin,
      subject: { id, name: AUDIT.erased },
      detail: AUDIT.userErased(kept),
    })
  })
}
