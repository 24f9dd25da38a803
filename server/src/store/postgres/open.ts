import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { WriteTx } from '../engine/sql.ts'
import { type Change, type Changes, type Condition, makeChanges, type Store } from '../engine/store.ts'
import { type Connection, type Outcome, type RunAtomically, Transaction } from '../engine/transaction.ts'
import { RestoreCutOff, StoreUnusable } from '../engine/unusable.ts'
import { type GroupTransaction, Spoiled, type Work, WriteQueue, type Writer } from '../engine/writeQueue.ts'
import { currentRevision } from '../meta.ts'
import {
  asError,
  connected,
  connectionOf,
  type Footprint,
  footprints,
  isAfterFailure,
  isAway,
  isGivenUp,
  optionsOf,
  rolledBack,
  sharedSnapshots,
  untilEnd,
} from './connection.ts'
import { countsIn } from './counts.ts'
import { isUpToDate, migratePostgres, RESTORING_TABLE } from './migrations.ts'

/** Six connections read, two count calls, and two write in turn; one more listens. */
const CONNECTIONS = 10
const READERS = 6
const OLDEST_VERSION = 150_000
/**
 * After a failover, reads follow the address to the new primary within this time, even if the old one still answers.
 */
const LIFETIME_SECONDS = 60

export interface PostgresStore extends Store {
  pool: pg.Pool
}

/** A store's connections. The pool replaces a broken one at the next query; a query in progress on it fails by itself. */
export function poolAt(url: string, { maxLifetimeSeconds = LIFETIME_SECONDS } = {}): pg.Pool {
  const pool = new pg.Pool({ ...optionsOf(url), max: CONNECTIONS, maxLifetimeSeconds })
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
    sharedCounter: countsIn(pool),
    isInPlace: () => true,
    // PostgreSQL's vacuum removes deleted data by itself.
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

/** Runs work on a connection of its own. Throws StoreUnusable. */
const workingAt = <T>(url: string, options: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  connected({ ...optionsOf(url), ...options }, work).catch((error: unknown) => {
    throw StoreUnusable.fromPostgres(error, url)
  })

/** Whether the database has the current schema; nothing is changed. Throws StoreUnusable. */
export const isPostgresUpToDate = (url: string): Promise<boolean> =>
  workingAt(url, {}, async (client) => {
    const { rows } = await client.query<Made>(`select ${MADE}`)
    if (rows[0]) requireEveryScript(rows[0])
    return isUpToDate(client)
  })

interface Made {
  encoding: string
  /** Null before the first migration. */
  writable: boolean | null
}
const MADE = `current_setting('server_encoding') as encoding,
      has_table_privilege(to_regclass('tickets'), 'insert') as writable`

/**
 * Names may be in any script, so a new database must use UTF-8. A database that is already in use keeps its encoding.
 */
function requireEveryScript({ encoding, writable }: Made): void {
  if (writable === null && encoding !== 'UTF8')
    throw new RangeError(`its encoding is ${encoding}: make it with createdb --encoding UTF8 --template template0`)
}

interface Found extends Made {
  version: number
  standby: boolean
  cut: boolean
}

/** Throws if the database cannot be used. */
async function prepare(pool: pg.Pool, { url, restoring }: { url: string; restoring: boolean }): Promise<void> {
  const { rows } = await pool.query<Found>(
    `select current_setting('server_version_num')::int as version, pg_is_in_recovery() as standby,
      ${MADE},
      to_regclass('${RESTORING_TABLE}') is not null as cut`,
  )
  const [found] = rows
  if (!found) throw new RangeError('it does not answer')
  const { version, standby, writable, cut } = found
  if (version < OLDEST_VERSION) throw new RangeError('it is older than PostgreSQL 15')
  if (cut && !restoring) throw new RestoreCutOff('a restore into it was cut off')
  // The code that PostgreSQL itself gives a write on a standby.
  if (standby) throw Object.assign(new RangeError('it is a standby'), { code: '25006' })
  requireEveryScript(found)
  if (writable === false) throw new RangeError('that user may not write its tables')
  if (writable && (await isUpToDate(pool))) return
  // Migrations may take longer than a query of the pool.
  await connected({ connectionString: url, application_name: 'garba' }, migratePostgres)
}

async function conditionOf(pool: pg.Pool): Promise<Condition> {
  const { rows } = await pool.query<{ bytes: number; version: string }>(
    "select pg_database_size(current_database()) as bytes, current_setting('server_version') as version",
  )
  const [{ bytes, version } = { bytes: 0, version: '' }] = rows
  return { folder: null, sizeBytes: bytes, walBytes: 0, engine: { postgres: version } }
}

/** Only the server that holds this lock writes to the database. */
const WRITER_LOCK = 20_250_922
/**
 * PostgreSQL disconnects a server that hangs while it holds the lock. A caller that waits longer must try again later.
 */
const LOCK_MS = 8_000

interface Writing {
  /** The SQL sent to every server with the commit. */
  notice: (changes: ReadonlySet<Change>) => string
  /** Called after the commit. */
  published: (changes: ReadonlySet<Change>) => void
}

/** Group transactions on connections of a pool. */
function postgresWriter(pool: pg.Pool, { notice, published }: Writing): Writer {
  return {
    begin: async (): Promise<GroupTransaction> => {
      const client = await pool.connect()
      let open = true
      let lost: Error | undefined
      const release = (broken: Error | undefined) => {
        if (open) client.release(broken)
        open = false
      }
      const noted = async <T>(running: Promise<T>): Promise<T> => {
        try {
          return await running
        } catch (error) {
          if (isAway(error)) lost = asError(error)
          throw error
        }
      }
      try {
        await client.query(`begin; set local lock_timeout = ${LOCK_MS}; select pg_advisory_xact_lock(${WRITER_LOCK})`)
      } catch (error) {
        release(asError(error))
        throw error
      }
      const member = memberOn(client)
      const { sideBySide, settled, commit } = sideBySideOn(client)
      return {
        member: (work) => noted(settled().then(() => member(work))),
        sideBySide: (works) => noted(sideBySide(works)),
        stands: () => open,
        commit: async (changes) => {
          await noted(commit(changes.size > 0 ? `${notice(changes)}; commit` : 'commit'))
          release(undefined)
          published(changes)
        },
        rollback: async () => {
          if (!open) return
          const broken = lost ?? (await rolledBack(client))
          // This group's failures must not be attributed to the next group on this connection.
          if (!broken)
            await connectionOf(client)
              .settled()
              .catch(() => undefined)
          release(broken)
        },
      }
    },
    isWorthAnother: isGivenUp,
    // The next transaction waits for the lock.
    beginsEarly: true,
  }
}

/**
 * Runs writes side by side, without savepoints. Each waits only for its own answers, so together they take as many
 * round trips as the longest. A refusal before any change needs no undoing; every other failure spoils the group.
 */
function sideBySideOn(client: pg.PoolClient) {
  const connection = connectionOf(client)
  const ran: { work: Work; footprint: Footprint }[] = []
  const all: Footprint['all'] = {}
  const spoiled = (error: unknown): unknown => {
    if (isAway(error) || isGivenUp(error) || ran.length === 0) return error
    return new Spoiled(
      ran.filter(({ footprint }) => all.culprits?.has(footprint)).map(({ work }) => work),
      error,
    )
  }
  return {
    sideBySide: async (works: readonly Work[]): Promise<Outcome<unknown>[]> => {
      const members = works.map((work) => ({ work, footprint: { changes: 0, all } }))
      ran.push(...members)
      const outcomes = await Promise.all(
        members.map(({ work, footprint }) => footprints.run(footprint, () => outcomeOf(connection, work))),
      )
      const errors = outcomes.flatMap((outcome) => (outcome.type === 'failed' ? [outcome.error] : []))
      const ends = errors.find((error) => isAway(error) || isGivenUp(error))
      if (ends !== undefined) throw ends
      if (all.culprits || connection.isFailing()) throw spoiled(errors[0])
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
    settled: async (): Promise<void> => {
      if (ran.length === 0) return
      await connection.settled().catch((error: unknown) => {
        throw spoiled(error)
      })
    },
    /** Commits without waiting for earlier answers, because PostgreSQL commits nothing after a failure. */
    commit: async (source: string): Promise<void> => {
      // A statement that the driver itself refuses is never sent, but its failure is known by then.
      await nextTurn()
      if (connection.isFailing()) await connection.settled().catch((error: unknown) => Promise.reject(spoiled(error)))
      const [sent, committed] = await Promise.allSettled([connection.settled(), connection.ask(source)])
      const failures = [sent, committed].flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
      if (failures.length > 0) throw spoiled(failures.find(isAway) ?? failures[0])
      // If a statement of the transaction has failed, PostgreSQL answers a commit with a rollback instead of an error.
      if (committed.status !== 'fulfilled' || lastCommand(committed.value) !== 'COMMIT')
        throw spoiled(new Error('PostgreSQL rolled the transaction back'))
    },
  }
}

async function outcomeOf<T>(connection: Connection, work: (tx: WriteTx) => Promise<T>): Promise<Outcome<T>> {
  const transaction = new Transaction(connection)
  try {
    const value = await untilEnd(transaction, work)
    return transaction.done(value)
  } catch (error) {
    return { type: 'failed', error }
  }
}

/** Runs each write in its own savepoint. */
function memberOn(client: pg.PoolClient): RunAtomically {
  const connection = connectionOf(client)
  return async (work) => {
    const transaction = new Transaction(connection)
    connection.send('savepoint one')
    try {
      const value = await untilEnd(transaction, work)
      connection.send('release savepoint one')
      await connection.settled()
      return transaction.done(value)
    } catch (thrown) {
      const error = await connection.settled().then(
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
export const promote = (url: string): Promise<boolean> =>
  workingAt(url, { query_timeout: (WAIT_SECONDS + 5) * 1_000 }, async (client) => {
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
    if (!rows[0]?.standby) return false
    const done = await client.query<{ promoted: boolean }>(`select pg_promote(true, ${WAIT_SECONDS}) as promoted`)
    if (!done.rows[0]?.promoted) throw new RangeError(`it was not promoted within ${WAIT_SECONDS} s`)
    return true
  })

const CHANNEL = 'garba_changes'
const LISTEN_AGAIN_MS = 2_000
const POLL_MS = 2_000

interface Announcements {
  changes: Changes
  /** The SQL that notifies every server, sent with the commit. */
  notice: (changes: ReadonlySet<Change>) => string
  stop: () => Promise<void>
}

/**
 * Reports what any server of a database commits. One connection listens, and is made again when it breaks. Notices may
 * not arrive, for example through a pooler that shares connections, so the roster's revision is polled as well.
 */
function listenTo(url: string, revision: () => Promise<number>): Announcements {
  /** Identifies this server's notices, which it ignores because it has already published its own changes. */
  const self = randomUUID()
  const changes = makeChanges()
  const stopped = new AbortController()
  const listening = keepListening(url, stopped.signal, {
    onListen: () => changes.publish('roster', 'evening', 'access'),
    onNotice: (payload) => {
      const [sender, ...names] = payload.split(',')
      if (sender !== self) changes.publish(...(names as Change[]))
    },
  })
  const poll = lookAgain(revision, () => changes.publish('roster', 'evening'))
  return {
    changes,
    notice: (names) => `notify ${CHANNEL}, '${[self, ...names].join()}'`,
    stop: async () => {
      stopped.abort()
      clearInterval(poll)
      await listening
    },
  }
}

interface Listener {
  /** Called when listening begins, perhaps after a gap in which notices were missed. */
  onListen: () => void
  onNotice: (payload: string) => void
}

async function keepListening(url: string, stopped: AbortSignal, { onListen, onNotice }: Listener): Promise<void> {
  const over = new Promise<void>((resolve) => stopped.addEventListener('abort', () => resolve()))
  while (!stopped.aborted) {
    const client = new pg.Client(optionsOf(url))
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
    // The connection ends as well.
    client.on('error', () => undefined)
    client.on('notification', ({ payload = '' }) => onNotice(payload))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      onListen()
      await Promise.race([ended, over])
    } catch {
      // The loop below tries again.
    }
    // A database that hangs never answers the goodbye.
    void client.end().catch(() => undefined)
    if (!stopped.aborted) await Promise.race([over, sleep(LISTEN_AGAIN_MS, undefined, { ref: false })])
  }
}

/** Calls back whenever the revision has changed since the last look. */
function lookAgain(revision: () => Promise<number>, onChange: () => void): NodeJS.Timeout {
  let last: number | undefined
  let looking = false
  const look = async () => {
    if (looking) return
    looking = true
    try {
      const now = await revision()
      if (last !== undefined && now !== last) onChange()
      last = now
    } catch {
      // The database is away; the next look is in two seconds.
    } finally {
      looking = false
    }
  }
  return setInterval(() => void look(), POLL_MS).unref()
}
