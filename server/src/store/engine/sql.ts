import { getRandomValues, hash } from 'node:crypto'
import type { Days, Sort } from '@garba/shared/contracts/common'
import { CROCKFORD } from '@garba/shared/rules/qr'
import { fold } from '@garba/shared/rules/search'
import { and, asc, count, desc, gte, lt, lte, max, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { AnySQLiteColumn, BaseSQLiteDatabase, SQLiteInsertValue, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { decodeTime, encodeTime, monotonicFactory } from 'ulid'
import type { Change } from './store.ts'

/** Drizzle's queries on one connection, asynchronous with either engine. */
export type Sql = BaseSQLiteDatabase<'async', unknown>

export type Engine = 'sqlite' | 'postgres'

/** A consistent view of the database, valid during one `store.read` or `store.write`; using it later throws. */
export interface ReadTx {
  readonly engine: Engine
  readonly sql: Sql
  /** The rows of a raw query, with the column names in the query. */
  readonly rows: <T>(query: SQL) => Promise<T[]>
}
/** Runs fixed queries that bind no values. */
export const asks =
  (tx: ReadTx) =>
  (query: string): Promise<Record<string, unknown>[]> =>
    tx.rows<Record<string, unknown>>(sql.raw(query))

/** A read that may also write. */
export interface WriteTx extends ReadTx {
  /** Notifies live views on every server of this database, once the write is on disk. */
  announce: (...changes: Change[]) => void
  /** Calls back once the write is on disk, before its caller continues; never if it failed. */
  afterCommit: (hook: () => void) => void
}

/** Counts the rows of a table that match a condition, or all rows. */
export const countIn = async (tx: ReadTx, table: SQLiteTable, which?: SQL): Promise<number> =>
  (await tx.sql.select({ n: count() }).from(table).where(which).get())?.n ?? 0

/** The sum of a column, 0 without rows. */
export const total = (column: SQLWrapper): SQL<number> => sql`coalesce(sum(${column}), 0)`.mapWith(Number)

export const isIn = async (tx: ReadTx, table: SQLiteTable, which: SQL | undefined): Promise<boolean> =>
  (await tx.sql.select({ n: sql`1` }).from(table).where(which).limit(1).get()) !== undefined

/** The latest moment in a column; null without any. */
export const latest = async (tx: ReadTx, moments: Moments, which?: SQL): Promise<Date | null> =>
  (
    await tx.sql
      .select({ at: max(moments) })
      .from(moments.table)
      .where(which)
      .get()
  )?.at ?? null

type Moments = AnySQLiteColumn<{ data: Date; dataType: 'date' }>

/** Inserts a row unless one with its key exists. Returns whether it did. */
export const insertNew = async <T extends SQLiteTable>(
  tx: WriteTx,
  table: T,
  row: SQLiteInsertValue<T>,
): Promise<boolean> =>
  (await tx.sql.insert(table).values(row).onConflictDoNothing().returning({ n: sql`1` }).get()) !== undefined

/** Replaces a text by another; null stays null. */
export const unlessNull = (column: AnySQLiteColumn, text: string): SQL =>
  sql`case when ${column} is null then null else ${text} end`

/** Forces an index where SQLite's planner, without statistics, would choose worse; PostgreSQL gathers its own. */
export const byIndex = ({ engine }: ReadTx, table: SQLiteTable, index: string): SQL =>
  engine === 'sqlite' ? sql`${table} indexed by ${sql.raw(index)}` : sql`${table}`

/** A span begins at `since` and ends before `before`; an absent end is open. */
export interface Span {
  since?: Date | undefined
  before?: Date | undefined
}
export const within = (column: AnySQLiteColumn, { since, before }: Span): SQL | undefined =>
  and(since && gte(column, since), before && lt(column, before))

/** A condition for days, both ends included; undefined when both are open. */
export const withinDays = (day: SQLWrapper, { from, to }: Days): SQL | undefined =>
  and(from === undefined ? undefined : gte(day, from), to === undefined ? undefined : lte(day, to))

/** A LIKE pattern that finds the text anywhere; its own % and _ are literal (with `escape '\'`). */
const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Rows whose folded text holds every word of a search, in any order; an empty search finds them all. */
export const matching = (searchText: AnySQLiteColumn, search: string | undefined): SQL | undefined =>
  and(
    ...fold(search ?? '')
      .split(' ')
      .filter(Boolean)
      .map((word) => sql`${searchText} like ${containing(word)} escape '\\'`),
  )

/** Names are sorted without regard to the case of Latin letters. */
export const byName = (name: SQLWrapper): SQL => sql`lower(${name})`

/** Null moments come last in both directions. By themselves, the engines sort NULL differently. */
export const byMoment = (moment: AnySQLiteColumn): Ordering => ({
  asc: sql`coalesce(${moment}, 9007199254740991)`,
  desc: sql`coalesce(${moment}, 0)`,
})

interface Ordering {
  asc: SQLWrapper
  desc: SQLWrapper
}

/**
 * The order of a list: by a column and then by id, in one direction, so that one index serves both. Newest first by
 * default.
 */
export function sorted<C extends string>(
  sort: Sort<C> | undefined,
  columns: Record<C, SQLWrapper | Ordering>,
  id: AnySQLiteColumn,
): SQL[] {
  if (sort === undefined) return [desc(id)]
  const down = sort.startsWith('-')
  const column = columns[(down ? sort.slice(1) : sort) as C]
  const [direction, by] = down ? ([desc, 'desc'] as const) : ([asc, 'asc'] as const)
  return [direction('getSQL' in column ? column : column[by]), direction(id)]
}

/** Ids per query; SQLite and PostgreSQL both allow far more. */
const MANY = 500

export function* inPieces(values: readonly string[]): Generator<string[]> {
  for (let from = 0; from < values.length; from += MANY) yield values.slice(from, from + MANY)
}

export const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

export interface Slice {
  limit: number
  offset: number
}

/** The requested page; both count from 1. */
export interface PageQuery {
  page: number
  limit: number
}

export const sliceOf = ({ page, limit }: PageQuery): Slice => ({ limit, offset: (page - 1) * limit })

/** The position of a page: `total` pages, and `count` rows on this page. Without rows, `total` is 0. */
export const pageOf = ({ page, limit }: PageQuery, { rows, shown }: { rows: number; shown: number }) => ({
  current: page,
  total: Math.ceil(rows / limit),
  count: shown,
})

const pool = new Uint8Array(1024)
let used = pool.length

/** A random number from 0 to 1. Each ULID needs sixteen; fetching them singly took a twentieth of a sale's time. */
function random(): number {
  if (used === pool.length) {
    getRandomValues(pool)
    used = 0
  }
  return (pool[used++] ?? 0) / 256
}

const next = monotonicFactory(random)

/** A ULID that sorts by the given time, and after all others made here in the same millisecond. */
export const newId = (at: Date): string => next(at.getTime())

/** An id of that time whose other characters are derived from a text. */
export const idFor = (text: string, at: Date): string =>
  firstIdAt(at) +
  Array.from(hash('sha256', text, 'buffer').subarray(0, 16), (byte) => CROCKFORD[byte % CROCKFORD.length]).join('')

const TIME_LENGTH = 10
/** A prefix that sorts before every ULID of that time or later, and after all earlier ones. */
export const firstIdAt = (at: Date): string => encodeTime(at.getTime(), TIME_LENGTH)

export const timeOfId = (id: string): Date => new Date(decodeTime(id))
