/*
 * What is made once for each query instead of once for each call: the SQL text that Drizzle builds (prepared, inserter,
 * updater), and what SQLite compiles from it (keepStatements).
 */
import type Database from 'better-sqlite3'
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteInsertValue, SQLiteTable, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import type { Engine, ReadTx, Sql, WriteTx } from './sql.ts'

/** A query whose SQL is built once for each connection: building it anew took more of a sale than running it. */
export function prepared<Q>(build: (sql: Sql, engine: Engine) => Q): (tx: ReadTx) => Q {
  const kept = new WeakMap<Sql, { query: Q }>()
  return ({ sql, engine }) => {
    const known = kept.get(sql)
    if (known) return known.query
    const query = build(sql, engine)
    kept.set(sql, { query })
    return query
  }
}

/** A placeholder of each column's name, as bare SQL: a value for it must be encoded first. */
const slots = (columns: readonly string[]): Record<string, SQL> =>
  Object.fromEntries(columns.map((column) => [column, sql`${sql.placeholder(column)}`]))

/** Values as SQLite takes them. Drizzle's own encoding of a placeholder's value would write a null as 0 or as "null". */
function encoded(table: SQLiteTable, columns: readonly string[], row: Readonly<Record<string, unknown>>) {
  const encoders = getTableColumns(table)
  return Object.fromEntries(
    columns.map((column) => {
      const value = row[column] ?? null
      return [column, value === null ? null : encoders[column]?.mapToDriverValue(value)]
    }),
  )
}

/** The insertion of one row; what the row leaves out is null. */
export function inserter<T extends SQLiteTable>(table: T): (tx: WriteTx, row: T['$inferInsert']) => Promise<void> {
  const all = Object.entries(getTableColumns(table))
  // A number that is the key is the database's to give: SQLite takes null for that, PostgreSQL a word of its own.
  const given = new Set(
    all.filter(([, { primary, dataType }]) => primary && dataType === 'number').map(([name]) => name),
  )
  const columns = all.map(([name]) => name).filter((name) => !given.has(name))
  const left = (engine: Engine) =>
    engine === 'sqlite' ? {} : Object.fromEntries(Array.from(given, (name) => [name, sql`default`]))
  const query = prepared((db, engine) =>
    db
      .insert(table)
      .values({ ...slots(columns), ...left(engine) } as SQLiteInsertValue<T>)
      .prepare(),
  )
  return async (tx, row) => {
    await query(tx).run(encoded(table, columns, row))
  }
}

/**
 * The change of the one row that `where` finds, which is answered as changed; undefined when there is none. The SQL is
 * kept for each choice of columns, of which there are as many as there are flows. The placeholders of `where` must have
 * names of no column.
 */
export function updater<T extends SQLiteTable>(table: T, where: SQL | undefined) {
  const build = (db: Sql, columns: readonly string[]) =>
    db
      .update(table)
      .set(slots(columns) as SQLiteUpdateSetSource<T>)
      .where(where)
      .returning()
      .prepare()
  const kept = prepared(() => new Map<string, ReturnType<typeof build>>())
  return async (
    tx: WriteTx,
    set: Partial<T['$inferSelect']>,
    which: Record<string, unknown>,
  ): Promise<T['$inferSelect'] | undefined> => {
    const columns = Object.keys(set)
    const key = columns.join()
    const queries = kept(tx)
    const query = queries.get(key) ?? build(tx.sql, columns)
    queries.set(key, query)
    return await query.get({ ...encoded(table, columns, set), ...which })
  }
}

/** More than the queries of all flows; only lists of varying length make more texts than that. */
const KEPT = 300

/**
 * Makes a database compile each SQL text once. Drizzle asks anew for every query, and compiling took two fifths of a
 * sale's time. Safe because every query is read to its end before the next begins: better-sqlite3 is synchronous.
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
