import { existsSync, statSync } from 'node:fs'
import type Database from 'better-sqlite3'

export interface Condition {
  /** Path of the database. */
  file: string
  sizeBytes: number
  /** The write-ahead log beside it, 0 when there is none. */
  walBytes: number
  sqliteVersion: string
}

export const isInPlace = (sqlite: Database.Database): boolean => existsSync(sqlite.name)

/** The state of the database: its files and SQLite's version. */
export function conditionOf(sqlite: Database.Database): Condition {
  const pages = sqlite.pragma('page_count', { simple: true }) as number
  const pageBytes = sqlite.pragma('page_size', { simple: true }) as number
  return {
    file: sqlite.name,
    sizeBytes: pages * pageBytes,
    walBytes: statSync(`${sqlite.name}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    sqliteVersion: sqlite.prepare('select sqlite_version()').pluck().get() as string,
  }
}
