import {
  LINK_PROVIDERS,
  ORDER_CHANNELS,
  ORDER_PROVIDERS,
  ORDER_STATES,
  type OrderState,
} from '@garba/shared/contracts/names'
import { AUDIT } from '@garba/shared/messages/audit'
import { shortenTicketId } from '@garba/shared/messages/common'
import { buildSearchText } from '@garba/shared/rules/search'
import { and, asc, desc, eq, gt, inArray, isNotNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import {
  type Find,
  prepareFind,
  prepareInsert,
  prepareQuery,
  prepareRow,
  prepareUpdate,
} from './engine/preparedQueries.ts'
import { countIn, findLatestMoment, inPieces, newId, type ReadTx, type Slice, type WriteTx } from './engine/sql.ts'
import { events } from './events.ts'
import type { SeatLine } from './typeSeats.ts'
import { users } from './users.ts'

/** So many of a ticket type, with a seat for each person, at the price of one when it was ordered. */
export interface StoredLine extends SeatLine {
  quantity: number
  unitPaise: number
  withCode?: true
  /** Asked for without a type, so that a repeated request does not name it either. */
  byQuantity?: true
}

/**
 * One sale. While it is `held` its seats are taken and it has no tickets; they are written with the change to `paid`.
 * Its key gives a repeated request the first answer.
 */
export const orders = sqliteTable(
  'orders',
  {
    id: text().primaryKey(),
    /** The short name people use: the last 8 characters of its id. */
    code: text().notNull().default(''),
    eventId: text().references(() => events.id),
    channel: text({ enum: ORDER_CHANNELS }).notNull().default('web'),
    state: text({ enum: ORDER_STATES }).notNull().default('paid'),
    provider: text({ enum: ORDER_PROVIDERS }).notNull().default('none'),
    /** Null for sales at the desk, and once the buyer's account is deleted. */
    userId: text().references(() => users.id),
    /** The seller at the desk or the door; null for sales on the web. */
    sellerId: text(),
    sellerName: text(),
    idempotencyKey: text().notNull(),
    quantity: integer().notNull(),
    unitPaise: integer().notNull().default(0),
    lines: text({ mode: 'json' }).$type<StoredLine[]>().notNull().default([]),
    promoCodeId: text(),
    /** The tickets for which it uses its promo code while it is held. */
    promoUses: integer().notNull().default(0),
    totalPaise: integer().notNull(),
    buyerName: text().notNull().default(''),
    buyerEmail: text().notNull().default(''),
    buyerPhone: text(),
    language: text(),
    reason: text(),
    /** The body of the first answer, as sent; only for sales without payment. */
    answer: text({ mode: 'json' }).$type<object>().notNull(),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    holdUntil: integer({ mode: 'timestamp_ms' }),
    offeredUntil: integer({ mode: 'timestamp_ms' }),
    settledAt: integer({ mode: 'timestamp_ms' }),
    /** The time somebody at the desk looked at this sale of a phone without cash; null before, and for other sales. */
    lookedAt: integer({ mode: 'timestamp_ms' }),
    searchText: text().notNull().default(''),
  },
  (t) => [
    uniqueIndex('orders_key').on(t.userId, t.idempotencyKey),
    uniqueIndex('orders_seller_key').on(t.sellerId, t.idempotencyKey).where(sql`${t.sellerId} is not null`),
    uniqueIndex('orders_code').on(t.code),
    uniqueIndex('orders_held_once').on(t.userId).where(sql`${t.state} = 'held'`),
    index('orders_held').on(t.holdUntil).where(sql`${t.state} = 'held'`),
    index('orders_listed').on(
      ...[t.eventId, t.id, t.searchText, t.userId],
      ...[t.code, t.buyerName, t.createdAt, t.quantity, t.totalPaise, t.state, t.provider],
    ),
  ],
)
export type OrderRow = typeof orders.$inferSelect

const byKey = prepareQuery((db) =>
  db
    .select()
    .from(orders)
    .where(and(eq(orders.userId, sql.placeholder('userId')), eq(orders.idempotencyKey, sql.placeholder('key'))))
    .prepare(),
)
export const findOrder = async (tx: ReadTx, userId: string, key: string): Promise<OrderRow | undefined> =>
  byKey(tx).get({ userId, key })

export async function findSellersOrder(tx: ReadTx, sellerId: string, key: string): Promise<OrderRow | undefined> {
  const which = and(eq(orders.sellerId, sellerId), eq(orders.idempotencyKey, key))
  return tx.sql.select().from(orders).where(which).get()
}

export const findOrderById: Find<OrderRow> = prepareFind(orders, orders.id)

export type OrderSummary = Pick<OrderRow, 'id' | 'code' | 'buyerName' | 'createdAt' | 'totalPaise'>

export async function summariseOrders(tx: ReadTx, ids: readonly string[]): Promise<OrderSummary[]> {
  const { id, code, buyerName, createdAt, totalPaise } = orders
  const summary = { id, code, buyerName, createdAt, totalPaise }
  const found = await Array.fromAsync(inPieces(ids), async (some) =>
    tx.sql.select(summary).from(orders).where(inArray(id, some)).all(),
  )
  return found.flat()
}

export async function orderOrigins(
  tx: ReadTx,
  ids: readonly string[],
): Promise<Map<string, Pick<OrderRow, 'code' | 'channel'>>> {
  const origins = new Map<string, Pick<OrderRow, 'code' | 'channel'>>()
  const { id, code, channel } = orders
  for (const some of inPieces([...new Set(ids)]))
    for (const row of await tx.sql.select({ id, code, channel }).from(orders).where(inArray(orders.id, some)).all())
      origins.set(row.id, row)
  return origins
}

export const findOrderByCode = async (tx: ReadTx, code: string): Promise<OrderRow | undefined> =>
  tx.sql.select().from(orders).where(eq(orders.code, code.toUpperCase())).get()

const visibleTo = (userId: string) => and(eq(orders.userId, userId), isNotNull(orders.eventId))

export const sliceOfOrders = async (tx: ReadTx, userId: string, { limit, offset }: Slice): Promise<OrderRow[]> =>
  tx.sql.select().from(orders).where(visibleTo(userId)).orderBy(desc(orders.id)).limit(limit).offset(offset).all()

export const countUserOrders = (tx: ReadTx, userId: string): Promise<number> => countIn(tx, orders, visibleTo(userId))

export const unpaidBetween = async (
  tx: ReadTx,
  userId: string,
  { since, until }: { since: Date; until: Date },
): Promise<Date[]> =>
  (
    await tx.sql
      .select({ at: orders.createdAt })
      .from(orders)
      .where(
        and(
          eq(orders.userId, userId),
          gt(orders.createdAt, since),
          lte(orders.createdAt, until),
          inArray(orders.state, UNPAID),
        ),
      )
      .orderBy(asc(orders.id))
      .all()
  ).map(({ at }) => at)

const UNPAID = ['held', 'expired', 'cancelled'] as const satisfies readonly OrderState[]

/** Written out, never bound: otherwise SQLite does not see that a partial index holds every such row. */
const HELD = sql.raw("state = 'held'")

const held = prepareQuery((db) =>
  db
    .select()
    .from(orders)
    .where(and(eq(orders.userId, sql.placeholder('userId')), HELD))
    .prepare(),
)

export const findHeldOrder = async (tx: ReadTx, userId: string): Promise<OrderRow | undefined> =>
  held(tx).get({ userId })

export async function heldOrdersOfSeller(tx: ReadTx, sellerId: string): Promise<OrderRow[]> {
  const which = and(eq(orders.sellerId, sellerId), HELD)
  return tx.sql.select().from(orders).where(which).orderBy(asc(orders.id)).all()
}

export const seatsHeldBy = async (tx: ReadTx, userId: string): Promise<number> =>
  (await findHeldOrder(tx, userId))?.quantity ?? 0

export const heldOrders = async (tx: ReadTx): Promise<OrderRow[]> =>
  tx.sql.select().from(orders).where(HELD).orderBy(asc(orders.holdUntil)).all()

type NewOrder = Pick<
  OrderRow,
  | 'eventId'
  | 'userId'
  | 'idempotencyKey'
  | 'quantity'
  | 'unitPaise'
  | 'lines'
  | 'totalPaise'
  | 'buyerName'
  | 'buyerEmail'
  | 'createdAt'
> &
  Partial<OrderRow>

const complete = prepareRow(orders)

export function newOrder(facts: NewOrder): OrderRow {
  const id = facts.id ?? newId(facts.createdAt)
  const made = { id, code: shortenTicketId(id), answer: {}, settledAt: facts.createdAt }
  const order = complete({ ...made, ...facts })
  return { ...order, searchText: facts.searchText ?? orderSearchText(order) }
}

const insert = prepareInsert(orders)

export async function insertOrder(tx: WriteTx, facts: NewOrder): Promise<OrderRow> {
  const order = newOrder(facts)
  await insert(tx, order)
  return order
}

const orderSearchText = (
  { code, buyerName, buyerEmail, buyerPhone }: Pick<OrderRow, 'code' | 'buyerName' | 'buyerEmail' | 'buyerPhone'>,
  ...ids: readonly (string | null)[]
): string => buildSearchText({ words: [buyerName, buyerEmail], numbers: [code, buyerPhone, ...ids] })

const updateState = prepareUpdate(
  orders,
  and(eq(orders.id, sql.placeholder('ofId')), eq(orders.state, sql.placeholder('from'))),
)

/** Moves an order out of a state; undefined if it has left that state already. */
export const changeOrderState = (
  tx: WriteTx,
  { id, from, to, now }: { id: string; from: OrderState; to: OrderState; now: Date },
): Promise<OrderRow | undefined> => updateState(tx, { state: to, settledAt: now }, { ofId: id, from })

export const extendHold = async (tx: WriteTx, id: string, holdUntil: Date): Promise<void> => {
  await tx.sql.update(orders).set({ holdUntil }).where(eq(orders.id, id)).run()
}

export const addTicketToOrder = async (tx: WriteTx, { id }: Pick<OrderRow, 'id'>, paise: number): Promise<OrderRow> =>
  tx.sql
    .update(orders)
    .set({ quantity: sql`${orders.quantity} + 1`, totalPaise: sql`${orders.totalPaise} + ${paise}` })
    .where(eq(orders.id, id))
    .returning()
    .get()

/**
 * Lets a search find the order by its payment's id at the provider or bank. `instead` is the number it replaces,
 * because a guest may enter any number of them.
 */
export const addToSearch = async (
  tx: WriteTx,
  id: string,
  text: string,
  instead: string | null = null,
): Promise<void> => {
  const added = (number: string) => buildSearchText({ words: [], numbers: [number] })
  const kept = instead === null ? orders.searchText : sql`replace(${orders.searchText}, ${added(instead)}, '')`
  await tx.sql
    .update(orders)
    .set({ searchText: sql`${kept} || ${added(text)}` })
    .where(eq(orders.id, id))
    .run()
}

/**
 * Writes an order's buyer. Nothing of an earlier buyer stays, and nobody can request that buyer's first answer again.
 */
export const changeBuyer = async (
  tx: WriteTx,
  order: OrderRow,
  to: Pick<OrderRow, 'buyerName' | 'buyerEmail' | 'buyerPhone' | 'userId'>,
): Promise<OrderRow> => {
  const others = order.searchText.replace(orderSearchText(order), '')
  const gone = order.userId === null || to.userId !== null ? {} : { answer: {} }
  const set = { ...to, ...gone, searchText: `${orderSearchText({ ...order, ...to })}${others}` }
  return tx.sql.update(orders).set(set).where(eq(orders.id, order.id)).returning().get()
}

/** Erases the buyers of these orders, and the first answers, which only their buyers could request again. */
export const forgetBuyers = async (tx: WriteTx, which: SQL): Promise<void> => {
  const nobody = { userId: null, answer: {}, buyerName: AUDIT.erased, buyerEmail: '', buyerPhone: null }
  await tx.sql
    .update(orders)
    .set({ ...nobody, searchText: sql`${' '} || lower(${orders.code}) || ${'#'}` })
    .where(which)
    .run()
}

export const disownOrders = async (tx: WriteTx, userId: string): Promise<void> => {
  await tx.sql.update(orders).set({ userId: null }).where(eq(orders.userId, userId)).run()
}

export const lastPaidByLink = (tx: ReadTx, before: Date): Promise<Date | null> =>
  findLatestMoment(
    tx,
    orders.settledAt,
    and(eq(orders.state, 'paid'), inArray(orders.provider, [...LINK_PROVIDERS]), lt(orders.settledAt, before)),
  )
