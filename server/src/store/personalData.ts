import { paysByLink } from '@garba/shared/contracts/names'
import { foldText } from '@garba/shared/rules/search'
import { and, asc, eq, inArray, or, sql } from 'drizzle-orm'
import { type AuditRowStored, audit, auditSearchText, detailHolds } from './audit.ts'
import { blockCodes, codeBlocks } from './codeBlocks.ts'
import { conflicts } from './conflicts.ts'
import { listIds, type ReadTx, type WriteTx } from './engine/sql.ts'
import { type EventRow, events } from './events.ts'
import { jobs } from './jobs.ts'
import { forgetUserOffers, lostTickets } from './lostTickets.ts'
import { nextRevision } from './meta.ts'
import { movements } from './movements.ts'
import { forgetBuyers, type OrderRow, orders } from './orders.ts'
import type { PersonRecords } from './personRecords.ts'
import { dropBodies, eventsHolding } from './providerEvents.ts'
import { subscriptionsOf } from './pushSubscriptions.ts'
import { refusals, scans } from './scans.ts'
import { type StatementLineRow, statementLines } from './statementLines.ts'
import { forgetLinksTo, linksOfTickets } from './ticketLinks.ts'
import { ticketSearchText, tickets } from './tickets.ts'
import {
  eraseTraces,
  eventsNaming,
  forgetMoney,
  forgetReasons,
  idsAtProvider,
  makeEraser,
  mayHold,
  NAME,
  TEXT,
} from './traces.ts'

/**
 * Covers every place where a guest's name, email, phone number or texts are kept. A new table that holds people belongs
 * here.
 */

export async function tracesOfPerson(tx: ReadTx, records: PersonRecords) {
  const ticketIds = listIds(records.tickets)
  return {
    lost: await tx.sql
      .select()
      .from(lostTickets)
      .where(inArray(lostTickets.userId, records.userIds))
      .orderBy(asc(lostTickets.id))
      .all(),
    entries: await tx.sql.select().from(scans).where(inArray(scans.ticketId, ticketIds)).orderBy(asc(scans.at)).all(),
    exits: await tx.sql
      .select()
      .from(movements)
      .where(inArray(movements.ticketId, ticketIds))
      .orderBy(asc(movements.at))
      .all(),
    bankLines: await listBankLines(tx, records),
    providerEvents: await eventsHolding(tx, await listProviderEventIds(tx, records)),
    mails: await tx.sql
      .select()
      .from(jobs)
      .where(and(eq(jobs.kind, 'mail'), inArray(jobs.orderId, listIds(records.orders))))
      .orderBy(asc(jobs.createdAt))
      .all(),
    links: await linksOfTickets(tx, ticketIds),
    browsers: await subscriptionsOf(tx, records.userIds),
    audit: (await listPersonAudit(tx, records)).filter(isAbout).map(ownPart),
  }
}

async function listBankLines(
  tx: ReadTx,
  { orders: placed, payments }: Pick<PersonRecords, 'orders' | 'payments'>,
): Promise<StatementLineRow[]> {
  const named = [
    ...payments.flatMap(({ utr }) => (utr === null ? [] : eq(statementLines.utr, utr))),
    ...placed.flatMap(({ provider, code }) =>
      // LIKE is case-sensitive on PostgreSQL.
      provider === 'upi' ? sql`upper(${statementLines.description}) like ${`%${code}%`}` : [],
    ),
  ]
  const which = or(inArray(statementLines.orderId, listIds(placed)), ...named)
  return tx.sql.select().from(statementLines).where(which).orderBy(asc(statementLines.day)).all()
}

async function listProviderEventIds(
  tx: ReadTx,
  { orders: placed, payments, traces }: PersonRecords,
): Promise<string[]> {
  const codes = placed.flatMap(({ provider, code }) => (paysByLink(provider) ? code : []))
  const about = await eventsHolding(tx, [], [...payments.flatMap(idsAtProvider), ...codes])
  return [...new Set([...listIds(about), ...(await eventsNaming(tx, traces))])]
}

interface AuditFound {
  row: AuditRowStored
  acted: boolean
  isSubject: boolean
}
const isAbout = ({ acted, isSubject }: AuditFound): boolean => acted || isSubject

const ownPart = ({ row, isSubject }: AuditFound): AuditRowStored =>
  isSubject ? row : { ...row, subjectName: null, detail: detailHolds(row.action) === 'facts' ? row.detail : '' }

async function listPersonAudit(
  tx: ReadTx,
  records: PersonRecords,
  blocks: readonly string[] = [],
): Promise<AuditFound[]> {
  const { userIds, orders: placed, traces } = records
  const subjects = [...userIds, ...listIds(records.tickets), ...listIds(placed), ...blocks]
  const rows = await tx.sql
    .select()
    .from(audit)
    .where(or(inArray(audit.actorId, userIds), inArray(audit.subject, subjects), mayHold(audit.searchText, traces)))
    .orderBy(asc(audit.id))
    .all()
  return rows.map((row) => ({
    row,
    acted: userIds.includes(row.actorId ?? ''),
    isSubject: subjects.includes(row.subject ?? ''),
  }))
}

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
  const ticketIds = [...listIds(records.tickets), ...records.passedOn]
  const theirOrders = inArray(orders.id, listIds(records.orders))
  // These two read what later steps erase.
  const blocks = await eraseLabels(tx, records.orders)
  const auditRows = await listPersonAudit(tx, records, [...blocks, ...records.passedOn])
  await eraseBankLines(tx, records)
  await dropBodies(tx, await listProviderEventIds(tx, records))

  await eraseTickets(tx, records, now)
  await forgetMoney(tx, theirOrders)
  await forgetBuyers(tx, theirOrders)
  await forgetReasons(tx, listIds(records.refunds))
  await forgetUserOffers(tx, records.userIds)
  await tx.sql.update(conflicts).set({ holderName: NAME }).where(inArray(conflicts.ticketId, ticketIds)).run()
  await tx.sql.update(refusals).set({ holderName: NAME }).where(inArray(refusals.ticketId, ticketIds)).run()
  await eraseScans(tx, ticketIds)
  await forgetLinksTo(tx, listIds(records.tickets))
  await eraseAudit(tx, auditRows, makeEraser(records.traces))
  await eraseTraces(tx, records.traces)
  return records.tickets.filter(({ status }) => status !== 'deleted').length
}

async function eraseTickets(tx: WriteTx, { tickets: owned }: PersonRecords, now: Date): Promise<void> {
  const revision = await nextRevision(tx)
  const nameless = { buyerName: NAME, buyerEmail: '', holderName: null }
  for (const { id, cancellationReason, paperNumber } of owned)
    await tx.sql
      .update(tickets)
      .set({
        ...nameless,
        userId: null,
        cancellationReason: cancellationReason === null ? null : TEXT,
        searchText: ticketSearchText({ id, paperNumber, ...nameless }),
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
  const names = new Set(placed.map(({ buyerName }) => foldText(buyerName)))
  const sold = tx.sql
    .select({ id: blockCodes.blockId })
    .from(blockCodes)
    .where(inArray(blockCodes.orderId, listIds(placed)))
  const rows = await tx.sql.select().from(codeBlocks).where(inArray(codeBlocks.id, sold)).all()
  const theirs = listIds(rows.filter(({ kind, label }) => kind === 'paper' && names.has(foldText(label))))
  await tx.sql.update(codeBlocks).set({ label: NAME }).where(inArray(codeBlocks.id, theirs)).run()
  return theirs
}

/** The bank's description names the payer. Order codes in it stay, because late money is matched by them. */
async function eraseBankLines(tx: WriteTx, { orders: placed, payments }: PersonRecords): Promise<void> {
  for (const { id, description, asideNote } of await listBankLines(tx, { orders: placed, payments })) {
    const codes = placed.flatMap(({ code }) => (description.toUpperCase().includes(code) ? code : []))
    await tx.sql
      .update(statementLines)
      // The mark keeps the words out when the same statement is imported again.
      .set({ description: [...codes, TEXT].join(' '), asideNote: asideNote === null ? null : TEXT })
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

async function eraseAudit(
  tx: WriteTx,
  rows: readonly AuditFound[],
  erase: ReturnType<typeof makeEraser>,
): Promise<void> {
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
