import type { Code } from '@garba/shared/contracts/codes'
import { SCAN_FLAGS, type ScanFlag } from '@garba/shared/contracts/names'
import { and, asc, count, desc, eq, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { type Find, prepareFind, prepareInsert } from './engine/preparedQueries.ts'
import { byIndex, insertNew, type ReadTx, type WriteTx } from './engine/sql.ts'
import type { TicketRow } from './tickets.ts'
import type { UserRow } from './users.ts'

/**
 * `released`: admitted, but an admin changed the ticket afterwards, so it is no longer an entry. `marked`: an admin set
 * the ticket to used at the desk, without a scan. `returned`: somebody who had left came back, who was counted before.
 */
const SCAN_OUTCOMES = ['admitted', 'conflict', 'refused', 'released', 'marked', 'returned'] as const

/** The people who ever went in, each once; written out for the partial index `scans_people`. */
export const WENT_IN = sql.raw("outcome <> 'refused' and undone_at is null and outcome <> 'returned'")

/**
 * Every attempt to admit someone, under the scanId that the device gave it. There are no foreign keys: an admission
 * stays a fact when its ticket, checker or device is gone. Each row neither refused nor undone is one person who went
 * in, or came back.
 */
export const scans = sqliteTable(
  'scans',
  {
    id: text().primaryKey(),
    /** The ticket that it counts with. For a group's code it may be another than the phone chose. */
    ticketId: text(),
    /** Null for rows of the first release. */
    chosenId: text(),
    /** The tickets of the group whose code was read; null for a ticket's own code. */
    groupIds: text({ mode: 'json' }).$type<readonly string[]>(),
    outcome: text({ enum: SCAN_OUTCOMES }).notNull(),
    admittedOffline: integer({ mode: 'boolean' }).notNull(),
    manual: integer({ mode: 'boolean' }).notNull(),
    deviceId: text(),
    deviceName: text(),
    gate: text(),
    checkerId: text().notNull(),
    checkerName: text().notNull(),
    /** The person who sent the scan. It is not its maker if the device changed hands while it was offline. */
    senderId: text().notNull(),
    senderName: text().notNull(),
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
    /** The ticket's event, or the current event if the code proves no ticket; null if there is none. */
    eventId: text(),
    flag: text({ enum: SCAN_FLAGS }),
    otherDay: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (t) => [
    index('scans_by_ticket').on(t.ticketId),
    index('scans_by_hand').on(t.receivedAt).where(sql`${t.manual} = 1`),
    index('scans_back_dated').on(t.receivedAt).where(sql`${t.backDated} = 1`),
    index('scans_flagged').on(t.eventId, t.receivedAt).where(sql`${t.flag} is not null`),
    index('scans_other_day').on(t.eventId, t.at).where(sql`${t.otherDay} = 1`),
    index('scans_standing').on(t.eventId, t.deviceId).where(sql`${t.outcome} = 'admitted' and ${t.undoneAt} is null`),
    index('scans_people')
      .on(t.eventId, t.gate, t.at, t.outcome, t.undoneAt)
      .where(sql`${t.outcome} <> 'refused' and ${t.undoneAt} is null`),
  ],
)
export type ScanRow = typeof scans.$inferSelect
export type NewScan = typeof scans.$inferInsert

export const findScan: Find<ScanRow> = prepareFind(scans, scans.id)

export const insertScan: (tx: WriteTx, scan: NewScan) => Promise<void> = prepareInsert(scans)

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

export const takeBackDeskMark = (tx: WriteTx, ticketId: string, undoneAt: Date): Promise<void> =>
  updateScan(tx, deskMarkId(ticketId), { undoneAt })

type Counts = (tx: ReadTx, eventId: string) => Promise<Map<string, number>>

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

export type Entry = Pick<ScanRow, 'ticketId' | 'at' | 'checkerName' | 'gate'>

/** The people who went in on an event's tickets, whatever the tickets' state now, earliest first. */
export const entriesAt = async (tx: ReadTx, eventId: string): Promise<Entry[]> =>
  tx.sql
    .select({ ticketId: scans.ticketId, at: scans.at, checkerName: scans.checkerName, gate: scans.gate })
    .from(scans)
    .where(and(eq(scans.eventId, eventId), WENT_IN))
    .orderBy(asc(scans.at), asc(scans.id))
    .all()

export const entriesOfTickets = async (tx: ReadTx, ids: readonly string[]): Promise<ScanRow[]> =>
  tx.sql
    .select()
    .from(scans)
    .where(and(inArray(scans.ticketId, [...ids]), ne(scans.outcome, 'refused'), isNull(scans.undoneAt)))
    .orderBy(asc(scans.at), asc(scans.id))
    .all()

/** How many people were in when each of a person's used tickets let its holder in, by ticket. */
export async function lightsOf(tx: ReadTx, userId: string): Promise<Map<string, number>> {
  const rows = await tx.rows<{ id: string; light: number }>(sql`
    select t.id as "id", (
      select count(*) from ${byIndex(tx, scans, 'scans_people')} where scans.event_id = t.event_id
        and outcome <> 'refused' and undone_at is null
        and (at < t.entry_time or (at = t.entry_time and ticket_id <= t.id))
    ) as "light" from tickets t where t.user_id = ${userId} and t.status = 'used' and t.entry_time is not null`)
  return new Map(rows.map(({ id, light }) => [id, Number(light)]))
}

export const admittedByDevice = countedBy('device_id', 'scans_standing', "outcome = 'admitted' and undone_at is null")

export const flaggedByDevice = countedBy('device_id', 'scans_flagged', 'flag is not null')

export type FlaggedScanRow = Pick<
  ScanRow,
  'id' | 'ticketId' | 'at' | 'receivedAt' | 'outcome' | 'checkerName' | 'deviceId' | 'deviceName'
> & { flag: ScanFlag }

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

export const refusals = sqliteTable(
  'refusals',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** Null for a code that was only verified. */
    scanId: text(),
    at: integer({ mode: 'timestamp_ms' }).notNull(),
    code: text().$type<Code>().notNull(),
    ticketId: text(),
    holderName: text(),
    checkerName: text().notNull(),
    deviceId: text(),
    deviceName: text(),
    gate: text(),
    eventId: text(),
  },
  (t) => [
    uniqueIndex('refusals_by_scan').on(t.scanId),
    index('refusals_by_code').on(t.eventId, t.code),
    index('refusals_by_time').on(t.eventId, t.at),
  ],
)
export type RefusalRow = typeof refusals.$inferSelect

/** False if the same scan was refused before: sent again, it counts once. */
export const insertRefusal = (tx: WriteTx, refusal: Omit<RefusalRow, 'id'>): Promise<boolean> =>
  insertNew(tx, refusals, refusal)

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
