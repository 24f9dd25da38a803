import { CONFLICT_OVER } from '@garba/shared/contracts/names'
import type { AdmissionSide } from '@garba/shared/contracts/phones/scan'
import { and, asc, desc, eq, getTableColumns, gt, isNotNull, isNull, notExists, or, type SQL, sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { type Find, prepareFind, prepareQuery } from './engine/preparedQueries.ts'
import { countIn, type ReadTx, type WriteTx } from './engine/sql.ts'
import { nextRevision } from './meta.ts'
import { type ScanRow, scans } from './scans.ts'
import { tickets } from './tickets.ts'

/** Each row is an admission on a ticket that should not have admitted the person; each side is kept as it was then. */
export const conflicts = sqliteTable(
  'conflicts',
  {
    /**
     * The scanId of the later admission, or of the scan that was judged if the later admission already has a conflict.
     */
    id: text().primaryKey(),
    ticketId: text().notNull(),
    holderName: text().notNull(),
    over: text({ enum: CONFLICT_OVER }).notNull(),
    /** A supervisor let the second person in as the holder, so the first admission is disputed. */
    disputed: integer({ mode: 'boolean' }).notNull().default(false),
    first: text({ mode: 'json' }).$type<AdmissionSide>().notNull(),
    second: text({ mode: 'json' }).$type<AdmissionSide>().notNull(),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    /** The roster revision of the conflict, with which both devices get it in their next delta. */
    revision: integer().notNull(),
    firstDeviceId: text(),
    secondDeviceId: text(),
    acknowledgedByName: text(),
    acknowledgedAt: integer({ mode: 'timestamp_ms' }),
    eventId: text(),
  },
  (t) => [
    index('conflicts_by_ticket').on(t.ticketId),
    index('conflicts_by_time').on(t.eventId, t.createdAt),
    index('conflicts_by_revision').on(t.revision),
  ],
)
export type ConflictRow = typeof conflicts.$inferSelect

export const findConflict: Find<ConflictRow> = prepareFind(conflicts, conflicts.id)

/** The device of each side has its own column, so that a device's conflicts can be found. */
type NewConflict = Omit<ConflictRow, 'firstDeviceId' | 'secondDeviceId' | 'acknowledgedByName' | 'acknowledgedAt'>

export const insertConflict = async (tx: WriteTx, conflict: NewConflict): Promise<void> => {
  const { first, second } = conflict
  const row = { ...conflict, firstDeviceId: first.deviceId, secondDeviceId: second.deviceId }
  await tx.sql.insert(conflicts).values(row).run()
}

export const listTicketConflicts = async (tx: ReadTx, ticketId: string): Promise<ConflictRow[]> =>
  tx.sql.select().from(conflicts).where(eq(conflicts.ticketId, ticketId)).orderBy(asc(conflicts.createdAt)).all()

export const listTicketSwaps = async (tx: ReadTx, ticketId: string): Promise<ConflictRow[]> =>
  (await listTicketConflicts(tx, ticketId)).filter(({ disputed }) => disputed)

/** The first admission on a ticket that was unknown then, acknowledged or not, unless it was undone. */
export async function firstMissing(tx: ReadTx, ticketId: string): Promise<ConflictRow | undefined> {
  const which = and(eq(conflicts.ticketId, ticketId), eq(conflicts.over, 'missing'), isNull(scans.undoneAt))
  return tx.sql
    .select(getTableColumns(conflicts))
    .from(conflicts)
    .innerJoin(scans, eq(scans.id, conflicts.id))
    .where(which)
    .orderBy(asc(conflicts.createdAt))
    .get()
}

const ofDevice = prepareQuery((db) => {
  const device = sql.placeholder('deviceId')
  return db
    .select()
    .from(conflicts)
    .where(
      and(
        gt(conflicts.revision, sql.placeholder('since')),
        or(eq(conflicts.firstDeviceId, device), eq(conflicts.secondDeviceId, device)),
      ),
    )
    .orderBy(asc(conflicts.revision))
    .prepare()
})

export const conflictsOfDevice = async (
  tx: ReadTx,
  { since, deviceId }: { since: number; deviceId: string },
): Promise<ConflictRow[]> => ofDevice(tx).all({ since, deviceId })

export async function listConflicts(
  tx: ReadTx,
  { eventId, limit }: { eventId: string; limit: number },
): Promise<ConflictRow[]> {
  const newest = (which: SQL, rows: number) =>
    tx.sql
      .select()
      .from(conflicts)
      .where(and(eq(conflicts.eventId, eventId), which))
      .orderBy(desc(conflicts.createdAt))
      .limit(rows)
      .all()
  const open = await newest(isNull(conflicts.acknowledgedAt), limit)
  return [...open, ...(await newest(isNotNull(conflicts.acknowledgedAt), limit - open.length))]
}

export const countOpenConflicts = (tx: ReadTx, eventId: string): Promise<number> =>
  countIn(tx, conflicts, and(eq(conflicts.eventId, eventId), isNull(conflicts.acknowledgedAt)))

export const countConflicts = (tx: ReadTx, eventId: string): Promise<number> =>
  countIn(tx, conflicts, eq(conflicts.eventId, eventId))

export async function markAcknowledged(
  tx: WriteTx,
  id: string,
  set: { acknowledgedByName: string; acknowledgedAt: Date },
): Promise<ConflictRow | undefined> {
  const which = and(eq(conflicts.id, id), isNull(conflicts.acknowledgedAt))
  return tx.sql.update(conflicts).set(set).where(which).returning().get()
}

/** Somebody who seemed to have come back did go in beside another. */
export async function reopenConflict(tx: WriteTx, id: string, ticketId: string): Promise<void> {
  const set = { ticketId, acknowledgedByName: null, acknowledgedAt: null, revision: await nextRevision(tx) }
  await tx.sql.update(conflicts).set(set).where(eq(conflicts.id, id)).run()
}

/**
 * The tickets used up by admissions outside the event's day, oldest first. Tickets with a double admission are left to
 * the list of conflicts.
 */
export const entriesOnOtherDays = (tx: ReadTx, eventId: string): Promise<ScanRow[]> =>
  tx.sql
    .select(getTableColumns(scans))
    .from(scans)
    .innerJoin(tickets, and(eq(tickets.id, scans.ticketId), eq(tickets.entryScanId, scans.id)))
    .where(
      and(
        eq(scans.eventId, eventId),
        sql`${scans.otherDay} = 1`,
        isNull(scans.undoneAt),
        eq(tickets.status, 'used'),
        notExists(tx.sql.select({ id: conflicts.id }).from(conflicts).where(eq(conflicts.ticketId, tickets.id))),
      ),
    )
    .orderBy(asc(scans.at))
    .all()
