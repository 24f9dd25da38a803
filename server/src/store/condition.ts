import { existsSync, statSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import type { Db, Sql } from './sql.ts'

export interface Condition {
  /** Path of the database; empty for one in memory. */
  file: string
  sizeBytes: number
  /** The write-ahead log beside it, 0 when there is none. */
  walBytes: number
  sqliteVersion: string
}

/** Whether the file is still where it was opened: writes to a removed file are lost at the next start. */
export const isInPlace = ({ $client }: Db): boolean => $client.memory || existsSync($client.name)

/** The state of the database: its files and SQLite's version. */
export function conditionOf(db: Sql): Condition {
  const { file } = db.get<{ file: string }>(sql`select file from pragma_database_list where name = 'main'`)
  const { bytes, version } = db.get<{ bytes: number; version: string }>(
    sql`select page_count * page_size as bytes, sqlite_version() as version from pragma_page_count, pragma_page_size`,
  )
  const wal = file === '' ? undefined : statSync(`${file}-wal`, { throwIfNoEntry: false })
  return { file, sizeBytes: bytes, walBytes: wal?.size ?? 0, sqliteVersion: version }
}
