import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Pool } from 'pg'
import { expect, inject, test } from 'vitest'
import { ensurePushKeys } from '../flows/push/subscriptions.ts'
import { ensureSigningKey } from '../flows/signingKeys.ts'
import { openStore, type SqliteStore } from '../store/engine/open.ts'
import type { Store } from '../store/engine/store.ts'
import { toPostgresSql } from '../store/postgres/connection.ts'
import { copyToFile } from '../store/postgres/copyToFile.ts'
import { moveToPostgres } from '../store/postgres/move.ts'
import { openPostgres, poolAt } from '../store/postgres/open.ts'
import { BEGINNING } from './clock.ts'
import { ask, databaseAt, TEMPLATE } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the server's maintenance database, where a run is on PostgreSQL. */
    postgres: string | undefined
  }
}

/** The PostgreSQL server of this run; undefined where the run is on SQLite. */
function server(): string | undefined {
  try {
    return inject('postgres')
  } catch {
    // Outside a test, as in a storm or a benchmark.
    return chosen
  }
}

let chosen: string | undefined

/** Makes the worlds of a storm on this PostgreSQL server (`worldPostgres`). */
export function makeWorldsOn(postgres: string): void {
  chosen = postgres
}

export const onPostgres = (): boolean => server() !== undefined

/** A test that a run on PostgreSQL leaves out: of SQLite's own matters, or one whose statements other tests send there. */
export function testOnSqlite(title: string, body: () => Promise<void>, timeout?: number): void {
  if (!onPostgres()) test(title, body, timeout)
}

type Row = Record<string, unknown>

export interface TestDatabase {
  store: Store
  /** Runs SQL that both engines understand, beside the app; parameters are `?`. Resolves with the rows. */
  sql: (source: string, ...params: unknown[]) => Promise<Row[]>
  /** The store where the run is on SQLite; throws on PostgreSQL. */
  sqliteStore: () => SqliteStore
  /** The same database opened once more, as by another process. */
  openAgain: () => Promise<Store>
  /** Makes the insertion of one row fail. */
  refuseRow: (table: string, id: string) => Promise<void>
  /** Makes every commit with a new row of this table fail, until the function it resolves with is called. */
  spoilCommits: (table: string) => Promise<() => Promise<void>>
  /** The error code of a query for a table that is not there. */
  noSuchTable: string
  /** What the system panel says of the engine. */
  versions: object
  /** A folder of its own; on SQLite the database is in it. */
  folder: string
  remove: () => Promise<void>
}

/** A migrated database of its own, with a signing key; or one with what the given SQLite file has. */
export async function makeDatabase(from?: string): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'garba-test-'))
  const address = server()
  const database =
    address === undefined ? await onSqlite(folder, from ?? (await templateFile())) : await inPostgres(address, from)
  return {
    ...database,
    folder,
    remove: async () => {
      await database.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type NewDatabase = Omit<TestDatabase, 'folder'>

let template: string | null = null

/** A migrated database file, made once for each test process and copied for each test. */
async function templateFile(): Promise<string> {
  if (template) return template
  const folder = mkdtempSync(join(tmpdir(), 'garba-template-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'garba.db')
  const store = openStore(file)
  await ensureSigningKey({ store, now: () => BEGINNING })
  await ensurePushKeys({ store })
  await store.close()
  template = file
  return file
}

async function onSqlite(folder: string, from: string): Promise<NewDatabase> {
  const file = join(folder, 'garba.db')
  copyFileSync(from, file)
  const store = openStore(file)
  // What a power cut leaves is open.test.ts's subject. Waiting for the disk at each commit is half of the time otherwise.
  store.sqlite.pragma('synchronous = OFF')
  const { sqlite } = store
  return {
    store,
    sqliteStore: () => store,
    noSuchTable: 'SQLITE_ERROR',
    versions: { sqlite: expect.stringMatching(/^3\./) },
    sql: async (source, ...params) => {
      const statement = sqlite.prepare(source)
      if (statement.reader) return statement.all(...params) as Row[]
      statement.run(...params)
      // The store sees what others commit in the next turn of the event loop.
      await nextTurn()
      return []
    },
    openAgain: async () => openStore(file),
    refuseRow: async (table, id) => {
      sqlite.exec(
        `create trigger fails before insert on ${table} when new.id = '${id}' begin select raise(abort, 'no'); end`,
      )
    },
    spoilCommits: async (table) => {
      // Deferred, so SQLite checks it at the commit.
      sqlite.exec(`
        create table orphans (id text references users (id) deferrable initially deferred);
        create trigger spoil after insert on ${table} begin insert into orphans values ('nobody'); end`)
      return async () => void sqlite.exec('drop trigger spoil')
    },
    remove: store.close,
  }
}

let made = 0
/**
 * Databases of worlds that are gone, and their connections: making one takes PostgreSQL a quarter of a second, and each
 * connection reads the catalogue and plans the statements anew.
 */
const free: { name: string; pool: Pool | undefined }[] = []

/** Lets a store close without its connections. */
async function keepOpen(pool: Pool, close: () => Promise<void>): Promise<void> {
  pool.end = async () => {
    while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount) await nextTurn()
  }
  await close()
  Reflect.deleteProperty(pool, 'end')
}

/** Copies a world's database to a file, as a backup does. */
export async function copyOf({ sql }: Pick<TestDatabase, 'sql'>, file: string): Promise<void> {
  const [row] = await sql('select current_database() as name')
  await copyToFile({ url: databaseAt(server() ?? '', String(row?.name)), file })
}

async function inPostgres(address: string, from?: string): Promise<NewDatabase> {
  const used = from === undefined ? free.pop() : undefined
  const name = used?.name ?? (await another(address, from === undefined ? TEMPLATE : 'template0'))
  if (from !== undefined) await moveToPostgres({ file: from, url: databaseAt(address, name) })
  const url = databaseAt(address, name)
  const pool = used?.pool ?? poolAt(url)
  const store = await openPostgres(url, { pool })
  if (used) await store.pool.query('select pristine.again()')
  /** Whether its tables are other than the template's. */
  let altered = from !== undefined
  const alter = async (source: string) => {
    altered = true
    await store.pool.query(source)
  }
  const refusing = "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$"
  return {
    store,
    openAgain: () => openPostgres(url),
    noSuchTable: '42P01',
    versions: { postgres: expect.stringMatching(/^\d+\.\d+/) },
    refuseRow: (table, id) =>
      alter(`${refusing}; create trigger fails before insert on ${table} for each row when (new.id = '${id}')
        execute function refuse()`),
    spoilCommits: async (table) => {
      await alter(`${refusing}; create constraint trigger spoil after insert on ${table} deferrable initially deferred
        for each row execute function refuse()`)
      return () => alter(`drop trigger spoil on ${table}`)
    },
    sqliteStore: () => {
      throw new Error('This run is on PostgreSQL')
    },
    sql: async (source, ...params) => {
      altered ||= /^\s*(alter|create|drop)\b/i.test(source)
      return (await store.pool.query<Row>(toPostgresSql(source), params)).rows
    },
    remove: async () => {
      const isKept = !altered && !pool.ending
      await (isKept ? keepOpen(pool, store.close) : store.close())
      if (!altered) free.push({ name, pool: isKept ? pool : undefined })
    },
  }
}

/** The address of a new database without tables, on the PostgreSQL server of this run. Nothing removes it. */
export async function emptyPostgres(): Promise<string> {
  const address = server() ?? ''
  return databaseAt(address, await another(address, 'template0'))
}

async function another(address: string, template: string): Promise<string> {
  made += 1
  const name = `world_${process.pid}_${made}`
  await ask(address, `create database ${name} template ${template}`)
  return name
}
