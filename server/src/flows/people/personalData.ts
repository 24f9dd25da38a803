import { AUDIT } from '@garba/shared/messages/audit'
import { toRupees } from '@garba/shared/rules/money'
import { forgetMails } from '../../mail/folder.ts'
import { orRefuse, Refusal } from '../../refusal.ts'
import type { ReadTx, WriteTx } from '../../store/engine/sql.ts'
import { everyEvent } from '../../store/events.ts'
import type { OrderRow } from '../../store/orders.ts'
import { erasePersonalData, eventsAwaiting, tracesOfPerson } from '../../store/personalData.ts'
import { accountOfBuyer, type Person, type PersonRecords, recordsOf } from '../../store/personRecords.ts'
import { findUser, removeUser, type UserRow } from '../../store/users.ts'
import { audited, auditRowView, type Subject } from '../audited.ts'
import { requireStillAdmin } from '../authenticate.ts'
import type { Caller, Deps } from '../deps.ts'
import { endOf } from '../event/readEvent.ts'
import { withIsoTimes } from '../isoTimes.ts'
import { orderByCode } from '../money/orders/orderRows.ts'
import { ticketView } from '../tickets/readTickets.ts'
import { userView } from './users.ts'

/** Collects all stored data about a person, for their own request. Refuses with USER_NOT_FOUND. */
export const exportPerson = ({ store }: Deps, id: string) =>
  store.read(async (tx) => exported(tx, { account: await accountBy(tx, id) }))

/** Does the same for the buyer of an order who has no account. Refuses with ORDER_NOT_FOUND or BUYER_HAS_ACCOUNT. */
export const exportBuyer = ({ store }: Deps, code: string) =>
  store.read(async (tx) => exported(tx, { order: await orderWithoutAccount(tx, code) }))

/**
 * Erases a guest on their own request: the account is deleted with every name, email, phone number and text of theirs,
 * also in orders of the desk and the door; tickets stay as numbers. Refuses with OWN_ACCOUNT, USER_NOT_FOUND,
 * FORBIDDEN, ERASE_STAFF, ERASE_OPEN_ORDER, or ERASE_ACTIVE_TICKETS before their event ends.
 */
export async function erasePerson(deps: Deps, { admin, id }: { admin: Caller; id: string }): Promise<void> {
  if (id === admin.id) throw new Refusal('OWN_ACCOUNT')
  await erasing(deps, admin, async (tx) => {
    const account = await accountBy(tx, id)
    if (account.role !== 'guest' || account.wasChecker) throw new Refusal('ERASE_STAFF')
    const subject = { id, name: AUDIT.erased }
    return { person: { account }, action: 'user.erased', subject, removeAccount: () => removeUser(tx, id) }
  })
}

/**
 * Does the same for the buyer of an order who has no account, and for all other orders with the same email or phone
 * number. A repeated request changes nothing. Refuses with ORDER_NOT_FOUND, BUYER_HAS_ACCOUNT, FORBIDDEN,
 * ERASE_OPEN_ORDER or ERASE_ACTIVE_TICKETS.
 */
export const eraseBuyer = (deps: Deps, { admin, code }: { admin: Caller; code: string }): Promise<void> =>
  erasing(deps, admin, async (tx) => {
    const order = await orderWithoutAccount(tx, code)
    const subject = { id: order.id, name: AUDIT.order(order.code), eventId: order.eventId }
    return order.buyerName === AUDIT.erased ? null : { person: { order }, action: 'order.erased', subject }
  })

const accountBy = async (tx: ReadTx, id: string): Promise<UserRow> => orRefuse(await findUser(tx, id), 'USER_NOT_FOUND')

async function orderWithoutAccount(tx: ReadTx, code: string): Promise<OrderRow> {
  const order = await orderByCode(tx, code)
  if ((await accountOfBuyer(tx, order)) !== null) throw new Refusal('BUYER_HAS_ACCOUNT')
  return order
}

interface Erasing {
  person: Person
  action: 'user.erased' | 'order.erased'
  subject: Subject
  removeAccount?: () => Promise<void>
}

async function erasing(deps: Deps, admin: Caller, find: (tx: WriteTx) => Promise<Erasing | null>): Promise<void> {
  const now = deps.now()
  const emails = await deps.store.write(async (tx) => {
    tx.announce('access', 'roster', 'evening')
    await requireStillAdmin(tx, admin, 'FORBIDDEN')
    const found = await find(tx)
    if (!found) return []
    const { person, action, subject, removeAccount } = found
    const records = await recordsOf(tx, person)
    await requireErasable(deps, tx, { records, now })
    const kept = await erasePersonalData(tx, records, now)
    await removeAccount?.()
    await audited(tx, { at: now, action, actor: admin, subject, detail: AUDIT.userErased(kept) })
    return records.traces.emails
  })
  if (deps.settings.demo) await forgetMails(deps.settings.mailDir, emails)
  await deps.store.scrub()
}

async function requireErasable(
  { settings }: Deps,
  tx: ReadTx,
  { records, now }: { records: PersonRecords; now: Date },
): Promise<void> {
  const awaited = await eventsAwaiting(tx, records)
  if (awaited.some((event) => endOf(event, settings.timezone) > now)) throw new Refusal('ERASE_ACTIVE_TICKETS')
  if (records.orders.some(({ state }) => state === 'held')) throw new Refusal('ERASE_OPEN_ORDER')
}

async function exported(tx: ReadTx, person: Person) {
  const records = provenOnly(await recordsOf(tx, person))
  const events = await everyEvent(tx)
  return {
    user: records.account && userView(records.account),
    tickets: records.tickets
      .filter(({ status }) => status !== 'deleted')
      .map((ticket) => ticketView(ticket, events(ticket))),
    ...moneyOf(records),
    ...restOf(await tracesOfPerson(tx, records)),
  }
}

/**
 * Leaves out the orders of tickets that the person only took over: they are erased too, but may hold another person's
 * data.
 */
function provenOnly(records: PersonRecords): PersonRecords {
  const orders = records.orders.filter(({ id }) => !records.takenOver.includes(id))
  const payments = records.payments.filter(({ orderId }) => !records.takenOver.includes(orderId))
  return { ...records, orders, payments }
}

const moneyOf = ({ orders, payments, refunds, passedOn }: PersonRecords) => ({
  orders: orders.map((order) => ({
    id: order.id,
    code: order.code,
    state: order.state,
    channel: order.channel,
    provider: order.provider,
    quantity: order.quantity,
    total: toRupees(order.totalPaise),
    name: order.buyerName,
    email: order.buyerEmail,
    phone: order.buyerPhone,
    reason: order.reason,
    createdAt: order.createdAt.toISOString(),
  })),
  payments: payments.map(({ id, orderId: order, state, amountPaise, providerPaymentId, utr, note, createdAt }) =>
    withIsoTimes({ id, order, state, amount: toRupees(amountPaise), providerPaymentId, utr, note, createdAt }),
  ),
  refunds: refunds.map((refund) => ({
    id: refund.id,
    payment: refund.paymentId,
    ticket: refund.ticketId,
    state: refund.state,
    amount: toRupees(refund.amountPaise),
    // The person who took over the ticket cancelled it, so the reason is theirs.
    reason: passedOn.includes(refund.ticketId ?? '') ? null : refund.reason,
    createdAt: refund.createdAt.toISOString(),
  })),
})

const restOf = (traces: Awaited<ReturnType<typeof tracesOfPerson>>) => ({
  lostTickets: traces.lost.map(({ ticketId: ticket, offeredAt, state, note }) =>
    withIsoTimes({ ticket, offeredAt, state, note }),
  ),
  /** Entries at the gate include refused and undone ones. */
  entries: traces.entries.map(({ ticketId: ticket, at, outcome, undoneAt, gate }) =>
    withIsoTimes({ ticket, at, outcome, undoneAt, gate }),
  ),
  links: traces.links.map(({ createdAt, purpose, endedAt }) => withIsoTimes({ createdAt, purpose, endedAt })),
  bankLines: traces.bankLines.map(({ day, amountPaise, utrs, description: text, asideNote: note }) => ({
    day,
    amount: toRupees(amountPaise),
    utrs,
    text,
    note,
  })),
  providerEvents: traces.providerEvents.map(({ id, receivedAt, body }) => withIsoTimes({ id, receivedAt, body })),
  mails: traces.mails.map(({ payload, createdAt, endedAt, gaveUp }) => {
    const sent = endedAt !== null && !gaveUp
    return withIsoTimes({ about: payload.what, createdAt, endedAt, sent })
  }),
  audit: traces.audit.map(auditRowView),
})
