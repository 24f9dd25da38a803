import { getRandomValues, hash } from 'node:crypto'
import type { Days, Sort } from '@garba/shared/contracts/common'
import { shortenTicketId } from '@garba/shared/messages/common'
import { isNumeral } from '@garba/shared/rules/numerals'
import { CROCKFORD } from '@garba/shared/rules/qr'
import { buildSearchGroups } from '@garba/shared/rules/search'
import {
  and,
  asc,
  count,
  desc,
  getTableColumns,
  gte,
  inArray,
  lt,
  lte,
  max,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import type { AnySQLiteColumn, BaseSQLiteDatabase, SQLiteInsertValue, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { decodeTime, encodeTime, monotonicFactory } from 'ulid'
import type { Change } from './store.ts'

export type Sql = BaseSQLiteDatabase<'async', unknown>

export type Engine = 'sqlite' | 'postgres'

/** A consistent view of the database, valid during one `store.read` or `store.write`; using it later throws. */
export interface ReadTx {
  readonly engine: Engine
  readonly sql: Sql
  readonly rows: <T>(query: SQL) => Promise<T[]>
}
export const makeRawQuery =
  (tx: ReadTx) =>
  (query: string): Promise<Record<string, unknown>[]> =>
    tx.rows<Record<string, unknown>>(sql.raw(query))

export interface WriteTx extends ReadTx {
  /** Notifies live views on every server of this database, once the write is on disk. */
  announceChanges: (...changes: Change[]) => void
  readonly announced: readonly Change[]
  /** Calls back once the write is on disk, before its caller continues; never if it failed. */
  afterCommit: (hook: () => void) => void
}

export const countIn = async (tx: ReadTx, table: SQLiteTable, which?: SQL): Promise<number> =>
  (await tx.sql.select({ n: count() }).from(table).where(which).get())?.n ?? 0

export const sumColumn = (column: SQLWrapper): SQL<number> => sql`coalesce(sum(${column}), 0)`.mapWith(Number)

export const hasRows = async (tx: ReadTx, table: SQLiteTable, which: SQL | undefined): Promise<boolean> =>
  (await tx.sql.select({ n: sql`1` }).from(table).where(which).limit(1).get()) !== undefined

export const findLatestMoment = async (tx: ReadTx, moments: Moments, which?: SQL): Promise<Date | null> =>
  (
    await tx.sql
      .select({ at: max(moments) })
      .from(moments.table)
      .where(which)
      .get()
  )?.at ?? null

type Moments = AnySQLiteColumn<{ data: Date; dataType: 'date' }>

/** The columns of a table that the database numbers. */
export const listNumberedColumns = (table: SQLiteTable): string[] =>
  Object.entries(getTableColumns(table)).flatMap(([name, { primary, dataType }]) =>
    primary && dataType === 'number' ? [name] : [],
  )

/** What makes the database number these columns: SQLite needs null for that, PostgreSQL a keyword. */
export const buildNumbering = (engine: Engine, columns: readonly string[]): Record<string, SQL> =>
  engine === 'sqlite' ? {} : Object.fromEntries(columns.map((name) => [name, sql`default`]))

export const insertNew = async <T extends SQLiteTable>(
  tx: WriteTx,
  table: T,
  row: SQLiteInsertValue<T>,
): Promise<boolean> =>
  (await tx.sql
    .insert(table)
    .values({ ...row, ...buildNumbering(tx.engine, listNumberedColumns(table)) })
    .onConflictDoNothing()
    .returning({ n: sql`1` })
    .get()) !== undefined

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
export const isInSpan = (column: AnySQLiteColumn, { since, before }: Span): SQL | undefined =>
  and(since && gte(column, since), before && lt(column, before))

export const withinDays = (day: SQLWrapper, { from, to }: Days): SQL | undefined =>
  and(from === undefined ? undefined : gte(day, from), to === undefined ? undefined : lte(day, to))

const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

export function isFoundBySearch(searchText: AnySQLiteColumn, search: string | undefined): SQL | undefined {
  const has = (part: string) => sql`${searchText} like ${containing(part)} escape '\\'`
  return and(
    ...buildSearchGroups(search ?? '').map((group) => {
      const word = group[0]?.trim() ?? ''
      // Most rows have the word nowhere: one look for it saves those for each way in which it may stand there.
      const [near, others] = [group.filter((part) => part.includes(word)), group.filter((part) => !part.includes(word))]
      return or(sql`1 = 0`, and(near.length > 1 ? has(word) : undefined, or(...near.map(has))), ...others.map(has))
    }),
  )
}

export const byName = (name: SQLWrapper): SQL => sql`lower(${name})`

/** Null moments come last in both directions. By themselves, the engines sort NULL differently. */
export const byMoment = (moment: AnySQLiteColumn): SortExpressions => ({
  asc: sql`coalesce(${moment}, 9007199254740991)`,
  desc: sql`coalesce(${moment}, 0)`,
})

/**
 * Reads one page of a list, or all of it. For a page only the ids are sorted: to sort whole rows of a long list takes many times
 * longer.
 */
export async function listRows<T extends SQLiteTable & { id: AnySQLiteColumn }>(
  tx: ReadTx,
  table: T,
  { where, order, slice }: { where: SQL | undefined; order: SQL[]; slice?: Slice | undefined },
): Promise<T['$inferSelect'][]> {
  const page =
    slice &&
    tx.sql
      .select({ id: table.id })
      .from<SQLiteTable>(table)
      .where(where)
      .orderBy(...order)
      .limit(slice.limit)
      .offset(slice.offset)
  return tx.sql
    .select()
    .from<SQLiteTable>(table)
    .where(page ? inArray(table.id, page) : where)
    .orderBy(...order)
    .all()
}

/**
 * One page of a list and the number of all its rows. A search looks at every row for either, so it looks once and finds
 * the ids of all.
 */
export async function readPage<T extends SQLiteTable & { id: AnySQLiteColumn }>(
  tx: ReadTx,
  table: T,
  { search, ...list }: { where: SQL | undefined; order: SQL[]; slice: Slice; search: string | undefined },
): Promise<{ total: number; rows: T['$inferSelect'][] }> {
  const { where, order, slice } = list
  if (search === undefined) {
    const total = await countIn(tx, table, where)
    return { total, rows: total > 0 ? await listRows(tx, table, list) : [] }
  }
  const found = await tx.sql
    .select({ id: table.id })
    .from<SQLiteTable>(table)
    .where(where)
    .orderBy(...order)
    .all()
  const ids = found.slice(slice.offset, slice.offset + slice.limit).map(({ id }) => id)
  const rows = ids.length > 0 ? await listRows(tx, table, { where: inArray(table.id, ids), order }) : []
  return { total: found.length, rows }
}

interface SortExpressions {
  asc: SQLWrapper
  desc: SQLWrapper
}

/**
 * The order of a list: by a column and then by id, in one direction, so that one index serves both. Newest first by
 * default.
 */
export function buildOrderBy<C extends string>(
  sort: Sort<C> | undefined,
  columns: Record<C, SQLWrapper | SortExpressions>,
  id: AnySQLiteColumn,
): SQL[] {
  if (sort === undefined) return [desc(id)]
  const down = sort.startsWith('-')
  const column = columns[(down ? sort.slice(1) : sort) as C]
  const [direction, by] = down ? ([desc, 'desc'] as const) : ([asc, 'asc'] as const)
  return [direction('getSQL' in column ? column : column[by]), direction(id)]
}

export function* inPieces<T>(values: readonly T[], size = 500): Generator<T[]> {
  for (let from = 0; from < values.length; from += size) yield values.slice(from, from + size)
}

/** Few enough for one write that does not hold up others. */
export const IN_ONE_WRITE = 200

export const listIds = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

export interface Slice {
  limit: number
  offset: number
}

export interface PageQuery {
  page: number
  limit: number
}

export const toSlice = ({ page, limit }: PageQuery): Slice => ({ limit, offset: (page - 1) * limit })

/** The position of a page: `total` pages, and `count` rows on this page. Without rows, `total` is 0. */
export const buildPagination = ({ page, limit }: PageQuery, { rows, shown }: { rows: number; shown: number }) => ({
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

/**
 * A ULID that sorts by the given time, and after all others made here in the same millisecond. Its end, which is the
 * code that people see, never looks like a number: a spreadsheet would change it.
 */
export function newId(at: Date): string {
  const id = next(at.getTime())
  return isNumeral(shortenTicketId(id)) ? newId(at) : id
}

export const idFor = (text: string, at: Date): string =>
  firstIdAt(at) +
  Array.from(hash('sha256', text, 'buffer').subarray(0, 16), (byte) => CROCKFORD[byte % CROCKFORD.length]).join('')

const TIME_LENGTH = 10
/** A prefix that sorts before every ULID of that time or later, and after all earlier ULIDs. */
export const firstIdAt = (at: Date): string => encodeTime(at.getTime(), TIME_LENGTH)

export const timeOfId = (id: string): Date => new Date(decodeTime(id))
