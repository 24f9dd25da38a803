import { fold } from '@garba/shared/rules/search'
import { and, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn, BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'

/** The queries of one connection, as promises whatever the engine. */
export type Sql = BaseSQLiteDatabase<'async', unknown>

/** One moment of the database, for the time of one `store.read` or `store.write`; used later, it throws. */
export interface ReadTx {
  readonly sql: Sql
}
/** A read that may also write. */
export interface WriteTx extends ReadTx {
  /** Calls back once the write is on the disk, before its caller goes on; not at all when it failed. */
  afterCommit: (hook: () => void) => void
}

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
