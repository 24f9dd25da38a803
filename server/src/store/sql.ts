import { fold } from '@garba/shared/rules/search'
import type Database from 'better-sqlite3'
import { and, type SQL, sql } from 'drizzle-orm'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { AnySQLiteColumn, BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'

/** The open database. Only flows begin transactions on it. */
export type Db = BetterSQLite3Database & { $client: Database.Database }
/** What a table's functions need of it. */
export type Sql = BaseSQLiteDatabase<'sync', Database.RunResult>

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
