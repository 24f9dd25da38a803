import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { migrate } from 'drizzle-orm/better-sqlite3/migrator'
import { keepOwnerOnly } from './ownerOnly.ts'
import type { Db } from './sql.ts'
import { keepStatements } from './statements.ts'
import { StoreUnusable } from './unusable.ts'

const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url))
/** Waiting stops the whole process, so it is short; a lock held longer is reported. */
const BUSY_TIMEOUT_MS = 2_000

export interface Store {
  db: Db
  sqlite: Database.Database
  /** Moves the write-ahead log into the database file and closes it. */
  close: () => void
}

/**
 * Opens the database file, made if absent, and brings it to the present schema.
 * Throws StoreUnusable, whose sentence names the file and what is wrong with it.
 */
export function openStore(file: string): Store {
  try {
    keepOwnerOnly(file)
    const sqlite = new Database(file, { timeout: BUSY_TIMEOUT_MS })
    try {
      return prepare(sqlite)
    } catch (error) {
      sqlite.close()
      throw error
    }
  } catch (error) {
    throw StoreUnusable.from(error, file)
  }
}

function prepare(sqlite: Database.Database): Store {
  sqlite.pragma('journal_mode = WAL')
  // NORMAL can forget a used ticket at power loss (ARCHITECTURE 6).
  sqlite.pragma('synchronous = FULL')
  keepStatements(sqlite)
  const db = drizzle({ client: sqlite, casing: 'snake_case' })
  bringUpToDate(sqlite, db)
  proveWritable(sqlite)
  return {
    db,
    sqlite,
    close: () => {
      if (!sqlite.open) return
      sqlite.pragma('wal_checkpoint(TRUNCATE)')
      sqlite.close()
    },
  }
}

/**
 * The migrator works inside BEGIN, where `foreign_keys = OFF` does nothing and a table rebuild would delete children;
 * so foreign keys are off around it and what it left is checked (ARCHITECTURE 6).
 */
function bringUpToDate(sqlite: Database.Database, db: Db): void {
  sqlite.pragma('foreign_keys = OFF')
  migrate(db, { migrationsFolder: MIGRATIONS })
  const broken = sqlite.pragma('foreign_key_check')
  if (Array.isArray(broken) && broken.length > 0)
    throw new Error(`${broken.length} rows point at rows that do not exist`)
  sqlite.pragma('foreign_keys = ON')
}

/** A lock, a read-only file or a full disk shows at boot, not at the first sale. */
function proveWritable(sqlite: Database.Database): void {
  const key = sqlite.prepare(
    "insert into meta (key, value) values ('opened', ?) on conflict (key) do update set value = excluded.value",
  )
  key.run(new Date().toISOString())
}
