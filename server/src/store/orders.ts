import {
  LINK_PROVIDERS,
  ORDER_CHANNELS,
  ORDER_PROVIDERS,
  ORDER_STATES,
  type OrderState,
} from '@garba/shared/contracts/names'
import { AUDIT } from '@garba/shared/messages/audit'
import { last8 } from '@garba/shared/messages/common'
import { fold } from '@garba/shared/rules/search'
import { and, asc, desc, eq, gt, gte, inArray, isNotNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { type Find, finder, inserter, prepared, updater } from './engine/preparedQueries.ts'
import { countIn, firstIdAt, latest, newId, type ReadTx, type Slice, type WriteTx } from './engine/sql.ts'
import { events } from './events.ts'
import { users } from './users.ts'

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
    /** Null for a first-release sale without tickets. */
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
    totalPaise: integer().notNull(),
    buyerName: text().notNull().default(''),
    buyerEmail: text().notNull().default(''),
    buyerPhone: text(),
    /** The language the buyer reads. */
    language: text(),
    /** The reason for giving a complimentary order. */
    reason: text(),
    /** The body of the first answer, as sent; only for sales without payment. */
    answer: text({ mode: 'json' }).$type<object>().notNull(),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    /** Its seats are held until then; null unless it was held. */
    holdUntil: integer({ mode: 'timestamp_ms' }),
    /** The time it was paid, expired or was cancelled; null while held. */
    settledAt: integer({ mode: 'timestamp_ms' }),
    /** Folded code, buyer, UTRs and the provider's ids. */
    searchText: text().notNull().default(''),
  },
  (t) => [
    uniqueIndex('orders_key').on(t.userId, t.idempotencyKey),
    uniqueIndex('orders_seller_key').on(t.sellerId, t.idempotencyKey).where(sql`${t.sellerId} is not null`),
    uniqueIndex('orders_code').on(t.code),
    /** Each person has at most one held order. */
    uniqueIndex('orders_held_once').on(t.userId).where(sql`${t.state} = 'held'`),
    index('orders_held').on(t.holdUntil).where(sql`${t.state} = 'held'`),
    index('orders_listed').on(t.eventId, t.id),
    index('orders_of_buyer').on(t.userId, t.id),
  ],
)
export type OrderRow = typeof orders.$inferSelect

/** Both a buyer's new order and a repeated request look up rows by key. */
const byKey = prepared((db) =>
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

export const findOrderById: Find<OrderRow> = finder(orders, orders.id)

/** These orders, newest first. */
export const ordersById = async (tx: ReadTx, ids: readonly string[]): Promise<OrderRow[]> =>
  tx.sql.select().from(orders).where(inArray(orders.id, ids)).orderBy(desc(orders.id)).all()

export const findOrderByCode = async (tx: ReadTx, code: string): Promise<OrderRow | undefined> =>
  tx.sql.select().from(orders).where(eq(orders.code, code.toUpperCase())).get()

const visibleTo = (userId: string) => and(eq(orders.userId, userId), isNotNull(orders.eventId))

/** A slice of the orders that a person sees, newest first. */
export const sliceOfOrders = async (tx: ReadTx, userId: string, { limit, offset }: Slice): Promise<OrderRow[]> =>
  tx.sql.select().from(orders).where(visibleTo(userId)).orderBy(desc(orders.id)).limit(limit).offset(offset).all()

export const countOrdersOf = (tx: ReadTx, userId: string): Promise<number> => countIn(tx, orders, visibleTo(userId))

/** The times of a person's orders since an instant that were never paid, oldest first. */
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
          // The index is by id, and an id is never earlier than its order.
          gte(orders.id, firstIdAt(since)),
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

export async function heldOrderOf(tx: ReadTx, userId: string): Promise<OrderRow | undefined> {
  const which = and(eq(orders.userId, userId), HELD)
  return tx.sql.select().from(orders).where(which).get()
}

/** Counts the seats held by a person's unpaid order. */
export const seatsHeldBy = async (tx: ReadTx, userId: string): Promise<number> =>
  (await heldOrderOf(tx, userId))?.quantity ?? 0

/** Every order that waits for its money; those that expire first come first. */
export const heldOrders = async (tx: ReadTx): Promise<OrderRow[]> =>
  tx.sql.select().from(orders).where(HELD).orderBy(asc(orders.holdUntil)).all()

type NewOrder = Pick<
  OrderRow,
  | 'eventId'
  | 'userId'
  | 'idempotencyKey'
  | 'quantity'
  | 'unitPaise'
  | 'totalPaise'
  | 'buyerName'
  | 'buyerEmail'
  | 'createdAt'
> &
  Partial<OrderRow>

/** A new order, which is paid unless the facts give another state. */
export function newOrder(facts: NewOrder): OrderRow {
  const id = facts.id ?? newId(facts.createdAt)
  const order = {
    id,
    code: last8(id),
    channel: 'web',
    state: 'paid',
    provider: 'none',
    sellerId: null,
    sellerName: null,
    buyerPhone: null,
    language: null,
    reason: null,
    answer: {},
    holdUntil: null,
    settledAt: facts.createdAt,
    ...facts,
  } as const
  return { ...order, searchText: orderSearchText(order) }
}

const insert = inserter(orders)

export async function insertOrder(tx: WriteTx, facts: NewOrder): Promise<OrderRow> {
  const order = newOrder(facts)
  await insert(tx, order)
  return order
}

/** The folded text in which the desk's search looks. */
const orderSearchText = (
  { code, buyerName, buyerEmail, buyerPhone }: Pick<OrderRow, 'code' | 'buyerName' | 'buyerEmail' | 'buyerPhone'>,
  ...ids: readonly (string | null)[]
): string => fold([code, buyerName, buyerEmail, buyerPhone, ...ids].filter(Boolean).join(' '))

const settle = updater(orders, and(eq(orders.id, sql.placeholder('ofId')), eq(orders.state, sql.placeholder('from'))))

/** Moves an order out of a state; undefined if it has left that state already. */
export const settleOrder = (
  tx: WriteTx,
  { id, from, to, now }: { id: string; from: OrderState; to: OrderState; now: Date },
): Promise<OrderRow | undefined> => settle(tx, { state: to, settledAt: now }, { ofId: id, from })

/** Holds its seats until the given time. */
export const extendHold = async (tx: WriteTx, id: string, holdUntil: Date): Promise<void> => {
  await tx.sql.update(orders).set({ holdUntil }).where(eq(orders.id, id)).run()
}

/** Adds one ticket to an order. */
export const growOrder = async (tx: WriteTx, { id }: Pick<OrderRow, 'id'>, paise: number): Promise<OrderRow> =>
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
  const kept = instead === null ? orders.searchText : sql`replace(${orders.searchText}, ${` ${fold(instead)}`}, '')`
  await tx.sql
    .update(orders)
    .set({ searchText: sql`${kept} || ${` ${fold(text)}`}` })
    .where(eq(orders.id, id))
    .run()
}

/** Erases the buyers of these orders, and the first answers, which only their buyers could request again. */
export const forgetBuyers = async (tx: WriteTx, which: SQL): Promise<void> => {
  const nobody = { userId: null, answer: {}, buyerName: AUDIT.erased, buyerEmail: '', buyerPhone: null }
  await tx.sql
    .update(orders)
    .set({ ...nobody, searchText: sql`lower(${orders.code})` })
    .where(which)
    .run()
}

/** Removes the orders from a deleted account. */
export const disownOrders = async (tx: WriteTx, userId: string): Promise<void> => {
  await tx.sql.update(orders).set({ userId: null }).where(eq(orders.userId, userId)).run()
}

/** The time at which an order was last paid through a provider's link before an instant; null if none was. */
export const lastPaidByLink = (tx: ReadTx, before: Date): Promise<Date | null> =>
  latest(
    tx,
    orders.settledAt,
    and(eq(orders.state, 'paid'), inArray(orders.provider, [...LINK_PROVIDERS]), lt(orders.settledAt, before)),
  )
