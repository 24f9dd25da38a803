import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { Settings } from '../../config.ts'
import { openForReading, openStore } from './open.ts'
import { type SchemaAge, schemaAge } from './sqliteMigrations.ts'
import type { Store } from './store.ts'

export type Where = Pick<Settings, 'databaseFile' | 'databaseUrl'>

/** Opens the configured database, PostgreSQL if set. Throws StoreUnusable. */
export async function openDatabase({ databaseFile, databaseUrl }: Where): Promise<Store> {
  if (databaseUrl === null) return openStore(databaseFile)
  // The driver is loaded only where it is used.
  const { openPostgres } = await import('../postgres/open.ts')
  return openPostgres(databaseUrl)
}

/**
 * Opens the database only for reading, even beside a running server: a file stays as it is. Call `schemaAgeOf` first;
 * the schema must be the current one.
 */
export const openToRead = async (where: Where): Promise<Pick<Store, 'read' | 'close'>> =>
  where.databaseUrl === null ? openForReading(where.databaseFile) : openDatabase(where)

/** The database's name in messages, without user and password. */
export function nameOf({ databaseFile, databaseUrl }: Where): string {
  if (databaseUrl === null) return databaseFile
  const { host, pathname } = new URL(databaseUrl)
  return `PostgreSQL ${host}${pathname}`
}

/** Compares a database's schema with this version's; nothing is changed. Throws if the database cannot be opened. */
export async function schemaAgeOf({ databaseFile, databaseUrl }: Where): Promise<SchemaAge> {
  if (databaseUrl !== null) {
    const { isPostgresUpToDate } = await import('../postgres/open.ts')
    return (await isPostgresUpToDate(databaseUrl)) ? 'same' : 'older'
  }
  if (!existsSync(databaseFile)) return 'empty'
  const sqlite = new Database(databaseFile, { readonly: true, fileMustExist: true })
  try {
    return schemaAge(sqlite)
  } finally {
    sqlite.close()
  }
}
