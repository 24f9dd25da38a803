import { AUDIT } from '@garba/shared/messages/audit'
import { and, asc, eq, inArray, or, type SQL } from 'drizzle-orm'
import { type AuditRowStored, audit, auditSearchText } from './audit.ts'
import { conflicts } from './conflicts.ts'
import { type EventRow, events } from './events.ts'
import { forgetLostOf, lostOf } from './lostTickets.ts'
import { nextRevision } from './meta.ts'
import { forgetMoney, moneyRecordsOf } from './moneyPeople.ts'
import { forgetBuyers, orders } from './orders.ts'
import { refusals } from './refusals.ts'
import { scans } from './scans.ts'
import type { ReadTx, WriteTx } from './sql.ts'
import { type TicketRow, ticketSearchText, tickets } from './tickets.ts'

/** Everywhere a guest's name, email or words are kept. A table that learns of people belongs here. */

/** Those that were deleted too. */
const everyTicketOf = async (tx: ReadTx, userId: string): Promise<TicketRow[]> =>
  tx.sql.select().from(tickets).where(eq(tickets.userId, userId)).orderBy(asc(tickets.id)).all()

const auditAbout = (userId: string, ids: readonly string[]): SQL | undefined =>
  or(eq(audit.actorId, userId), inArray(audit.subject, [userId, ...ids]))

/** All rows that are about a person, oldest first; tickets that were deleted are left out. */
export async function recordsOf(tx: ReadTx, userId: string) {
  const own = await everyTicketOf(tx, userId)
  const ids = own.map(({ id }) => id)
  return {
    tickets: own.filter(({ status }) => status !== 'deleted'),
    orders: await tx.sql.select().from(orders).where(eq(orders.userId, userId)).orderBy(asc(orders.id)).all(),
    ...(await moneyRecordsOf(tx, userId)),
    lost: await lostOf(tx, userId),
    audit: await tx.sql.select().from(audit).where(auditAbout(userId, ids)).orderBy(asc(audit.id)).all(),
  }
}

/** In place of every name, and of what people wrote. */
export const { erased: NAME, erasedText: TEXT } = AUDIT

/** The events that a person has active tickets for. */
export const eventsAwaiting = async (tx: ReadTx, userId: string): Promise<EventRow[]> =>
  tx.sql
    .select()
    .from(events)
    .where(
      inArray(
        events.id,
        tx.sql
          .select({ id: tickets.eventId })
          .from(tickets)
          .where(and(eq(tickets.userId, userId), eq(tickets.status, 'active'))),
      ),
    )
    .all()

/**
 * Takes a person's names, email and words out of everything but the account, which can be removed afterwards: rows, prices
 * and times stay. Returns how many tickets that were.
 */
export async function erasePersonalData(tx: WriteTx, { userId, now }: { userId: string; now: Date }): Promise<number> {
  const own = await everyTicketOf(tx, userId)
  const ids = own.map(({ id }) => id)
  const revision = await nextRevision(tx)
  const nameless = { buyerName: NAME, buyerEmail: '', holderName: null }
  for (const { id, cancellationReason } of own)
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
  const placed = await tx.sql.select({ id: orders.id }).from(orders).where(eq(orders.userId, userId)).all()
  await forgetMoney(tx, eq(orders.userId, userId), TEXT)
  await forgetBuyers(tx, eq(orders.userId, userId), NAME)
  await forgetLostOf(tx, [userId])
  await tx.sql.update(conflicts).set({ holderName: NAME }).where(inArray(conflicts.ticketId, ids)).run()
  await tx.sql.update(refusals).set({ holderName: NAME }).where(inArray(refusals.ticketId, ids)).run()
  await eraseScans(tx, ids)
  await eraseAudit(tx, [...ids, ...placed.map(({ id }) => id)], userId)
  return own.filter(({ status }) => status !== 'deleted').length
}

/** A phone may ask for the answer to its scan again: only the name in it changes. */
async function eraseScans(tx: WriteTx, ids: readonly string[]): Promise<void> {
  const rows = await tx.sql
    .select({ id: scans.id, answer: scans.answer })
    .from(scans)
    .where(inArray(scans.ticketId, [...ids]))
    .all()
  for (const { id, answer } of rows)
    if ('ticket' in answer && typeof answer.ticket === 'object')
      await tx.sql
        .update(scans)
        .set({ answer: { ...answer, ticket: { ...answer.ticket, user: { name: NAME } } } })
        .where(eq(scans.id, id))
        .run()
}

/** Rows whose detail holds what a guest wrote, or somebody about a guest. */
export const WRITTEN_BY_GUESTS: readonly AuditRowStored['action'][] = [
  'user.renamed',
  'ticket.named',
  'ticket.cancelled',
  'order.refunded',
  'order.deskSale',
  'block.sold',
  'order.confirmed',
  'order.attention',
  'lost.confirmed',
  'lost.refused',
]

async function eraseAudit(tx: WriteTx, ids: readonly string[], userId: string): Promise<void> {
  const rows = await tx.sql.select().from(audit).where(auditAbout(userId, ids)).all()
  for (const { id, ...row } of rows) {
    const next = {
      actorName: row.actorId === userId ? NAME : row.actorName,
      subjectName: row.subject === userId || ids.includes(row.subject ?? '') ? NAME : row.subjectName,
      detail: WRITTEN_BY_GUESTS.includes(row.action) ? TEXT : row.detail,
    }
    await tx.sql
      .update(audit)
      .set({ ...next, searchText: auditSearchText({ ...row, ...next }) })
      .where(eq(audit.id, id))
      .run()
  }
}
