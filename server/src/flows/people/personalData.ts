import { AUDIT } from '@garba/shared/messages/audit'
import { checkCancellation } from '@garba/shared/rules/cancellation'
import { toRupees } from '@garba/shared/rules/money'
import { forgetMails } from '../../mail/folder.ts'
import { orRefuse, Refusal } from '../../refusal.ts'
import type { ReadTx, WriteTx } from '../../store/engine/sql.ts'
import { type EventRow, everyEvent, isEventClosed } from '../../store/events.ts'
import { idOfNewCode, replaceTicketId } from '../../store/newCodes.ts'
import type { OrderRow } from '../../store/orders.ts'
import { erasePersonalData, eventsAwaiting, tracesOfPerson } from '../../store/personalData.ts'
import { accountOfBuyer, type Person, type PersonRecords, readPersonRecords } from '../../store/personRecords.ts'
import { getNameOnTicket, type TicketRow } from '../../store/tickets.ts'
import { findUser, removeUser, type UserRow } from '../../store/users.ts'
import { auditChange, auditRowView, type Subject } from '../audited.ts'
import { requireStillAdmin } from '../authenticate.ts'
import type { Caller, Deps } from '../deps.ts'
import { getEventEnd } from '../event/readEvent.ts'
import { withIsoTimes } from '../isoTimes.ts'
import { orderByCode } from '../money/orders/orderRows.ts'
import { cancelOwn } from '../tickets/changeTickets.ts'
import { ticketView } from '../tickets/readTickets.ts'
import { userView } from './users.ts'

export const exportPerson = ({ store }: Deps, id: string) =>
  store.read(async (tx) => exported(tx, { account: await accountBy(tx, id) }))

export const exportBuyer = ({ store }: Deps, code: string) =>
  store.read(async (tx) => exported(tx, { order: await orderWithoutAccount(tx, code) }))

/**
 * Erases a guest on their own request: the account is deleted with every name, email, phone number and text of theirs,
 * also in orders of the desk and the door; tickets stay as numbers. Staff, open orders and active tickets of a coming
 * event are refused.
 */
export async function erasePerson(deps: Deps, { admin, id }: { admin: Caller; id: string }): Promise<void> {
  if (id === admin.id) throw new Refusal('OWN_ACCOUNT')
  await erasing(deps, admin, async (tx) => {
    await requireStillAdmin(tx, admin, 'FORBIDDEN')
    const account = requireGuest(await accountBy(tx, id))
    const subject = { id, name: AUDIT.erased }
    return { person: { account }, action: 'user.erased', subject, removeAccount: () => removeUser(tx, id) }
  })
}

/**
 * Deletes the caller's own account as `erasePerson` does. Active tickets of a coming event must be given up: those that
 * may still be cancelled are, with their refund; the others keep their seat, with a code that nobody has. Refuses with
 * CANCELLATION_WAITS while the organiser can take a change back, and with UNAVAILABLE if a ticket came meanwhile.
 */
export async function deleteOwnAccount(deps: Deps, { user, giveUp }: { user: Caller; giveUp: boolean }): Promise<void> {
  const signed = new Map<string, string>()
  const before = await deps.store.read((tx) => readPersonRecords(tx, { account: user }))
  for (const { id, eventId, status } of before.tickets)
    if (giveUp && status === 'active') signed.set(id, await deps.signer.sign({ ticketId: idOfNewCode(id), eventId }))
  await erasing(deps, { id: null, name: AUDIT.erased }, async (tx) => {
    const account = requireGuest(orRefuse(await findUser(tx, user.id), 'UNAUTHENTICATED'))
    const coming = await comingTickets(deps, tx, await readPersonRecords(tx, { account }))
    if (coming.length > 0 && !giveUp) throw new Refusal('HAS_TICKETS', { body: { tickets: coming.map(shortTicket) } })
    for (const { row, event } of coming) await giveUpTicket(deps, tx, { user: account, row, event, signed })
    const subject = { id: account.id, name: AUDIT.erased }
    const removeAccount = () => removeUser(tx, account.id)
    return { person: { account }, action: 'user.erased', subject, removeAccount, gaveUp: true }
  })
}

const requireGuest = (account: UserRow): UserRow => {
  if (account.role !== 'guest' || account.wasChecker) throw new Refusal('ERASE_STAFF')
  return account
}

const shortTicket = ({ row }: ComingTicket) => ({ _id: row.id, name: getNameOnTicket(row), entryTime: null })

interface ComingTicket {
  row: TicketRow
  event: EventRow
}

async function comingTickets({ settings, now }: Deps, tx: ReadTx, { tickets }: PersonRecords): Promise<ComingTicket[]> {
  const events = await everyEvent(tx)
  return tickets
    .filter(({ status }) => status === 'active')
    .map((row) => ({ row, event: events(row) }))
    .filter(({ event }) => !isEventClosed(event) && getEventEnd(event, settings.timezone) > now())
}

async function giveUpTicket(
  deps: Deps,
  tx: WriteTx,
  { user, row, event, signed }: ComingTicket & { user: UserRow; signed: ReadonlyMap<string, string> },
): Promise<void> {
  const now = deps.now()
  const verdict = checkCancellation({ status: 'active', event, timeZone: deps.settings.timezone, now })
  const qrCode = signed.get(row.id)
  if (verdict.allowed || verdict.why === 'CANCELLATION_WAITS')
    await cancelOwn(deps, tx, { user, row, event, reason: AUDIT.accountDeleted })
  else if (qrCode === undefined || (await replaceTicketId(tx, row, { qrCode, now })) === 'stale')
    throw new Refusal('UNAVAILABLE')
}

/**
 * Erases the buyer of an order who has no account, in all orders with the same email or phone number. A repeated
 * request changes nothing.
 */
export const eraseBuyer = (deps: Deps, { admin, code }: { admin: Caller; code: string }): Promise<void> =>
  erasing(deps, admin, async (tx) => {
    await requireStillAdmin(tx, admin, 'FORBIDDEN')
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

interface PersonErasure {
  person: Person
  action: 'user.erased' | 'order.erased'
  subject: Subject
  removeAccount?: () => Promise<void>
  gaveUp?: true
}

async function erasing(
  deps: Deps,
  actor: Pick<Subject, 'id'> & { name: string },
  find: (tx: WriteTx) => Promise<PersonErasure | null>,
): Promise<void> {
  const now = deps.now()
  const emails = await deps.store.write(async (tx) => {
    tx.announceChanges('access', 'roster', 'evening')
    const found = await find(tx)
    if (!found) return []
    const { person, action, subject, removeAccount, gaveUp } = found
    const records = await readPersonRecords(tx, person)
    await requireErasable(deps, tx, { records: gaveUp ? { ...records, tickets: [] } : records, now })
    const kept = await erasePersonalData(tx, records, now)
    await removeAccount?.()
    await auditChange(tx, { at: now, action, actor, subject, detail: AUDIT.userErased(kept) })
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
  if (awaited.some((event) => getEventEnd(event, settings.timezone) > now)) throw new Refusal('ERASE_ACTIVE_TICKETS')
  if (records.orders.some(({ state }) => state === 'held')) throw new Refusal('ERASE_OPEN_ORDER')
}

async function exported(tx: ReadTx, person: Person) {
  const records = provenOnly(await readPersonRecords(tx, person))
  const events = await everyEvent(tx)
  return {
    user: records.account && userView(records.account),
    tickets: records.tickets
      .filter(({ status }) => status !== 'deleted')
      .map((ticket) => ticketView(ticket, events(ticket))),
    ...buildMoneyPart(records),
    ...buildTracesPart(await tracesOfPerson(tx, records)),
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

const buildMoneyPart = ({ orders, payments, refunds, passedOn }: PersonRecords) => ({
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

const buildTracesPart = (traces: Awaited<ReturnType<typeof tracesOfPerson>>) => ({
  lostTickets: traces.lost.map(({ ticketId: ticket, offeredAt, state, note }) =>
    withIsoTimes({ ticket, offeredAt, state, note }),
  ),
  /** Entries at the gate include refused and undone ones. */
  entries: traces.entries.map(({ ticketId: ticket, at, outcome, undoneAt, gate }) =>
    withIsoTimes({ ticket, at, outcome, undoneAt, gate }),
  ),
  exits: traces.exits.map(({ ticketId: ticket, at, undoneAt, gate }) => withIsoTimes({ ticket, at, undoneAt, gate })),
  browsers: traces.browsers.map(({ endpoint, language, createdAt }) =>
    withIsoTimes({ service: new URL(endpoint).host, language, createdAt }),
  ),
  links: traces.links.map(({ createdAt, purpose, endedAt, fromName: from }) =>
    withIsoTimes({ createdAt, purpose, endedAt, from }),
  ),
  bankLines: traces.bankLines.map(({ day, amountPaise, utr, numbers, description: text, asideNote: note }) => ({
    day,
    amount: toRupees(amountPaise),
    utr,
    numbers,
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
