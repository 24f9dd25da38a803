import { AUDIT } from '@garba/shared/messages/audit'
import { and, asc, countDistinct, desc, eq, gt, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { devices } from './devices.ts'
import { type Find, prepareFind, prepareInsert } from './engine/preparedQueries.ts'
import { countIn, hasRows, type ReadTx, type WriteTx } from './engine/sql.ts'
import { events } from './events.ts'
import { orders } from './orders.ts'
import type { TicketCode } from './tickets.ts'
import { releaseSeats } from './typeSeats.ts'

const KINDS = ['paper', 'device'] as const
/**
 * `allotted` has its seat but no buyer; `sold` has a ticket, which has the seat from then on; `returned` has neither.
 */
const CODE_STATES = ['allotted', 'sold', 'returned'] as const

/** Codes that were signed before they had a buyer: on paper, or in a phone that sells without a network. */
export const codeBlocks = sqliteTable(
  'code_blocks',
  {
    id: text().primaryKey(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    kind: text({ enum: KINDS }).notNull(),
    label: text().notNull(),
    deviceId: text(),
    size: integer().notNull(),
    typeId: text().notNull(),
    /** The prices of the type when the block was made: its codes are sold at these even if prices change later. */
    ticketPricePaise: integer().notNull(),
    groupPricePaise: integer(),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    createdById: text(),
    createdByName: text().notNull(),
    endedAt: integer({ mode: 'timestamp_ms' }),
  },
  (t) => [
    index('code_blocks_listed').on(t.eventId, t.id),
    index('code_blocks_in_phones').on(t.deviceId).where(sql`${t.endedAt} is null`),
  ],
)
export type CodeBlockRow = typeof codeBlocks.$inferSelect

export const blockCodes = sqliteTable(
  'block_codes',
  {
    ticketId: text().primaryKey(),
    blockId: text()
      .notNull()
      .references(() => codeBlocks.id),
    number: integer().notNull(),
    qrCode: text().notNull(),
    state: text({ enum: CODE_STATES }).notNull(),
    orderId: text().references(() => orders.id),
    /** The time of its return; kept when the code is sold after all. */
    returnedAt: integer({ mode: 'timestamp_ms' }),
    /** The phone or person that returned it; null when the server took it back by itself. */
    returnedById: text(),
    /** The order of a sale that named the code but was not carried out; the desk decides about it. */
    notedOrderId: text().references(() => orders.id),
  },
  (t) => [
    uniqueIndex('block_codes_number').on(t.blockId, t.number),
    check('block_codes_state', sql`${t.state} in ('allotted', 'sold', 'returned')`),
    check('block_codes_order', sql`(${t.state} = 'sold') = (${t.orderId} is not null)`),
  ],
)
export type BlockCodeRow = typeof blockCodes.$inferSelect
export type BlockCodeState = Pick<BlockCodeRow, 'blockId' | 'number' | 'state' | 'orderId'>
const { blockId, number, state, orderId } = blockCodes

const insert = prepareInsert(codeBlocks)
const insertCode = prepareInsert(blockCodes)

export async function insertBlock(
  tx: WriteTx,
  block: CodeBlockRow,
  signed: readonly { id: string; qrCode: string }[],
): Promise<void> {
  await insert(tx, block)
  for (const [index, { id, qrCode }] of signed.entries())
    await insertCode(tx, { ticketId: id, blockId: block.id, number: index + 1, qrCode, state: 'allotted' })
}

export const findBlock: Find<CodeBlockRow> = prepareFind(codeBlocks, codeBlocks.id)

export const listEventBlocks = async (tx: ReadTx, eventId: string): Promise<CodeBlockRow[]> =>
  tx.sql.select().from(codeBlocks).where(eq(codeBlocks.eventId, eventId)).orderBy(desc(codeBlocks.id)).all()

export async function blocksOfDevice(tx: ReadTx, deviceId: string): Promise<CodeBlockRow[]> {
  const which = and(eq(codeBlocks.deviceId, deviceId), isNull(codeBlocks.endedAt))
  return tx.sql.select().from(codeBlocks).where(which).orderBy(asc(codeBlocks.id)).all()
}

export const listBlockCodes = async (tx: ReadTx, blockId: string): Promise<BlockCodeRow[]> =>
  tx.sql.select().from(blockCodes).where(eq(blockCodes.blockId, blockId)).orderBy(asc(blockCodes.number)).all()

export const listCodesOfBlocks = async (tx: ReadTx, ids: readonly string[]): Promise<BlockCodeState[]> =>
  tx.sql
    .select({ blockId, number, state, orderId })
    .from(blockCodes)
    .where(inArray(blockId, ids))
    .orderBy(asc(blockId), asc(number))
    .all()

export const findCodes = async (tx: ReadTx, ticketIds: readonly string[]): Promise<BlockCodeRow[]> =>
  tx.sql
    .select()
    .from(blockCodes)
    .where(inArray(blockCodes.ticketId, ticketIds))
    .orderBy(asc(blockCodes.ticketId))
    .all()

/** Whether an order sold codes that were signed ahead, or named them in a sale that was not carried out. */
export const hasBlockCodes = (tx: ReadTx, orderId: string): Promise<boolean> =>
  hasRows(tx, blockCodes, or(eq(blockCodes.orderId, orderId), eq(blockCodes.notedOrderId, orderId)))

/** Includes returned and printed codes: a code may be sold after its return, and a sheet printed again. */
export const allBlockCodes = async (tx: ReadTx): Promise<TicketCode[]> =>
  tx.sql
    .select({ id: blockCodes.ticketId, eventId: codeBlocks.eventId, qrCode: blockCodes.qrCode })
    .from(blockCodes)
    .innerJoin(codeBlocks, eq(codeBlocks.id, blockCodes.blockId))
    .all()

export const replaceBlockCode = async (tx: WriteTx, ticketId: string, qrCode: string): Promise<void> => {
  await tx.sql.update(blockCodes).set({ qrCode }).where(eq(blockCodes.ticketId, ticketId)).run()
}

/** Binds codes to the order that sold them. Their seats belong to its tickets from now on. */
export async function markCodesSold(tx: WriteTx, orderId: string, ticketIds: readonly string[]): Promise<void> {
  for (const ticketId of ticketIds)
    await tx.sql.update(blockCodes).set({ state: 'sold', orderId }).where(eq(blockCodes.ticketId, ticketId)).run()
}

/** Binds codes to a sale that was not carried out, so that no other sale can name them. */
export async function markCodesNoted(tx: WriteTx, orderId: string, ticketIds: readonly string[]): Promise<void> {
  await tx.sql.update(blockCodes).set({ notedOrderId: orderId }).where(inArray(blockCodes.ticketId, ticketIds)).run()
}

export interface Return {
  at: Date
  byId: string | null
}

/** Takes codes back and frees their seats; sold codes stay sold. Returns how many it took. */
export async function takeBackCodes(
  tx: WriteTx,
  { id, eventId, typeId }: Pick<CodeBlockRow, 'id' | 'eventId' | 'typeId'>,
  { from, to, at, byId }: Return & { from: number; to: number },
): Promise<number> {
  const range = sql`${blockCodes.number} between ${from} and ${to}`
  const rows = await tx.sql
    .update(blockCodes)
    .set({ state: 'returned', returnedAt: at, returnedById: byId })
    .where(and(eq(blockCodes.blockId, id), eq(blockCodes.state, 'allotted'), range))
    .returning({ ticketId: blockCodes.ticketId })
    .all()
  if (rows.length > 0) await releaseSeats(tx, eventId, [{ typeId, seats: rows.length }])
  return rows.length
}

export async function endBlock(tx: WriteTx, block: CodeBlockRow, { at, byId }: Return): Promise<number> {
  await tx.sql.update(codeBlocks).set({ endedAt: at }).where(eq(codeBlocks.id, block.id)).run()
  return takeBackCodes(tx, block, { from: 1, to: block.size, at, byId })
}

/** Counts the codes a phone has drawn for an event since a moment, whatever their state now. */
export const drawnSince = async (
  tx: ReadTx,
  { eventId, deviceId, since }: { eventId: string; deviceId: string; since: Date },
): Promise<number> =>
  (
    await tx.sql
      .select({ size: codeBlocks.size })
      .from(codeBlocks)
      .where(and(eq(codeBlocks.eventId, eventId), eq(codeBlocks.deviceId, deviceId), gt(codeBlocks.createdAt, since)))
      .all()
  ).reduce((sum, { size }) => sum + size, 0)

export async function soldAfterReturn(tx: ReadTx, deviceId: string): Promise<number> {
  const ofDevice = tx.sql.select({ id: codeBlocks.id }).from(codeBlocks).where(eq(codeBlocks.deviceId, deviceId))
  const late = and(
    inArray(blockCodes.blockId, ofDevice),
    eq(blockCodes.state, 'sold'),
    isNotNull(blockCodes.returnedAt),
  )
  return countIn(tx, blockCodes, late)
}

export async function blocksInPhones(tx: ReadTx): Promise<CodeBlockRow[]> {
  const which = and(isNull(codeBlocks.endedAt), isNotNull(codeBlocks.deviceId))
  return tx.sql.select().from(codeBlocks).where(which).all()
}

export async function listOpenBlocks(tx: ReadTx, eventId: string): Promise<CodeBlockRow[]> {
  const which = and(eq(codeBlocks.eventId, eventId), isNull(codeBlocks.endedAt))
  return tx.sql.select().from(codeBlocks).where(which).all()
}

export async function countPhonesSilent(tx: ReadTx, eventId: string, since: Date): Promise<number> {
  const row = await tx.sql
    .select({ n: countDistinct(codeBlocks.deviceId) })
    .from(codeBlocks)
    .innerJoin(blockCodes, and(eq(blockCodes.blockId, codeBlocks.id), eq(blockCodes.state, 'allotted')))
    .leftJoin(devices, eq(devices.id, codeBlocks.deviceId))
    .where(
      and(
        eq(codeBlocks.eventId, eventId),
        isNull(codeBlocks.endedAt),
        or(isNull(devices.id), lt(devices.lastSeen, since)),
      ),
    )
    .get()
  return row?.n ?? 0
}

export const forgetBlockMakers = async (tx: WriteTx, eventId: string): Promise<void> => {
  const { erased } = AUDIT
  await tx.sql
    .update(codeBlocks)
    .set({ label: erased, createdById: null, createdByName: erased })
    .where(eq(codeBlocks.eventId, eventId))
    .run()
  const onPaper = and(eq(codeBlocks.eventId, eventId), eq(codeBlocks.kind, 'paper'))
  await tx.sql
    .update(blockCodes)
    .set({ returnedById: null })
    .where(inArray(blockCodes.blockId, tx.sql.select({ id: codeBlocks.id }).from(codeBlocks).where(onPaper)))
    .run()
}
