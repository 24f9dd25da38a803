import { paysByLink } from '@garba/shared/contracts/names'
import { AUDIT } from '@garba/shared/messages/audit'
import { last8 } from '@garba/shared/messages/common'
import { fold } from '@garba/shared/rules/search'
import { and, asc, eq, inArray, isNull, like, or, sql } from 'drizzle-orm'
import { type AuditRowStored, audit, auditSearchText, detailHolds } from './audit.ts'
import { blockCodes, codeBlocks } from './codeBlocks.ts'
import { conflicts } from './conflicts.ts'
import { idsOf, type ReadTx, type WriteTx } from './engine/sql.ts'
import { type EventRow, events } from './events.ts'
import { jobs } from './jobs.ts'
import { forgetLostOf, lostTickets } from './lostTickets.ts'
import { nextRevision } from './meta.ts'
import { forgetBuyers, type OrderRow, orders } from './orders.ts'
import type { PersonRecords } from './personRecords.ts'
import { dropBodies, eventsHolding } from './providerEvents.ts'
import { refusals, scans } from './scans.ts'
import { type StatementLineRow, statementLines } from './statementLines.ts'
import { forgetLinksTo, linksOfTickets } from './ticketLinks.ts'
import { ticketSearchText, tickets } from './tickets.ts'
import {
  eraser,
  eraseTraces,
  eventsNaming,
  forgetMoney,
  forgetReasons,
  idsAtProvider,
  mayHold,
  NAME,
  TEXT,
} from './traces.ts'

/**
 * Covers every place where a guest's name, email, phone number or texts are kept. A new table that holds people belongs
 * here.
 */

/** Collects the person's data other than the account, tickets, orders and money. */
export async function tracesOfPerson(tx: ReadTx, records: PersonRecords) {
  const ticketIds = idsOf(records.tickets)
  return {
    lost: await tx.sql
      .select()
      .from(lostTickets)
      .where(inArray(lostTickets.userId, records.userIds))
      .orderBy(asc(lostTickets.id))
      .all(),
    entries: await tx.sql.select().from(scans).where(inArray(scans.ticketId, ticketIds)).orderBy(asc(scans.at)).all(),
    bankLines: await bankLinesOf(tx, records),
    providerEvents: await eventsHolding(tx, await eventIdsOf(tx, records)),
    mails: await tx.sql
      .select()
      .from(jobs)
      .where(and(eq(jobs.kind, 'mail'), inArray(jobs.orderId, idsOf(records.orders))))
      .orderBy(asc(jobs.createdAt))
      .all(),
    links: await linksOfTickets(tx, ticketIds),
    audit: (await auditOf(tx, records)).filter(isAbout).map(ownPart),
  }
}

/** Credits on the bank's statement that paid an order, or that name its code or its UTR. */
async function bankLinesOf(
  tx: ReadTx,
  { orders: placed, payments }: Pick<PersonRecords, 'orders' | 'payments'>,
): Promise<StatementLineRow[]> {
  const named = [
    ...payments.flatMap(({ utr }) => (utr === null ? [] : like(statementLines.utrs, `%${utr}%`))),
    ...placed.flatMap(({ provider, code }) =>
      // LIKE is case-sensitive on PostgreSQL.
      provider === 'upi' ? sql`upper(${statementLines.description}) like ${`%${code}%`}` : [],
    ),
  ]
  const which = or(inArray(statementLines.orderId, idsOf(placed)), ...named)
  return tx.sql.select().from(statementLines).where(which).orderBy(asc(statementLines.day)).all()
}

/**
 * Finds the events that providers sent about these orders, by ids at the provider, and other events that name the
 * person.
 */
async function eventIdsOf(tx: ReadTx, { orders: placed, payments, traces }: PersonRecords): Promise<string[]> {
  const codes = placed.flatMap(({ provider, code }) => (paysByLink(provider) ? code : []))
  const about = await eventsHolding(tx, [], [...payments.flatMap(idsAtProvider), ...codes])
  return [...new Set([...idsOf(about), ...(await eventsNaming(tx, traces))])]
}

interface AuditFound {
  row: AuditRowStored
  /** The person was the actor. */
  acted: boolean
  /** The person, or something of theirs, was the subject. */
  isSubject: boolean
}
const isAbout = ({ acted, isSubject }: AuditFound): boolean => acted || isSubject

/** What somebody did for others, without their names and words. */
const ownPart = ({ row, isSubject }: AuditFound): AuditRowStored =>
  isSubject ? row : { ...row, subjectName: null, detail: detailHolds(row.action) === 'facts' ? row.detail : '' }

/** Rows about the person's actions, about actions on their data, and others that may mention them. */
async function auditOf(tx: ReadTx, records: PersonRecords, blocks: readonly string[] = []): Promise<AuditFound[]> {
  const { userIds, orders: placed, traces } = records
  const subjects = [...userIds, ...idsOf(records.tickets), ...idsOf(placed), ...blocks]
  const rows = await tx.sql
    .select()
    .from(audit)
    .where(
      or(
        inArray(audit.actorId, userIds),
        inArray(audit.subject, subjects),
        and(isNull(audit.subject), inArray(audit.subjectName, placed.map(nameInAudit))),
        mayHold(audit.searchText, traces),
      ),
    )
    .orderBy(asc(audit.id))
    .all()
  return rows.map((row) => ({
    row,
    acted: userIds.includes(row.actorId ?? ''),
    isSubject: row.subject === null ? isOfOrders(row, records) : subjects.includes(row.subject),
  }))
}

const nameInAudit = ({ buyerName, buyerEmail }: OrderRow): string =>
  buyerEmail === '' ? buyerName : AUDIT.user({ name: buyerName, email: buyerEmail })

/** Rows of earlier versions name no order, but have its code or its tickets in their detail. */
const isOfOrders = (row: AuditRowStored, { orders: placed, tickets: owned }: PersonRecords): boolean =>
  placed.some(
    (order) =>
      row.subjectName === nameInAudit(order) &&
      row.eventId === order.eventId &&
      [order.code, ...owned.flatMap(({ id, orderId }) => (orderId === order.id ? last8(id) : []))].some((known) =>
        row.detail.includes(known),
      ),
  )

/** The events that a person has active tickets for. */
export const eventsAwaiting = async (tx: ReadTx, { tickets: owned }: PersonRecords): Promise<EventRow[]> => {
  const active = owned.flatMap(({ status, eventId }) => (status === 'active' ? eventId : []))
  return tx.sql.select().from(events).where(inArray(events.id, active)).all()
}

/**
 * Erases a person's names, emails, phone numbers and texts from everything but the account, which can be removed
 * afterwards. Rows, prices and times stay. Returns the number of tickets changed.
 */
export async function erasePersonalData(tx: WriteTx, records: PersonRecords, now: Date): Promise<number> {
  // Records of the gate about tickets that others claimed later name the buyer.
  const ticketIds = [...idsOf(records.tickets), ...records.passedOn]
  const theirOrders = inArray(orders.id, idsOf(records.orders))
  // These two read what later steps erase.
  const blocks = await eraseLabels(tx, records.orders)
  const auditRows = await auditOf(tx, records, [...blocks, ...records.passedOn])
  await eraseBankLines(tx, records)
  await dropBodies(tx, await eventIdsOf(tx, records))

  await eraseTickets(tx, records, now)
  await forgetMoney(tx, theirOrders)
  await forgetBuyers(tx, theirOrders)
  await forgetReasons(tx, idsOf(records.refunds))
  await forgetLostOf(tx, records.userIds)
  await tx.sql.update(conflicts).set({ holderName: NAME }).where(inArray(conflicts.ticketId, ticketIds)).run()
  await tx.sql.update(refusals).set({ holderName: NAME }).where(inArray(refusals.ticketId, ticketIds)).run()
  await eraseScans(tx, ticketIds)
  await forgetLinksTo(tx, idsOf(records.tickets))
  await eraseAudit(tx, auditRows, eraser(records.traces))
  await eraseTraces(tx, records.traces)
  return records.tickets.filter(({ status }) => status !== 'deleted').length
}

async function eraseTickets(tx: WriteTx, { tickets: owned }: PersonRecords, now: Date): Promise<void> {
  const revision = await nextRevision(tx)
  const nameless = { buyerName: NAME, buyerEmail: '', holderName: null }
  for (const { id, cancellationReason } of owned)
    await tx.sql
      .update(tickets)
      .set({
        ...nameless,
        userId: null,
        cancellationReason: cancellationReason === null ? null : TEXT,
        searchText: ticketSearchText({ id, ...nameless }),
        updatedAt: now,
        revision,
      })
      .where(eq(tickets.id, id))
      .run()
}

/**
 * The label of a block of paper tickets names the person who got it. Returns the ids of blocks named after the tickets'
 * buyer.
 */
async function eraseLabels(tx: WriteTx, placed: readonly OrderRow[]): Promise<string[]> {
  const names = new Set(placed.map(({ buyerName }) => fold(buyerName)))
  const sold = tx.sql
    .select({ id: blockCodes.blockId })
    .from(blockCodes)
    .where(inArray(blockCodes.orderId, idsOf(placed)))
  const rows = await tx.sql.select().from(codeBlocks).where(inArray(codeBlocks.id, sold)).all()
  const theirs = idsOf(rows.filter(({ kind, label }) => kind === 'paper' && names.has(fold(label))))
  await tx.sql.update(codeBlocks).set({ label: NAME }).where(inArray(codeBlocks.id, theirs)).run()
  return theirs
}

/** The bank's description names the payer. Order codes in it stay, because late money is matched by them. */
async function eraseBankLines(tx: WriteTx, { orders: placed, payments }: PersonRecords): Promise<void> {
  for (const { id, description, asideNote } of await bankLinesOf(tx, { orders: placed, payments })) {
    const codes = placed.flatMap(({ code }) => (description.toUpperCase().includes(code) ? code : []))
    await tx.sql
      .update(statementLines)
      .set({ description: codes.join(' '), asideNote: asideNote === null ? null : TEXT })
      .where(eq(statementLines.id, id))
      .run()
  }
}

/** A phone may ask for its scan's answer again, so only the name in the answer changes. */
async function eraseScans(tx: WriteTx, ids: readonly string[]): Promise<void> {
  const rows = await tx.sql
    .select({ id: scans.id, answer: scans.answer })
    .from(scans)
    .where(inArray(scans.ticketId, ids))
    .all()
  for (const { id, answer } of rows)
    if ('ticket' in answer && typeof answer.ticket === 'object')
      await tx.sql
        .update(scans)
        .set({ answer: { ...answer, ticket: { ...answer.ticket, user: { name: NAME } } } })
        .where(eq(scans.id, id))
        .run()
}

async function eraseAudit(tx: WriteTx, rows: readonly AuditFound[], erase: ReturnType<typeof eraser>): Promise<void> {
  for (const found of rows) {
    const { row, acted, isSubject } = found
    const { id, action, subject, subjectName, detail } = row
    // The name may also be another person's; only the labels of ticket blocks are free text.
    const mentioned = subjectName !== null && action.startsWith('block.') ? erase(subjectName) : subjectName
    const next = {
      actorName: acted ? NAME : row.actorName,
      subjectName: isSubject ? NAME : mentioned,
      detail: detailHolds(action) !== 'words' ? detail : isAbout(found) ? TEXT : erase(detail),
    }
    await tx.sql
      .update(audit)
      .set({ ...next, searchText: auditSearchText({ subject, ...next }) })
      .where(eq(audit.id, id))
      .run()
  }
}
