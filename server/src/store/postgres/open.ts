import pg from 'pg'
import type { Condition } from '../engine/condition.ts'
import type { ReadTx } from '../engine/sql.ts'
import type { Store } from '../engine/store.ts'
import { Transaction } from '../engine/transaction.ts'
import { StoreUnusable } from '../engine/unusable.ts'
import { GroupCommit } from '../engine/writeQueue.ts'
import { currentRevision } from '../meta.ts'
import { listenTo } from './announcements.ts'
import { connected, connectionOf, optionsOf, rolledBack, sendOnly, untilEnd } from './connection.ts'
import { countsIn } from './counts.ts'
import { asError, asUnavailable } from './failures.ts'
import { isUpToDate, migratePostgres } from './migrations.ts'
import { postgresWriter } from './writer.ts'

/** One connection writes and the others read; one more listens. */
const CONNECTIONS = 10
const OLDEST_VERSION = 150_000

export interface PostgresStore extends Store {
  pool: pg.Pool
}

/**
 * Opens a PostgreSQL database and brings it to the current schema. Throws StoreUnusable, whose sentence names the
 * problem with the address, the version or the permissions, and never the password.
 */
export async function openPostgres(url: string): Promise<PostgresStore> {
  const pool = new pg.Pool({ ...optionsOf(url), max: CONNECTIONS })
  // The pool replaces a broken connection at the next query. A query already under way on it fails by itself.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  try {
    await prepare(pool, url)
  } catch (error) {
    await pool.end()
    throw StoreUnusable.fromPostgres(error, url)
  }
  const read = <T>(work: (tx: ReadTx) => Promise<T>) => snapshot(pool, work)
  const { changes, notice, stop } = listenTo(url, () => read(currentRevision))
  const writes = new GroupCommit(postgresWriter(pool, { notice, published: (names) => changes.publish(...names) }))
  return {
    pool,
    changes,
    read,
    write: (work) => writes.write(work),
    sharedCounter: countsIn(pool),
    isInPlace: () => true,
    // PostgreSQL's vacuum does that in its own time.
    scrub: async () => undefined,
    condition: () => conditionOf(pool),
    load: () => writes.load(),
    close: async () => {
      await writes.drain()
      await stop()
      if (!pool.ended) await pool.end()
    },
  }
}

/** Whether the database has the current schema; nothing is changed. Throws StoreUnusable. */
export async function isPostgresUpToDate(url: string): Promise<boolean> {
  const client = new pg.Client(optionsOf(url))
  try {
    await client.connect()
    return await isUpToDate(client)
  } catch (error) {
    throw StoreUnusable.fromPostgres(error, url)
  } finally {
    await client.end().catch(() => undefined)
  }
}

interface Found {
  version: number
  standby: boolean
  /** Null before the first migration. */
  writable: boolean | null
}

/** Throws if the database cannot be used. */
async function prepare(pool: pg.Pool, url: string): Promise<void> {
  const { rows } = await pool.query<Found>(
    `select current_setting('server_version_num')::int as version, pg_is_in_recovery() as standby,
      has_table_privilege(to_regclass('tickets'), 'insert') as writable`,
  )
  const [{ version, standby, writable } = { version: 0, standby: false, writable: null }] = rows
  if (version < OLDEST_VERSION) throw new RangeError('it is older than PostgreSQL 15')
  if (standby) throw new RangeError('it is a standby, which takes no writes')
  if (writable === false) throw new RangeError('that user may not write its tables')
  if (writable && (await isUpToDate(pool))) return
  // Migrations may take longer than a query of the pool.
  await connected({ connectionString: url, application_name: 'garba' }, migratePostgres)
}

/** Reads of one moment, on a connection of their own. */
async function snapshot<T>(pool: pg.Pool, work: (tx: ReadTx) => Promise<T>): Promise<T> {
  let client: pg.PoolClient | undefined
  let broken: Error | undefined
  try {
    client = await pool.connect()
    sendOnly(client, 'begin isolation level repeatable read read only')
    const value = await untilEnd(new Transaction(connectionOf(client)), work)
    sendOnly(client, 'commit')
    return value
  } catch (error) {
    const failure = asUnavailable(error)
    broken = failure === error ? client && (await rolledBack(client)) : asError(error)
    throw failure
  } finally {
    client?.release(broken)
  }
}

async function conditionOf(pool: pg.Pool): Promise<Condition> {
  const { rows } = await pool.query<{ bytes: number; version: string }>(
    "select pg_database_size(current_database()) as bytes, current_setting('server_version') as version",
  )
  const [{ bytes, version } = { bytes: 0, version: '' }] = rows
  return { folder: null, sizeBytes: bytes, walBytes: 0, engine: { postgres: version } }
}
