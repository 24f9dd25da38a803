/*
 * Three things are made once per query instead of once per call: the SQL text that Drizzle builds (prepareQuery,
 * prepareInsert, prepareUpdate), the mapping of its rows (mapRowsOnce), and the statement that SQLite compiles from it
 * (keepStatements).
 */
import type Database from 'better-sqlite3'
import { Column, eq, fillPlaceholders, getTableColumns, is, Param, Placeholder, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteInsertValue, SQLiteTable, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import { buildNumbering, type Engine, listNumberedColumns, type ReadTx, type Sql, type WriteTx } from './sql.ts'

/** Builds a query's SQL once per connection: building it took more of a sale's time than running it. */
export function prepareQuery<Q>(build: (sql: Sql, engine: Engine) => Q): (tx: ReadTx) => Q {
  const kept = new WeakMap<Sql, { query: Q }>()
  return ({ sql, engine }) => {
    const known = kept.get(sql)
    if (known) return known.query
    const query = build(sql, engine)
    kept.set(sql, { query })
    return query
  }
}

interface MappedQuery {
  fields?: readonly { path: readonly string[]; field: unknown }[]
  stmt: Database.Statement
  query: { params: unknown[] }
  get: (values?: PlaceholderValues) => unknown
  all: (values?: PlaceholderValues) => unknown
  run: (values?: PlaceholderValues) => unknown
}
type PlaceholderValues = Record<string, unknown>
interface DrizzleSession {
  prepareQuery: (...facts: unknown[]) => MappedQuery
}

/**
 * For each value of each query and row, Drizzle finds out again what its placeholder or column is. This knows it
 * beforehand, for rows of plain columns.
 */
export function mapRowsOnce(sql: object): void {
  const { session } = sql as { session: DrizzleSession }
  const prepare = session.prepareQuery.bind(session)
  session.prepareQuery = (...facts) => {
    const query = prepare(...facts)
    const { stmt } = query
    const fill = makeFiller(query.query.params)
    Object.assign(query, { run: (values = {}) => stmt.run(fill(values)) } satisfies Pick<MappedQuery, 'run'>)
    const mapRow = makeRowMapper(query)
    if (!mapRow) return query
    return Object.assign(query, {
      get: (values = {}) => {
        const row = stmt.raw().get(fill(values)) as unknown[] | undefined
        return row && mapRow(row)
      },
      all: (values = {}) => (stmt.raw().all(fill(values)) as unknown[][]).map((row) => mapRow(row)),
    } satisfies Pick<MappedQuery, 'get' | 'all'>)
  }
}

function makeFiller(params: unknown[]): (values: PlaceholderValues) => unknown[] {
  if (params.some((param) => is(param, Param))) return (values) => fillPlaceholders(params, values)
  const slots = params.map((param) => (is(param, Placeholder) ? { name: param.name } : { value: param }))
  return (values) =>
    slots.map(({ name, value }) => {
      if (name === undefined) return value
      const given = values[name]
      if (given === undefined) throw new RangeError(`No value for the placeholder ${name}`)
      return given
    })
}

type Decode = (value: unknown) => unknown

/** Most rows have the same JSON as the row before, such as the ticket types of the event. Frozen, because rows share it. */
function makeJsonDecoder(column: Column): Decode {
  let last: { text?: unknown; value?: unknown } = {}
  return (text) => {
    if (last.text !== text) last = { text, value: Object.freeze(column.mapFromDriverValue(text)) }
    return last.value
  }
}

function makeDecoder(column: Column): Decode | null {
  if (column.mapFromDriverValue === Column.prototype.mapFromDriverValue) return null
  return column.dataType === 'json' ? makeJsonDecoder(column) : (value) => column.mapFromDriverValue(value)
}

function makeRowMapper({ fields }: MappedQuery): ((row: readonly unknown[]) => Record<string, unknown>) | null {
  const columns = fields?.flatMap(({ path: [name, ...more], field }) =>
    name !== undefined && more.length === 0 && is(field, Column) ? [{ name, decode: makeDecoder(field) }] : [],
  )
  if (!fields || columns?.length !== fields.length) return null
  const empty = Object.fromEntries(columns.map(({ name }) => [name, null]))
  return (row) => {
    const mapped: Record<string, unknown> = { ...empty }
    for (let at = 0; at < columns.length; at += 1) {
      const column = columns[at]
      const value = row[at]
      if (column && value !== null) mapped[column.name] = column.decode === null ? value : column.decode(value)
    }
    return mapped
  }
}

export type Find<Row> = (tx: ReadTx, value: string) => Promise<Row | undefined>

export function prepareFind<T extends SQLiteTable>(table: T, column: SQLiteColumn): Find<T['$inferSelect']> {
  const query = prepareQuery((db) =>
    db
      .select()
      .from(table as SQLiteTable)
      .where(eq(column, sql.placeholder('value')))
      .prepare(),
  )
  return async (tx, value) => query(tx).get({ value })
}

/** A placeholder named after each column, as bare SQL: its value must be encoded first. */
const slots = (columns: readonly string[]): Record<string, SQL> =>
  Object.fromEntries(columns.map((column) => [column, sql`${sql.placeholder(column)}`]))

/**
 * Encodes values for SQLite; columns without a value get their default, or null. Drizzle's own encoding of a placeholder's
 * value would write a null as 0 or as "null".
 */
function makeEncoder(table: SQLiteTable, names: readonly string[]): (row: PlaceholderValues) => PlaceholderValues {
  const all: Record<string, SQLiteColumn> = getTableColumns(table)
  const columns = names.map((name) => {
    const column = all[name]
    const isPlain = column?.mapToDriverValue === Column.prototype.mapToDriverValue
    return { name, column: isPlain ? undefined : column, usual: column?.default ?? null }
  })
  return (row) => {
    const values: PlaceholderValues = {}
    for (const { name, column, usual } of columns) {
      const value = (name in row ? row[name] : usual) ?? null
      values[name] = value === null || !column ? value : column.mapToDriverValue(value)
    }
    return values
  }
}

/** Makes rows in which columns without a value have their default, or null. */
export function prepareRow<T extends SQLiteTable>(table: T): (values: T['$inferInsert']) => T['$inferSelect'] {
  const columns = Object.entries(getTableColumns(table))
  const defaults = Object.fromEntries(columns.map(([name, column]) => [name, column.default ?? null]))
  return (values) => ({ ...defaults, ...values })
}

export function prepareInsert<T extends SQLiteTable>(table: T): (tx: WriteTx, row: T['$inferInsert']) => Promise<void> {
  const numbered = listNumberedColumns(table)
  const columns = Object.keys(getTableColumns(table)).filter((name) => !numbered.includes(name))
  const query = prepareQuery((db, engine) =>
    db
      .insert(table)
      .values({ ...slots(columns), ...buildNumbering(engine, numbered) } as SQLiteInsertValue<T>)
      .prepare(),
  )
  const encode = makeEncoder(table, columns)
  return async (tx, row) => {
    await query(tx).run(encode(row))
  }
}

/**
 * Changes the one row that `where` finds and returns it; undefined when there is none. The SQL is kept per set of
 * columns, of which there are about as many as flows. Placeholders in `where` must not have a column's name. `always`
 * has columns set to expressions.
 */
export function prepareUpdate<T extends SQLiteTable>(
  table: T,
  where: SQL | undefined,
  always: SQLiteUpdateSetSource<T> = {} as SQLiteUpdateSetSource<T>,
) {
  const build = (db: Sql, columns: readonly string[]) => ({
    encode: makeEncoder(table, columns),
    query: db
      .update(table)
      .set({ ...slots(columns), ...always } as SQLiteUpdateSetSource<T>)
      .where(where)
      .returning()
      .prepare(),
  })
  const kept = prepareQuery(() => new Map<string, ReturnType<typeof build>>())
  return async (
    tx: WriteTx,
    set: Partial<T['$inferSelect']>,
    which: Record<string, unknown>,
  ): Promise<T['$inferSelect'] | undefined> => {
    const columns = Object.keys(set)
    const key = columns.join()
    const queries = kept(tx)
    const known = queries.get(key) ?? build(tx.sql, columns)
    queries.set(key, known)
    return await known.query.get({ ...known.encode(set), ...which })
  }
}

/** Holds the queries of all flows; only lists of varying length produce more texts than that. */
const KEPT = 300

/**
 * Makes a database compile each SQL text once: Drizzle prepares every query again, and compiling took two fifths of a
 * sale's time. This is safe because better-sqlite3 is synchronous, so each query ends before the next begins.
 */
export function keepStatements(sqlite: Database.Database): void {
  const compile = sqlite.prepare.bind(sqlite)
  const kept = new Map<string, Database.Statement>()
  const prepare = (source: string): Database.Statement => {
    const known = kept.get(source)
    if (known) return known.reader ? known.raw(false) : known
    const statement = compile(source)
    const [oldest] = kept.keys()
    if (kept.size >= KEPT && oldest !== undefined) kept.delete(oldest)
    kept.set(source, statement)
    return statement
  }
  sqlite.prepare = prepare as typeof sqlite.prepare
}
