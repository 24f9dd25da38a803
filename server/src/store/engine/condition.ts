import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type Database from 'better-sqlite3'

export interface Condition {
  /** The folder it grows in; null on PostgreSQL, which looks after its own disk. */
  folder: string | null
  sizeBytes: number
  /** The write-ahead log beside it, 0 when there is none. */
  walBytes: number
  engine: { sqlite: string } | { postgres: string }
}

export const isInPlace = (sqlite: Database.Database): boolean => existsSync(sqlite.name)

/** The state of the database: its files and SQLite's version. */
export function conditionOf(sqlite: Database.Database): Condition {
  const pages = sqlite.pragma('page_count', { simple: true }) as number
  const pageBytes = sqlite.pragma('page_size', { simple: true }) as number
  return {
    folder: dirname(sqlite.name),
    sizeBytes: pages * pageBytes,
    walBytes: statSync(`${sqlite.name}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    engine: { sqlite: sqlite.prepare('select sqlite_version()').pluck().get() as string },
  }
}
