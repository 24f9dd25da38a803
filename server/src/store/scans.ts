import type { Code } from '@garba/shared/contracts/codes'
import { SCAN_FLAGS, type ScanFlag } from '@garba/shared/contracts/names'
import { and, count, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { type Find, finder, inserter } from './engine/preparedQueries.ts'
import { byIndex, type ReadTx, type WriteTx } from './engine/sql.ts'
import type { TicketRow } from './tickets.ts'
import type { UserRow } from './users.ts'

/**
 * `released`: admitted, but an admin changed the ticket afterwards, so it is no longer an entry. `marked`: an admin set
 * the ticket to used at the desk, without a scan.
 */
const SCAN_OUTCOMES = ['admitted', 'conflict', 'refused', 'released', 'marked'] as const

/**
 * Every attempt to admit someone, under the scanId that the device gave it. There are no foreign keys: an admission
 * stays a fact when its ticket, checker or device is gone. Each row neither refused nor undone is one person who went
 * in.
 */
export const scans = sqliteTable(
  'scans',
  {
    id: text().primaryKey(),
    ticketId: text(),
    outcome: text({ enum: SCAN_OUTCOMES }).notNull(),
    admittedOffline: integer({ mode: 'boolean' }).notNull(),
    manual: integer({ mode: 'boolean' }).notNull(),
    deviceId: text(),
    deviceName: text(),
    /** The gate where the device was. */
    gate: text(),
    checkerId: text().notNull(),
    checkerName: text().notNull(),
    /** The person who sent the scan. It is not its maker if the device changed hands while it was offline. */
    senderId: text().notNull(),
    senderName: text().notNull(),
    /** The time by the device's clock. */
    deviceTime: integer({ mode: 'timestamp_ms' }),
    /** The time it counts as made (rules/phones/scanTime): never before the ticket's sale nor after `receivedAt`. */
    at: integer({ mode: 'timestamp_ms' }).notNull(),
    /** The corrected time as claimed, if it was not accepted. */
    claimedAt: integer({ mode: 'timestamp_ms' }),
    backDated: integer({ mode: 'boolean' }).notNull().default(false),
    receivedAt: integer({ mode: 'timestamp_ms' }).notNull(),
    undoneAt: integer({ mode: 'timestamp_ms' }),
    /** The first answer, which the same scanId always gets again. */
    answerStatus: integer().notNull(),
    answer: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** The ticket's event, or the current one if the code proves no ticket; null without any. */
    eventId: text(),
    /** The reason why the desk should look at it; null for most. */
    flag: text({ enum: SCAN_FLAGS }),
  },
  (t) => [
    /** The evening view watches these few scans. */
    index('scans_by_hand').on(t.receivedAt).where(sql`${t.manual} = 1`),
    index('scans_back_dated').on(t.receivedAt).where(sql`${t.backDated} = 1`),
    index('scans_flagged').on(t.eventId, t.receivedAt).where(sql`${t.flag} is not null`),
    /** Each device's count uses the admissions that were not undone. */
    index('scans_standing').on(t.eventId, t.deviceId).where(sql`${t.outcome} = 'admitted' and ${t.undoneAt} is null`),
    /** The headcount uses the people who went in. */
    index('scans_people')
      .on(t.eventId, t.gate, t.at, t.outcome, t.undoneAt)
      .where(sql`${t.outcome} <> 'refused' and ${t.undoneAt} is null`),
  ],
)
export type ScanRow = typeof scans.$inferSelect
export type NewScan = typeof scans.$inferInsert

export const findScan: Find<ScanRow> = finder(scans, scans.id)

export const insertScan: (tx: WriteTx, scan: NewScan) => Promise<void> = inserter(scans)

export const updateScan = async (tx: WriteTx, id: string, set: Partial<NewScan>): Promise<void> => {
  await tx.sql.update(scans).set(set).where(eq(scans.id, id)).run()
}

export const deskMarkId = (ticketId: string): string => `desk:${ticketId}`

/** Records that an admin set a ticket to used, which counts as one person, however often it happens. */
export async function putDeskMark(
  tx: WriteTx,
  { id: ticketId, eventId }: Pick<TicketRow, 'id' | 'eventId'>,
  { admin, at }: { admin: Pick<UserRow, 'id' | 'name'>; at: Date },
): Promise<void> {
  const by = { checkerId: admin.id, checkerName: admin.name, senderId: admin.id, senderName: admin.name }
  const mark = { ticketId, eventId, ...by, at, receivedAt: at, undoneAt: null }
  await tx.sql
    .insert(scans)
    .values({
      id: deskMarkId(ticketId),
      outcome: 'marked',
      admittedOffline: false,
      manual: false,
      answerStatus: 200,
      answer: {},
      ...mark,
    })
    .onConflictDoUpdate({ target: scans.id, set: mark })
    .run()
}

/** Undoes an admin's mark, so that it counts no person. */
export const takeBackDeskMark = (tx: WriteTx, ticketId: string, undoneAt: Date): Promise<void> =>
  updateScan(tx, deskMarkId(ticketId), { undoneAt })

type Counts = (tx: ReadTx, eventId: string) => Promise<Map<string, number>>

/** Counts an event's scans in a partial index, by a column. */
const countedBy =
  (column: 'ticket_id' | 'device_id', index: string, held: string): Counts =>
  async (tx, eventId) => {
    const by = sql.raw(column)
    const rows = await tx.rows<{ by: string; count: number }>(sql`
      select ${by} as "by", count(*) as "count" from ${byIndex(tx, scans, index)}
      where event_id = ${eventId} and ${sql.raw(held)} and ${by} is not null
      group by ${by}`)
    return new Map(rows.map(({ by, count }) => [by, count]))
  }

/** Counts the people who went in on each ticket of an event, whatever the ticket's state now. */
export const peopleByTicket = countedBy('ticket_id', 'scans_people', "outcome <> 'refused' and undone_at is null")

/** Counts each device's valid admissions at an event, without undone ones and the later of two on one ticket. */
export const admittedByDevice = countedBy('device_id', 'scans_standing', "outcome = 'admitted' and undone_at is null")

export const flaggedByDevice = countedBy('device_id', 'scans_flagged', 'flag is not null')

export type FlaggedScanRow = Pick<
  ScanRow,
  'id' | 'ticketId' | 'at' | 'receivedAt' | 'outcome' | 'checkerName' | 'deviceId' | 'deviceName'
> & { flag: ScanFlag }

/** The flagged scans of an event, latest arrival first. */
export const flaggedScans = async (
  tx: ReadTx,
  { eventId, limit }: { eventId: string; limit: number },
): Promise<FlaggedScanRow[]> => {
  const rows = await tx.sql
    .select({
      id: scans.id,
      ticketId: scans.ticketId,
      at: scans.at,
      receivedAt: scans.receivedAt,
      outcome: scans.outcome,
      checkerName: scans.checkerName,
      deviceId: scans.deviceId,
      deviceName: scans.deviceName,
      flag: scans.flag,
    })
    .from(scans)
    .where(and(eq(scans.eventId, eventId), isNotNull(scans.flag)))
    .orderBy(desc(scans.receivedAt))
    .limit(limit)
    .all()
  return rows.flatMap(({ flag, ...row }) => (flag === null ? [] : [{ ...row, flag }]))
}

/** A code shown at the gate and refused by the server, counted by the evening view. */
export const refusals = sqliteTable(
  'refusals',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer({ mode: 'timestamp_ms' }).notNull(),
    code: text().$type<Code>().notNull(),
    ticketId: text(),
    holderName: text(),
    checkerName: text().notNull(),
    deviceId: text(),
    deviceName: text(),
    /** The event it happened at; null without one. */
    eventId: text(),
  },
  (t) => [index('refusals_by_code').on(t.eventId, t.code), index('refusals_by_time').on(t.eventId, t.at)],
)
export type RefusalRow = typeof refusals.$inferSelect

export const insertRefusal: (tx: WriteTx, refusal: Omit<RefusalRow, 'id'>) => Promise<void> = inserter(refusals)

/** Counts an event's refusals by reason, most frequent first. */
export const refusalsByCode = async (tx: ReadTx, eventId: string) =>
  tx.sql
    .select({ code: refusals.code, count: count() })
    .from(refusals)
    .where(eq(refusals.eventId, eventId))
    .groupBy(refusals.code)
    .orderBy(({ count }) => desc(count))
    .all()

export const latestRefusals = async (
  tx: ReadTx,
  { eventId, limit }: { eventId: string; limit: number },
): Promise<RefusalRow[]> =>
  tx.sql.select().from(refusals).where(eq(refusals.eventId, eventId)).orderBy(desc(refusals.at)).limit(limit).all()
