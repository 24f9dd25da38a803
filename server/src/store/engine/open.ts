import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { migrate } from 'drizzle-orm/better-sqlite3/migrator'
import type { Settings } from '../../config.ts'
import { dropAbandoned, keepOwnerOnly } from './folder.ts'
import { keepStatements, mapRowsOnce } from './preparedQueries.ts'
import type { Sql } from './sql.ts'
import { type Condition, makeChanges, type Store } from './store.ts'
import {
  type Connection,
  makeSavepoint,
  SerialQueue,
  type SqliteWriterOptions,
  sharedSnapshot,
  sqliteWriter,
} from './transaction.ts'
import { FOREIGN_SCHEMA, isPassing, StoreUnusable } from './unusable.ts'
import { WriteQueue } from './writeQueue.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))
/** Waiting blocks the whole process, so it is short; a lock held longer is reported. */
const BUSY_TIMEOUT_MS = 2_000
/** KB. Each commit goes through the writer's cache, and empties the reader's, so both stay small. */
const CACHE_KB = { writer: 4_000, reader: 8_000 }

export interface SqliteStore extends Store {
  sqlite: Database.Database
  reader: Database.Database
}

/**
 * Opens the database file, makes it if absent, and migrates it to the current schema. Throws StoreUnusable, whose
 * sentence names the file and the problem.
 */
export const openStore = (file: string, options?: SqliteWriterOptions): SqliteStore =>
  opened(file, (sqlite) => {
    const reading = new Database(file, { readonly: true, timeout: BUSY_TIMEOUT_MS })
    reading.pragma(`cache_size = -${CACHE_KB.reader}`)
    const snapshot = sharedSnapshot(reading)
    const reads = new SerialQueue(reading, makeConnection(reading), snapshot)
    const changes = makeChanges()
    const writes = new WriteQueue(
      sqliteWriter(sqlite, { connection: makeConnection(sqlite), changes, onCommit: snapshot.outdate }, options),
      () => reads.requested,
    )
    return {
      changes,
      sharedCounter: null,
      sqlite,
      reader: reading,
      read: (work) => reads.run(work),
      write: (work, touching) => writes.write(work, touching),
      isInPlace: watchPlace(file),
      scrub: () => emptyLog(sqlite, reading),
      condition: async () => readCondition(reading),
      load: () => writes.load(),
      close: async () => {
        await writes.drain()
        await reads.drain()
        reading.close()
        close(sqlite)
      },
    }
  })

/**
 * Opens the database only for reading, even beside a running server: nothing is made, changed or locked. The schema
 * must be the current one (`schemaAge`).
 */
export function openForReading(file: string): Pick<Store, 'read' | 'close'> & { sqlite: Database.Database } {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
  const reads = new SerialQueue(sqlite, makeConnection(sqlite), makeSavepoint(sqlite))
  return {
    sqlite,
    read: (work) => reads.run(work),
    close: async () => {
      await reads.drain()
      sqlite.close()
    },
  }
}

function opened<S extends SqliteStore>(file: string, make: (sqlite: Database.Database) => S): S {
  try {
    keepOwnerOnly(file)
    dropAbandoned(file)
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) inFile(file, { readonly: true }, refuseForeignSchema)
    const sqlite = new Database(file, { timeout: BUSY_TIMEOUT_MS })
    try {
      sqlite.pragma('journal_mode = WAL')
      // With NORMAL, a power loss could forget a used ticket.
      sqlite.pragma('synchronous = FULL')
      // SQLite overwrites deleted and changed data in the file, so that it cannot be read there.
      sqlite.pragma('secure_delete = ON')
      bringUpToDate(sqlite)
      sqlite.pragma(`cache_size = -${CACHE_KB.writer}`)
      proveWritable(sqlite)
      return make(sqlite)
    } catch (error) {
      sqlite.close()
      throw error
    }
  } catch (error) {
    throw StoreUnusable.from(error, file)
  }
}

const TURNS = 20

/**
 * Copies the log, which holds old versions of changed rows, into the database and empties it. While another process
 * reads, as for a backup, the log stays until a later checkpoint or the server's stop.
 */
async function emptyLog(sqlite: Database.Database, reading: Database.Database): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    await nextTurn()
    if (!sqlite.open) return
    if (reading.inTransaction || sqlite.inTransaction) continue
    sqlite.pragma('busy_timeout = 0')
    try {
      sqlite.pragma('wal_checkpoint(TRUNCATE)')
    } finally {
      sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
    }
    return
  }
}

function close(sqlite: Database.Database): void {
  if (!sqlite.open) return
  try {
    sqlite.pragma('wal_checkpoint(TRUNCATE)')
  } catch (error) {
    // On a full disk the log stays, and the next start reads it.
    if (!isPassing(error)) throw error
  }
  sqlite.close()
}

/** better-sqlite3 is synchronous; its answers are wrapped to be awaited like any other engine's. */
function makeConnection(sqlite: Database.Database): Connection {
  keepStatements(sqlite)
  const sql = drizzle({ client: sqlite, casing: 'snake_case' }) as unknown as Sql
  mapRowsOnce(sql)
  return { engine: 'sqlite', sql, rows: async (query) => sql.all(query) }
}

/**
 * Migrates a file's tables to this version. The migrator works inside BEGIN, where `foreign_keys = OFF` does nothing
 * and a table rebuild would delete children. So foreign keys are turned off before it, and checked afterwards.
 */
export function bringUpToDate(sqlite: Database.Database): void {
  // The migrator would silently skip migrations that it does not know.
  const age = refuseForeignSchema(sqlite)
  sqlite.pragma('foreign_keys = OFF')
  if (age !== 'same') migrate(drizzle({ client: sqlite, casing: 'snake_case' }), { migrationsFolder: MIGRATIONS })
  const broken = sqlite.pragma('foreign_key_check')
  if (Array.isArray(broken) && broken.length > 0)
    throw new Error(`${broken.length} rows point at rows that do not exist`)
  sqlite.pragma('foreign_keys = ON')
}

/** Reveals a lock, a read-only file or a full disk at boot instead of at the first sale. */
function proveWritable(sqlite: Database.Database): void {
  const key = sqlite.prepare(
    "insert into meta (key, value) values ('opened', ?) on conflict (key) do update set value = excluded.value",
  )
  key.run(new Date().toISOString())
}

function watchPlace(file: string): () => boolean {
  const inode = () => statSync(file, { throwIfNoEntry: false })?.ino
  const opened = inode()
  return () => inode() === opened
}

function readCondition(sqlite: Database.Database): Condition {
  const pages = sqlite.pragma('page_count', { simple: true }) as number
  const pageBytes = sqlite.pragma('page_size', { simple: true }) as number
  return {
    folder: dirname(sqlite.name),
    sizeBytes: pages * pageBytes,
    walBytes: statSync(`${sqlite.name}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    engine: { sqlite: sqlite.prepare('select sqlite_version()').pluck().get() as string },
  }
}

/** Compares a database file with this version's schema; `empty` before the first start, `unreleased` before 1.0.0. */
export type SchemaAge = 'empty' | 'older' | 'same' | 'later' | 'unreleased'

function refuseForeignSchema(sqlite: Database.Database): 'empty' | 'older' | 'same' {
  const age = schemaAge(sqlite)
  if (age === 'later' || age === 'unreleased') throw new RangeError(FOREIGN_SCHEMA[age])
  return age
}

export function schemaAge(sqlite: Database.Database): SchemaAge {
  if (!sqlite.prepare("select 1 from sqlite_master where name = '__drizzle_migrations'").get()) return 'empty'
  const made = sqlite.prepare('select max(created_at) from __drizzle_migrations').pluck().get() as number | null
  if (made === null) return 'empty'
  const { entries } = JSON.parse(readFileSync(join(MIGRATIONS, 'meta', '_journal.json'), 'utf8')) as {
    entries: { tag: string; when: number }[]
  }
  const initial = readFileSync(join(MIGRATIONS, `${entries[0]?.tag}.sql`))
  const begunWith = sqlite.prepare('select hash from __drizzle_migrations order by created_at limit 1').pluck().get()
  if (begunWith !== createHash('sha256').update(initial).digest('hex')) return 'unreleased'
  const ours = Math.max(...entries.map(({ when }) => when))
  return made === ours ? 'same' : made < ours ? 'older' : 'later'
}

export function inFile<T>(file: string, options: Database.Options, work: (sqlite: Database.Database) => T): T {
  const sqlite = new Database(file, { fileMustExist: true, ...options })
  try {
    return work(sqlite)
  } finally {
    sqlite.close()
  }
}

export type Where = Pick<Settings, 'databaseFile' | 'databaseUrl'>

/** Opens the configured database, PostgreSQL if set. Throws StoreUnusable. */
export async function openDatabase({ databaseFile, databaseUrl }: Where): Promise<Store> {
  if (databaseUrl === null) return openStore(databaseFile)
  // The driver is loaded only where it is used.
  const { openPostgres } = await import('../postgres/open.ts')
  return openPostgres(databaseUrl)
}

/**
 * Opens the database only for reading, even beside a running server; a file is not changed. Call `readSchemaAge` first;
 * the schema must be the current one.
 */
export const openToRead = async (where: Where): Promise<Pick<Store, 'read' | 'close'>> =>
  where.databaseUrl === null ? openForReading(where.databaseFile) : openDatabase(where)

/** The database's name in messages, without user and password. */
export function formatDatabaseName({ databaseFile, databaseUrl }: Where): string {
  if (databaseUrl === null) return databaseFile
  const { host, pathname } = new URL(databaseUrl)
  return `PostgreSQL ${host}${pathname}`
}

/** Compares a database's schema with this version's; nothing is changed. Throws if the database cannot be opened. */
export async function readSchemaAge({ databaseFile, databaseUrl }: Where): Promise<SchemaAge> {
  if (databaseUrl !== null) {
    const { postgresSchemaAge } = await import('../postgres/open.ts')
    return postgresSchemaAge(databaseUrl)
  }
  return existsSync(databaseFile) ? inFile(databaseFile, { readonly: true }, schemaAge) : 'empty'
}
