import type { AdmissionSide } from '@garba/shared/contracts/phones/scan'
import { AUDIT } from '@garba/shared/messages/audit'
import { getLastDay } from '@garba/shared/rules/event/calendar'
import { foldText } from '@garba/shared/rules/search'
import { and, eq, inArray, isNull, lte, ne, notInArray, type SQL, sql } from 'drizzle-orm'
import { forgetNoted, forgetStrayMatters } from './attention.ts'
import { type AuditRowStored, audit, auditSearchText, detailHolds } from './audit.ts'
import { forgetCashiers } from './cashSessions.ts'
import { forgetBlockMakers } from './codeBlocks.ts'
import { conflicts } from './conflicts.ts'
import { devices, pairedDevices } from './devices.ts'
import { prepareUpdate } from './engine/preparedQueries.ts'
import { inPieces, type ReadTx, unlessNull, type WriteTx } from './engine/sql.ts'
import type { ClosedEventRow } from './events.ts'
import { forgetLostAt, lostTickets } from './lostTickets.ts'
import { movements } from './movements.ts'
import { forgetBuyers, heldOrders, orders } from './orders.ts'
import { forgetCodeMakers } from './promoCodes.ts'
import { refusals, scans } from './scans.ts'
import { forgetStrangers } from './statementLines.ts'
import { forgetLinksAt } from './ticketLinks.ts'
import { tickets } from './tickets.ts'
import { forgetMoney, forgetSellers, NAME, TEXT } from './traces.ts'
import { users } from './users.ts'

/**
 * Erases everyone in the records of one event, guests and crew, as personalData erases one person. A new table that
 * holds people belongs in both files.
 */

/**
 * Erases every name, email and link to an account from the records of a closed event. Accounts of guests who neither
 * have a ticket for another event nor are paying for one are deleted. Rows, amounts, statuses and times stay.
 */
export async function makeAnonymous(
  tx: WriteTx,
  event: ClosedEventRow,
  now: Date,
): Promise<{ tickets: number; accounts: number }> {
  const people = await listBuyerIds(tx, eq(audit.eventId, event.id), eq(tickets.eventId, event.id))
  const elsewhere = new Set([
    ...(await listBuyerIds(tx, ne(audit.eventId, event.id), ne(tickets.eventId, event.id))),
    // Their tickets come with the payment. A closed event has no held orders.
    ...(await heldOrders(tx)).flatMap(({ userId }) => userId ?? []),
  ])
  const kept = await ticketsAndOrders(tx, event.id)
  await forgetStrangers(tx, getLastDay(event))
  await forgetBlockMakers(tx, event.id)
  await forgetCodeMakers(tx, event.id)
  await forgetLostAt(tx, event.id)
  await forgetLinksAt(tx, event.id)
  await gate(tx, event)
  await strayMatters(tx, event)
  await pairedPhones(tx, event, now)
  await cashiers(tx, event)
  await eventAudit(tx, event.id)
  const { removed, withoutAccount } = await removeGuests(
    tx,
    people.filter((id) => !elsewhere.has(id)),
  )
  await peopleAudit(tx, withoutAccount)
  return { tickets: kept, accounts: removed }
}

async function listBuyerIds(tx: ReadTx, rows: SQL, owned: SQL): Promise<string[]> {
  const owners = await tx.sql.selectDistinct({ id: tickets.userId }).from(tickets).where(owned).all()
  const sold = and(eq(audit.action, 'ticket.sold'), rows)
  const buyers = await tx.sql.selectDistinct({ id: audit.actorId }).from(audit).where(sold).all()
  return [...new Set([...owners, ...buyers].flatMap(({ id }) => id ?? []))]
}

async function ticketsAndOrders(tx: WriteTx, eventId: string): Promise<number> {
  const these = eq(orders.eventId, eventId)
  await forgetMoney(tx, these)
  await forgetSellers(tx, these)
  await forgetBuyers(tx, these)
  const rows = await tx.sql
    .update(tickets)
    .set({
      userId: null,
      buyerName: NAME,
      buyerEmail: '',
      holderName: null,
      cancellationReason: unlessNull(tickets.cancellationReason, TEXT),
      scannedByName: unlessNull(tickets.scannedByName, NAME),
      scannedAtDevice: null,
      searchText: sql`${' '} || lower(${tickets.id}) || ${'# '} || ${foldText(NAME)}`,
    })
    .where(eq(tickets.eventId, eventId))
    .returning({ status: tickets.status })
    .all()
  return rows.filter(({ status }) => status !== 'deleted').length
}

const NO_CHECKER = { checkerId: '', checkerName: NAME, senderId: '', senderName: NAME, deviceName: null }

const nameless = (side: AdmissionSide): AdmissionSide => ({ ...side, checkerName: NAME, deviceName: null })

// These queries are prepared once: an event has thousands of scans and audit rows, and no other write runs between.
const changeScan = prepareUpdate(scans, eq(scans.id, sql.placeholder('ofId')))
const changeAudit = prepareUpdate(audit, eq(audit.id, sql.placeholder('ofId')))

/** Covers the scans that phones sent and the answers they got. A phone's name may be a person's name too. */
async function gate(tx: WriteTx, { id, closedAt }: ClosedEventRow): Promise<void> {
  const answers = await tx.sql
    .select({ id: scans.id, answer: scans.answer })
    .from(scans)
    .where(eq(scans.eventId, id))
    .all()
  for (const { id: scanId, answer } of answers)
    await changeScan(tx, { ...NO_CHECKER, answer: namelessAnswer(answer) }, { ofId: scanId })
  await tx.sql.update(movements).set(NO_CHECKER).where(eq(movements.eventId, id)).run()
  await tx.sql
    .update(refusals)
    .set({ holderName: unlessNull(refusals.holderName, NAME), checkerName: NAME, deviceName: null })
    .where(eq(refusals.eventId, id))
    .run()
  for (const { id: conflictId, first, second } of await tx.sql
    .select()
    .from(conflicts)
    .where(eq(conflicts.eventId, id))
    .all())
    await tx.sql
      .update(conflicts)
      .set({
        holderName: NAME,
        first: nameless(first),
        second: nameless(second),
        acknowledgedByName: unlessNull(conflicts.acknowledgedByName, NAME),
      })
      .where(eq(conflicts.id, conflictId))
      .run()
  await tx.sql
    .update(devices)
    .set({ name: null, checkerId: null, checkerName: NAME })
    .where(lte(devices.lastSeen, closedAt))
    .run()
}

/** Covers matters that belong to no event: money without an order, and rows of phones that had ended. */
async function strayMatters(tx: WriteTx, { closedAt }: ClosedEventRow): Promise<void> {
  const names = new Set(await forgetStrayMatters(tx, closedAt))
  const isMatterRow = and(eq(audit.action, 'order.attention'), isNull(audit.eventId))
  for (const row of await tx.sql.select().from(audit).where(isMatterRow).all())
    if (names.has(row.subjectName ?? '')) await rewrite(tx, row, { ...NOBODY, subject: row.subject, detail: TEXT })
}

/**
 * Covers phones added before the event was closed that have lapsed by now: most could scan for some hours after it.
 * Audit rows about them belong to no event.
 */
async function pairedPhones(tx: WriteTx, { closedAt }: ClosedEventRow, now: Date): Promise<void> {
  const phones = await tx.sql
    .update(pairedDevices)
    .set({
      name: NAME,
      label: null,
      shiftName: null,
      shiftNames: [],
      createdById: null,
      createdByName: NAME,
      revokedByName: unlessNull(pairedDevices.revokedByName, NAME),
    })
    .where(and(lte(pairedDevices.createdAt, closedAt), lte(pairedDevices.until, now)))
    .returning({ id: pairedDevices.id })
    .all()
  const ids = new Set(phones.map(({ id }) => id))
  for (const id of ids) await forgetNoted(tx, id)
  for (const row of await tx.sql.select().from(audit).where(inArray(audit.action, ABOUT_DEVICES)).all())
    if (ids.has(row.subject ?? '')) await rewrite(tx, row, { ...NOBODY, subject: row.subject, detail: TEXT })
}

/** Covers people who took cash at the desk and the door. Drawers belong to a person, not to an event. */
async function cashiers(tx: WriteTx, { closedAt }: ClosedEventRow): Promise<void> {
  await forgetCashiers(tx, closedAt)
  const counted = and(inArray(audit.action, ['cash.opened', 'cash.closed']), lte(audit.at, closedAt))
  for (const row of await tx.sql.select().from(audit).where(counted).all())
    await rewrite(tx, row, { ...NOBODY, subject: null, detail: row.action === 'cash.closed' ? TEXT : row.detail })
}

const NOBODY = { actorId: null, actorName: NAME, subjectName: NAME } as const

type Answer = (typeof scans.$inferSelect)['answer']
const findAnswerPart = (answer: Answer, key: string): Answer | null => {
  const part = answer[key]
  return typeof part === 'object' && part !== null ? (part as Answer) : null
}

function namelessAnswer(answer: Answer): Answer {
  const [ticket, conflict] = [findAnswerPart(answer, 'ticket'), findAnswerPart(answer, 'conflict')]
  const side = (key: 'first' | 'second') => ({ [key]: nameless(conflict?.[key] as AdmissionSide) })
  return {
    ...answer,
    ...(ticket && {
      ticket: {
        ...ticket,
        user: { name: NAME },
        scannedBy: ticket.scannedBy ? { name: NAME } : null,
        scannedAtDevice: null,
      },
    }),
    ...(conflict && { conflict: { ...conflict, ...side('first'), ...side('second') } }),
  }
}

const ABOUT_PEOPLE: readonly AuditRowStored['action'][] = [
  'ticket.sold',
  'ticket.adopted',
  'order.deskSale',
  'code.made',
  'code.changed',
  'block.made',
  'block.sold',
  'block.returned',
  'order.confirmed',
  'order.cancelled',
  'order.refunded',
  'order.mailed',
  'order.corrected',
  'order.attention',
  'lost.refused',
]

const ABOUT_DEVICES: AuditRowStored['action'][] = [
  'device.created',
  'device.paired',
  'device.changed',
  'device.shift',
  'device.gate',
  'device.revoked',
]

async function eventAudit(tx: WriteTx, eventId: string): Promise<void> {
  for (const row of await tx.sql.select().from(audit).where(eq(audit.eventId, eventId)).all()) {
    const about = ABOUT_PEOPLE.includes(row.action)
      ? { subject: null, subjectName: NAME }
      : (/^(ticket|link)\./.test(row.action) || row.action === 'lost.confirmed') && row.subject !== null
        ? { subject: row.subject, subjectName: AUDIT.ticket(row.subject, null) }
        : { subject: row.subject, subjectName: row.subjectName }
    const detail = detailHolds(row.action) !== 'facts' ? TEXT : row.detail
    await rewrite(tx, row, { actorId: null, actorName: NAME, ...about, detail })
  }
}

async function peopleAudit(tx: WriteTx, withoutAccount: ReadonlySet<string>): Promise<void> {
  for (const row of await tx.sql.select().from(audit).where(isNull(audit.eventId)).all()) {
    const [acted, changed] = [withoutAccount.has(row.actorId ?? ''), withoutAccount.has(row.subject ?? '')]
    if (acted || changed)
      await rewrite(tx, row, {
        actorId: row.actorId,
        actorName: acted ? NAME : row.actorName,
        subject: row.subject,
        subjectName: changed ? NAME : row.subjectName,
        detail: detailHolds(row.action) !== 'facts' ? TEXT : row.detail,
      })
  }
}

type AuditWords = Pick<AuditRowStored, 'actorId' | 'actorName' | 'subject' | 'subjectName' | 'detail'>

const rewrite = async (tx: WriteTx, { id }: AuditRowStored, words: AuditWords): Promise<void> => {
  await changeAudit(tx, { ...words, searchText: auditSearchText(words) }, { ofId: id })
}

/**
 * Removes accounts that were only ever guests. Returns their number, and the ids that have no account now, including
 * those that had none before.
 */
async function removeGuests(
  tx: WriteTx,
  ids: readonly string[],
): Promise<{ removed: number; withoutAccount: Set<string> }> {
  const withoutAccount = new Set(ids)
  let removed = 0
  for (const some of inPieces(ids)) {
    await forgetBuyers(tx, inArray(orders.userId, some))
    const these = inArray(users.id, some)
    // A guest who waits for a lost ticket of another event still needs the account.
    const waits = tx.sql.select({ id: lostTickets.userId }).from(lostTickets)
    const guests = and(these, notInArray(users.id, waits), eq(users.role, 'guest'), eq(users.wasChecker, false))
    removed += (await tx.sql.delete(users).where(guests).returning({ id: users.id }).all()).length
    for (const { id } of await tx.sql.select({ id: users.id }).from(users).where(these).all()) withoutAccount.delete(id)
  }
  return { removed, withoutAccount }
}
