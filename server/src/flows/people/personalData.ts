import type { healthAnswerSchema } from '@garba/shared/contracts/desk'
import { AUDIT } from '@garba/shared/messages/audit'
import { POLICY_FACTS } from '@garba/shared/messages/policyFacts'
import { instantOf, lastDayOf, yearsAfter } from '@garba/shared/rules/calendar'
import { anonymousFrom, hasFreshBackup, retentionStep } from '@garba/shared/rules/evening'
import { toRupees } from '@garba/shared/rules/money'
import type * as z from 'zod'
import { forgetMails } from '../../mail/folder.ts'
import { Refusal } from '../../refusal.ts'
import { writeAudit } from '../../store/audit.ts'
import type { ReadTx, WriteTx } from '../../store/engine/sql.ts'
import { makeAnonymous } from '../../store/eventPeople.ts'
import { closedEvents, type EventRow, everyEvent, findEventById, isClosed, updateEvent } from '../../store/events.ts'
import { LAST_BACKUP, readMeta } from '../../store/meta.ts'
import type { OrderRow } from '../../store/orders.ts'
import { erasePersonalData, eventsAwaiting, tracesOfPerson } from '../../store/personalData.ts'
import { accountOfBuyer, type Person, type PersonRecords, recordsOf } from '../../store/personRecords.ts'
import { dropOldBodies } from '../../store/providerEvents.ts'
import { nameClaimedTickets } from '../../store/ticketLinks.ts'
import { findUser, removeUser, type UserRow } from '../../store/users.ts'
import { audited, auditRowView, type Subject } from '../audited.ts'
import { requireStillAdmin } from '../authenticate.ts'
import type { Caller, Deps } from '../deps.ts'
import { endOf } from '../event/readEvent.ts'
import { orderByCode } from '../money/orders/deskOrders.ts'
import { regularly } from '../regularly.ts'
import { ticketView } from '../tickets/readTickets.ts'
import { userView } from './users.ts'

/** Collects all stored data about a person, for their own request. Refuses with USER_NOT_FOUND. */
export const exportPerson = ({ store }: Deps, id: string) =>
  store.read(async (tx) => exported(tx, { account: await accountBy(tx, id) }))

/** Does the same for the buyer of an order who has no account. Refuses with ORDER_NOT_FOUND or BUYER_HAS_ACCOUNT. */
export const exportBuyer = ({ store }: Deps, code: string) =>
  store.read(async (tx) => exported(tx, { order: await orderOfNobody(tx, code) }))

/**
 * Erases a guest on their own request: the account is deleted with every name, email, phone number and word of theirs,
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
 * number. Refuses with ORDER_NOT_FOUND, BUYER_HAS_ACCOUNT, FORBIDDEN, ERASE_OPEN_ORDER or ERASE_ACTIVE_TICKETS.
 */
export const eraseBuyer = (deps: Deps, { admin, code }: { admin: Caller; code: string }): Promise<void> =>
  erasing(deps, admin, async (tx) => {
    const order = await orderOfNobody(tx, code)
    const subject = { id: order.id, name: AUDIT.order(order.code), eventId: order.eventId }
    return { person: { order }, action: 'order.erased', subject }
  })

async function accountBy(tx: ReadTx, id: string): Promise<UserRow> {
  const user = await findUser(tx, id)
  if (!user) throw new Refusal('USER_NOT_FOUND')
  return user
}

async function orderOfNobody(tx: ReadTx, code: string): Promise<OrderRow> {
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

async function erasing(deps: Deps, admin: Caller, find: (tx: WriteTx) => Promise<Erasing>): Promise<void> {
  const now = deps.now()
  const emails = await deps.store.write(async (tx) => {
    tx.announce('access', 'roster', 'evening')
    await requireStillAdmin(tx, admin, 'FORBIDDEN')
    const { person, action, subject, removeAccount } = await find(tx)
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
 * Leaves out what may be another person's: it is erased with the tickets, but not shown to somebody who only took them
 * over.
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
  payments: payments.map((payment) => ({
    id: payment.id,
    order: payment.orderId,
    state: payment.state,
    amount: toRupees(payment.amountPaise),
    providerPaymentId: payment.providerPaymentId,
    utr: payment.utr,
    note: payment.note,
    createdAt: payment.createdAt.toISOString(),
  })),
  refunds: refunds.map((refund) => ({
    id: refund.id,
    payment: refund.paymentId,
    ticket: refund.ticketId,
    state: refund.state,
    amount: toRupees(refund.amountPaise),
    // Whoever took the ticket over has cancelled it.
    reason: passedOn.includes(refund.ticketId ?? '') ? null : refund.reason,
    createdAt: refund.createdAt.toISOString(),
  })),
})

const restOf = (traces: Awaited<ReturnType<typeof tracesOfPerson>>) => ({
  lostTickets: traces.lost.map(({ ticketId, offeredAt, state, note }) => ({
    ticket: ticketId,
    offeredAt: offeredAt.toISOString(),
    state,
    note,
  })),
  /** Entries at the gate include refused ones and those taken back. */
  entries: traces.entries.map(({ ticketId, at, outcome, undoneAt, gate }) => ({
    ticket: ticketId,
    at: at.toISOString(),
    outcome,
    undoneAt: undoneAt?.toISOString() ?? null,
    gate,
  })),
  links: traces.links.map(({ createdAt, purpose, endedAt }) => ({
    createdAt: createdAt.toISOString(),
    purpose,
    endedAt: endedAt?.toISOString() ?? null,
  })),
  bankLines: traces.bankLines.map(({ day, amountPaise, utrs, description, asideNote }) => ({
    day,
    amount: toRupees(amountPaise),
    utrs,
    text: description,
    note: asideNote,
  })),
  providerEvents: traces.providerEvents.map(({ id, receivedAt, body }) => ({
    id,
    receivedAt: receivedAt.toISOString(),
    body,
  })),
  mails: traces.mails.map(({ payload, createdAt, endedAt, gaveUp }) => ({
    about: payload.what,
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    sent: endedAt !== null && !gaveUp,
  })),
  audit: traces.audit.map(auditRowView),
})

type RetentionDeps = Pick<Deps, 'store' | 'settings' | 'now' | 'log'>

const DAY_MS = 86_400_000

/** Looks after the people of closed events at start and then daily, until the server stops. */
export const keepRetention = (deps: RetentionDeps & Pick<Deps, 'stopping' | 'epoch'>): (() => Promise<void>) =>
  regularly(
    {
      work: () => retention(deps),
      everyMs: DAY_MS,
      atStart: true,
      failed: 'the people of closed events could not be looked after',
    },
    deps,
  )

/**
 * Makes the people of closed events anonymous three years after the evening, once the desk has warned for 30 days and a
 * backup of the last seven exists. Each event is one write, so that none is left half done.
 */
export async function retention(deps: RetentionDeps): Promise<void> {
  await deps.store.write((tx) => dropOldBodies(tx, deps.now()))
  await deps.store.write((tx) => nameClaimedTickets(tx, deps.now()))
  const closed = await deps.store.read(closedEvents)
  for (const { id, anonymousAt } of closed)
    if (anonymousAt === null) await deps.store.write((tx) => lookAfter(deps, tx, id))
}

async function lookAfter({ settings, now: clock, log }: RetentionDeps, tx: WriteTx, id: string): Promise<void> {
  const event = await findEventById(tx, id)
  // Another server may have been faster.
  if (!event || !isClosed(event) || event.anonymousAt !== null) return
  const now = clock()
  const known = { dueAt: dueAt(event, settings.timezone), warnedAt: event.peopleWarnedAt?.getTime() ?? null }
  const step = retentionStep({ ...known, lastBackup: await lastBackup(tx) }, now.getTime())
  if (step === 'warn') await updateEvent(tx, id, { peopleWarnedAt: now })
  if (step === 'needsBackup') log.warn({ eventId: id }, 'no backup of the last 7 days: people are not made anonymous')
  if (step !== 'makeAnonymous') return
  const counts = await makeAnonymous(tx, event, now)
  await updateEvent(tx, id, { anonymousAt: now })
  await writeAudit(tx, {
    at: now,
    action: 'event.anonymous',
    actorId: null,
    actorName: AUDIT.daily,
    subject: id,
    subjectName: event.name,
    detail: AUDIT.madeAnonymous(counts),
    eventId: id,
  })
  tx.announce('access', 'evening')
  tx.afterCommit(() => log.info({ eventId: id, ...counts }, 'the people of a closed event were made anonymous'))
}

const dueAt = (event: EventRow, timezone: string): number =>
  instantOf(yearsAfter(lastDayOf(event), POLICY_FACTS.eventDataYears), event.endTime, timezone).getTime()

/** The time the last backup was made and found whole. */
async function lastBackup(tx: ReadTx): Promise<number | null> {
  const at = await readMeta(tx, LAST_BACKUP)
  return at === null ? null : Date.parse(at)
}

type Notices = z.infer<typeof healthAnswerSchema>['data']['retention']

/** The warnings for the desk. */
export const retentionNotices = ({ store, settings, now }: Omit<RetentionDeps, 'log'>): Promise<Notices> =>
  store.read(async (tx) => {
    const backup = await lastBackup(tx)
    return (await closedEvents(tx)).flatMap((event) => {
      if (event.peopleWarnedAt === null || event.anonymousAt !== null) return []
      const warnedAt = event.peopleWarnedAt.getTime()
      const from = anonymousFrom({ dueAt: dueAt(event, settings.timezone), warnedAt })
      const waitsForBackup = from <= now().getTime() && !hasFreshBackup(backup, now().getTime())
      return { event: event.name, from: new Date(from).toISOString(), waitsForBackup }
    })
  })
