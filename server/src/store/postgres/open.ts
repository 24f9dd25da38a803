import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import type { WriteTx } from '../engine/sql.ts'
import type { Change, Condition, Store } from '../engine/store.ts'
import { type Connection, type Outcome, type RunAtomically, Transaction } from '../engine/transaction.ts'
import { RestoreCutOff, SHARED_POOL, STANDBY, StoreUnusable } from '../engine/unusable.ts'
import { type GroupTransaction, Spoiled, type Work, WriteQueue, type Writer } from '../engine/writeQueue.ts'
import { currentRevision } from '../meta.ts'
import {
  asError,
  BEGIN,
  buildClientConfig,
  type Footprint,
  footprints,
  getConnection,
  isAfterFailure,
  isAway,
  isGivenUp,
  rolledBack,
  runOnConnection,
  sendOnly,
  sharedSnapshots,
  untilEnd,
} from './connection.ts'
import { makeCallCounter } from './counts.ts'
import { listenTo } from './listen.ts'
import { isUpToDate, migratePostgres, RESTORING_TABLE } from './migrations.ts'

/** Six connections read, two count calls, and two write in turn; one more listens. */
const CONNECTIONS = 10
const READERS = 6
const OLDEST_VERSION = 150_000
/**
 * After a failover, reads follow the address to the new primary within this time, even if the old primary still
 * answers.
 */
const LIFETIME_SECONDS = 60

export interface PostgresStore extends Store {
  pool: pg.Pool
}

/** A store's connections. The pool replaces a broken one at the next query; a query in progress on it fails by itself. */
export function poolAt(url: string, { maxLifetimeSeconds = LIFETIME_SECONDS } = {}): pg.Pool {
  const pool = new pg.Pool({ ...buildClientConfig(url), max: CONNECTIONS, maxLifetimeSeconds })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/**
 * Opens a PostgreSQL database and brings it to the current schema. Throws StoreUnusable, whose sentence names the
 * problem with the address, the version or the permissions, and never the password. Only the restore itself may open a
 * database that is being restored.
 */
export async function openPostgres(
  url: string,
  { restoring = false, pool = poolAt(url) } = {},
): Promise<PostgresStore> {
  try {
    await prepare(pool, { url, restoring })
  } catch (error) {
    await pool.end()
    throw StoreUnusable.fromPostgres(error, url)
  }
  const read = sharedSnapshots(pool, READERS)
  const { changes, notice, stop } = listenTo(url, () => read(currentRevision))
  const writes = new WriteQueue(postgresWriter(pool, { notice, published: (names) => changes.publish(...names) }))
  return {
    pool,
    changes,
    read,
    write: (work, touching) => writes.write(work, touching),
    sharedCounter: makeCallCounter(pool),
    isInPlace: () => true,
    // PostgreSQL's vacuum removes deleted data by itself.
    scrub: async () => undefined,
    condition: () => readCondition(pool),
    load: () => writes.load(),
    close: async () => {
      await writes.drain()
      await stop()
      if (!pool.ended) await pool.end()
    },
  }
}

const workingAt = <T>(url: string, options: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  runOnConnection({ ...buildClientConfig(url), ...options }, work).catch((error: unknown) => {
    throw StoreUnusable.fromPostgres(error, url)
  })

/** Compares the database's schema with this version's; nothing is changed. Throws StoreUnusable. */
export async function postgresSchemaAge(url: string): Promise<'empty' | 'same' | 'older'> {
  const pool = poolAt(url)
  try {
    const found = await findUsable(pool)
    requireEveryScript(found)
    if (found.writable === null) return 'empty'
    return (await isUpToDate(pool)) ? 'same' : 'older'
  } catch (error) {
    throw StoreUnusable.fromPostgres(error, url)
  } finally {
    await pool.end()
  }
}

interface DatabaseSetup {
  encoding: string
  writable: boolean | null
}
const MADE = `current_setting('server_encoding') as encoding,
      has_table_privilege(to_regclass('tickets'), 'insert') as writable`

/**
 * Names may be in any script, so a new database must use UTF-8. A database that is already in use keeps its encoding.
 */
function requireEveryScript({ encoding, writable }: DatabaseSetup): void {
  if (writable === null && encoding !== 'UTF8')
    throw new RangeError(`its encoding is ${encoding}: make it with createdb --encoding UTF8 --template template0`)
}

interface ServerSetup extends DatabaseSetup {
  version: number
  standby: boolean
  locked: boolean
  cut: boolean
}

async function findUsable(pool: pg.Pool): Promise<ServerSetup> {
  await requireOwnConnections(pool)
  const { rows } = await pool.query<ServerSetup>(
    `select current_setting('server_version_num')::int as version, pg_is_in_recovery() as standby,
      current_setting('default_transaction_read_only')::bool as locked,
      ${MADE},
      to_regclass('${RESTORING_TABLE}') is not null as cut`,
  )
  const [found] = rows
  if (!found) throw new RangeError('it does not answer')
  if (found.version < OLDEST_VERSION) throw new RangeError('it is older than PostgreSQL 15')
  if (found.standby) throw Object.assign(new RangeError('it is a standby'), { code: STANDBY })
  if (found.locked) throw Object.assign(new RangeError('it is read-only'), { code: '25006' })
  return found
}

const LOOKS = 4

/**
 * A pooler that gives each transaction another connection loses notices, and may run a prepared statement of another
 * client. Two open clients on one connection prove it; an idle pooler shows it at once, a busy one after a few looks.
 */
async function requireOwnConnections(pool: pg.Pool): Promise<void> {
  const clients = await Promise.all([pool.connect(), pool.connect()])
  const seen = clients.map(() => new Set<number>())
  try {
    for (let look = 0; look < LOOKS; look += 1)
      for (const [n, client] of clients.entries())
        seen[n]?.add((await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0)
  } finally {
    for (const client of clients) client.release()
  }
  if (seen.some(({ size }) => size > 1) || new Set(seen.flatMap((pids) => [...pids])).size < clients.length)
    throw Object.assign(new RangeError('shared'), { code: SHARED_POOL })
}

async function prepare(pool: pg.Pool, { url, restoring }: { url: string; restoring: boolean }): Promise<void> {
  const found = await findUsable(pool)
  const { writable, cut } = found
  if (cut && !restoring) throw new RestoreCutOff('a restore into it was cut off')
  requireEveryScript(found)
  if (writable === false) throw new RangeError('that user may not write its tables')
  if (writable && (await isUpToDate(pool))) return
  // Migrations may take longer than a query of the pool.
  await runOnConnection({ connectionString: url, application_name: 'garba' }, migratePostgres)
}

async function readCondition(pool: pg.Pool): Promise<Condition> {
  const { rows } = await pool.query<{ bytes: number; version: string }>(
    "select pg_database_size(current_database()) as bytes, current_setting('server_version') as version",
  )
  const [{ bytes, version } = { bytes: 0, version: '' }] = rows
  return { folder: null, sizeBytes: bytes, walBytes: 0, engine: { postgres: version } }
}

const WRITER_LOCK = 20_250_922
/** PostgreSQL disconnects a server that hangs while it holds the lock. */
const IDLE_IN_TRANSACTION_MS = 5_000
const LOCK_MS = 8_000

interface WriterHooks {
  notice: (changes: ReadonlySet<Change>) => string
  published: (changes: ReadonlySet<Change>) => void
}

function postgresWriter(pool: pg.Pool, { notice, published }: WriterHooks): Writer {
  return {
    begin: async (): Promise<GroupTransaction> => {
      const client = await pool.connect()
      let open = true
      let lost: Error | undefined
      const release = (broken: Error | undefined) => {
        if (open) client.release(broken)
        open = false
      }
      const trackLoss = async <T>(running: Promise<T>): Promise<T> => {
        try {
          return await running
        } catch (error) {
          if (isAway(error)) lost = asError(error)
          throw error
        }
      }
      try {
        sendOnly(client, BEGIN)
        await client.query(
          `set local lock_timeout = ${LOCK_MS}; set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}; select pg_advisory_xact_lock(${WRITER_LOCK})`,
        )
      } catch (error) {
        release(asError(error))
        throw error
      }
      const member = memberOn(client)
      const { sideBySide, waitForStatements, commit } = sideBySideOn(client)
      return {
        member: (work) => trackLoss(waitForStatements().then(() => member(work))),
        sideBySide: (works) => trackLoss(sideBySide(works)),
        stands: () => open,
        commit: async (changes) => {
          await trackLoss(commit(changes.size > 0 ? `${notice(changes)}; commit` : 'commit'))
          release(undefined)
          published(changes)
        },
        rollback: async () => {
          if (!open) return
          const broken = lost ?? (await rolledBack(client))
          // This group's failures must not be attributed to the next group on this connection.
          if (!broken)
            await getConnection(client)
              .waitForStatements()
              .catch(() => undefined)
          release(broken)
        },
      }
    },
    isWorthAnother: isGivenUp,
    beginsEarly: true,
  }
}

/**
 * Runs writes side by side, without savepoints. Each waits only for its own answers, so together they take as many
 * round trips as the longest. A refusal before any change needs no undoing; every other failure spoils the group.
 */
function sideBySideOn(client: pg.PoolClient) {
  const connection = getConnection(client)
  const ran: { work: Work; footprint: Footprint }[] = []
  const all: Footprint['all'] = {}
  const spoiled = (error: unknown): unknown => {
    if (isAway(error) || isGivenUp(error) || ran.length === 0) return error
    return new Spoiled(
      ran.filter(({ footprint }) => footprint === all.culprit).map(({ work }) => work),
      error,
    )
  }
  return {
    sideBySide: async (works: readonly Work[]): Promise<Outcome<unknown>[]> => {
      const members = works.map((work) => ({ work, footprint: { changes: 0, all } }))
      ran.push(...members)
      const outcomes = await Promise.all(
        members.map(({ work, footprint }) => footprints.run(footprint, () => runForOutcome(connection, work))),
      )
      const errors = outcomes.flatMap((outcome) => (outcome.type === 'failed' ? [outcome.error] : []))
      const ends = errors.find((error) => isAway(error) || isGivenUp(error))
      if (ends !== undefined) throw ends
      if (all.culprit || connection.isFailing()) throw spoiled(errors[0])
      const halfDone = members
        .filter((_, n) => outcomes[n]?.type === 'failed')
        .filter(({ footprint }) => footprint.changes > 0)
      if (halfDone.length > 0)
        throw new Spoiled(
          halfDone.map(({ work }) => work),
          errors[0],
        )
      return outcomes
    },
    /**
     * Waits until the statements of these writes are answered, so that their failures are not attributed to the next
     * write.
     */
    waitForStatements: async (): Promise<void> => {
      if (ran.length === 0) return
      await connection.waitForStatements().catch((error: unknown) => {
        throw spoiled(error)
      })
    },
    /** Commits without waiting for earlier answers, because PostgreSQL commits nothing after a failure. */
    commit: async (source: string): Promise<void> => {
      // A statement that the driver itself refuses is never sent, but its failure is known by then.
      await nextTurn()
      if (connection.isFailing())
        await connection.waitForStatements().catch((error: unknown) => Promise.reject(spoiled(error)))
      const [sent, committed] = await Promise.allSettled([connection.waitForStatements(), connection.ask(source)])
      const failures = [sent, committed].flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
      if (failures.length > 0) throw spoiled(failures.find(isAway) ?? failures[0])
      // If a statement of the transaction has failed, PostgreSQL answers a commit with a rollback instead of an error.
      if (committed.status !== 'fulfilled' || lastCommand(committed.value) !== 'COMMIT')
        throw spoiled(new Error('PostgreSQL rolled the transaction back'))
    },
  }
}

async function runForOutcome<T>(connection: Connection, work: (tx: WriteTx) => Promise<T>): Promise<Outcome<T>> {
  const transaction = new Transaction(connection)
  try {
    const value = await untilEnd(transaction, work)
    return transaction.done(value)
  } catch (error) {
    return { type: 'failed', error }
  }
}

function memberOn(client: pg.PoolClient): RunAtomically {
  const connection = getConnection(client)
  return async (work) => {
    const transaction = new Transaction(connection)
    connection.send('savepoint one')
    try {
      const value = await untilEnd(transaction, work)
      connection.send('release savepoint one')
      await connection.waitForStatements()
      return transaction.done(value)
    } catch (thrown) {
      const error = await connection.waitForStatements().then(
        () => thrown,
        (first) => (isAfterFailure(thrown) ? first : thrown),
      )
      if (isAway(error) || isGivenUp(error)) throw error
      await connection.ask('rollback to savepoint one; release savepoint one')
      return { type: 'failed', error }
    }
  }
}

function lastCommand(results: unknown): unknown {
  const last: unknown = Array.isArray(results) ? results.at(-1) : results
  return typeof last === 'object' && last !== null && 'command' in last ? last.command : undefined
}

const WAIT_SECONDS = 60

/**
 * Promotes a standby and waits until it accepts writes. Resolves to false if it is not a standby. Throws StoreUnusable.
 */
export const promoteStandby = (url: string): Promise<boolean> =>
  workingAt(url, { query_timeout: (WAIT_SECONDS + 5) * 1_000 }, async (client) => {
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
    if (!rows[0]?.standby) return false
    const done = await client.query<{ promoted: boolean }>(`select pg_promote(true, ${WAIT_SECONDS}) as promoted`)
    if (!done.rows[0]?.promoted) throw new RangeError(`it was not promoted within ${WAIT_SECONDS} s`)
    return true
  })
