import { fold } from '@garba/shared/rules/search'
import { and, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn, BaseSQLiteDatabase, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Change } from './changes.ts'

/** Drizzle's queries on one connection, as promises whatever the engine. */
export type Sql = BaseSQLiteDatabase<'async', unknown>

export type Engine = 'sqlite' | 'postgres'

/** One moment of the database, for the time of one `store.read` or `store.write`; used later, it throws. */
export interface ReadTx {
  readonly engine: Engine
  readonly sql: Sql
  /** The rows of a query written out, by the names it gives them. */
  readonly rows: <T>(query: SQL) => Promise<T[]>
}
/** Runs queries that are written out whole, without anything bound. */
export const asks =
  (tx: ReadTx) =>
  (query: string): Promise<Record<string, unknown>[]> =>
    tx.rows<Record<string, unknown>>(sql.raw(query))

/** A read that may also write. */
export interface WriteTx extends ReadTx {
  /** Tells live views of it once it is on the disk, on every server of this database. */
  announce: (...changes: Change[]) => void
  /** Calls back once the write is on the disk, before its caller goes on; not at all when it failed. */
  afterCommit: (hook: () => void) => void
}

/**
 * A table to be read by one of its indexes, where SQLite's planner would choose worse for want of statistics; PostgreSQL
 * gathers its own.
 */
export const byIndex = ({ engine }: ReadTx, table: SQLiteTable, index: string): SQL =>
  engine === 'sqlite' ? sql`${table} indexed by ${sql.raw(index)}` : sql`${table}`

/** A text as a LIKE pattern that finds it anywhere; its own % and _ mean themselves (with `escape '\'`). */
const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Rows whose folded text holds every word of a search, in any order; an empty search finds them all. */
export const matching = (searchText: AnySQLiteColumn, search: string | undefined): SQL | undefined =>
  and(
    ...fold(search ?? '')
      .split(' ')
      .filter(Boolean)
      .map((word) => sql`${searchText} like ${containing(word)} escape '\\'`),
  )

/** A part of a long list. */
export interface Slice {
  limit: number
  offset: number
}
