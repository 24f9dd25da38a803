import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import pg from 'pg'
import { getErrorCode } from '../../errorCode.ts'
import type { ReadTx, WriteTx } from '../engine/sql.ts'
import { type Store, StoreUnavailable } from '../engine/store.ts'
import { type Connection, Transaction } from '../engine/transaction.ts'

/** A healthy database answers within milliseconds, so a statement unanswered for this long has lost its connection. */
const QUERY_MS = 20_000
const CONNECT_MS = 5_000
/** pg would return these as text. No count, time or sum exceeds 2^53, so they are read as numbers. */
const NUMBERS = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.INT4, pg.types.builtins.NUMERIC])
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    NUMBERS.has(oid) ? Number : pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig

/** Connection options for everything but migrations, which may take long. Poolers refuse settings at the start. */
export const buildClientConfig = (url: string): pg.ClientConfig => ({
  connectionString: url,
  connectionTimeoutMillis: CONNECT_MS,
  query_timeout: QUERY_MS,
  keepAlive: true,
  pipeline: true,
  application_name: 'garba',
  types,
})

/**
 * Begins a transaction that writes, whatever the database's default is. It is sent by itself: pgpool-II would not see
 * it among other statements, and would send reads behind the lock to a standby.
 */
export const BEGIN = 'begin isolation level read committed read write'

const DIALECT = new SQLiteAsyncDialect({ casing: 'snake_case' })

/** The name of a prepared statement. Behind a pooler, servers of different versions may meet on one connection. */
export const nameStatement = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Translates a statement that Drizzle wrote for SQLite, which allows a table name in a conflict's target. */
export function toPostgresSql(source: string): string {
  let count = 0
  return source.replace(/\?/g, () => `$${++count}`).replace(/ on conflict \("\w+"\.("\w+")\)/, ' on conflict ($1)')
}

/** Holds the statements of all flows; only lists of varying length produce more texts than that. */
const KEPT = 300
interface Statement {
  text: string
  name?: string
}
const statements = new Map<string, Statement>()

/** The statement's name makes PostgreSQL plan it once per connection. */
function getStatement(source: string): Statement {
  const known = statements.get(source)
  if (known) return known
  const text = toPostgresSql(source)
  if (statements.size >= KEPT) return { text }
  const statement = { text, name: nameStatement(text) }
  statements.set(source, statement)
  return statement
}

/** PostgreSQL's texts cannot hold NUL, which SQLite accepts; no user means to enter it. */
export const toStorableValue = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\u{FFFD}') : value

export interface Footprint {
  changes: number
  /** The write whose statement failed first. PostgreSQL then refuses the statements of all. */
  readonly all: { culprit?: Footprint }
}
/** Distinguishes the statements of writes that run side by side on one connection. */
export const footprints = new AsyncLocalStorage<Footprint>()

const isQuestion = (source: string): boolean => /^\s*select\b/i.test(source)

export interface PostgresConnection extends Connection {
  send: (source: string) => void
  ask: (source: string) => Promise<pg.QueryResult>
  isFailing: () => boolean
  waitForStatements: () => Promise<void>
}

const corked = new WeakSet<Writable>()

/** Sends the statements of one turn as one packet: a system call for each took a fifth of a sale's time. */
function sendQuery(client: pg.ClientBase, query: string | pg.QueryConfig): Promise<pg.QueryResult> {
  // The driver's types omit its connection.
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  if (!corked.has(stream)) {
    corked.add(stream)
    stream.cork()
    process.nextTick(() => {
      corked.delete(stream)
      stream.uncork()
    })
  }
  return client.query(query)
}

const connections = new WeakMap<pg.ClientBase, PostgresConnection>()

/**
 * A client's queries. PostgreSQL answers in the order sent, so a statement without rows is not awaited: the next one,
 * or `settled`, reports its failure. That halves the round trips of a sale.
 */
export function getConnection(client: pg.ClientBase): PostgresConnection {
  const known = connections.get(client)
  if (known) return known
  let sent: Promise<unknown>[] = []
  let failing = false
  const later = (answer: Promise<unknown>) => {
    // `settled` reports it.
    answer.catch(() => {
      failing = true
    })
    sent.push(answer)
  }
  const run = async <R>(source: string, params: readonly unknown[], rowMode?: 'array'): Promise<R[]> => {
    const footprint = footprints.getStore()
    if (footprint && !isQuestion(source)) footprint.changes += 1
    try {
      const query = { ...getStatement(source), values: params.map(toStorableValue), rowMode }
      return (await sendQuery(client, query)).rows
    } catch (error) {
      if (footprint) footprint.all.culprit ??= footprint
      throw error
    }
  }
  /** Without rows, a statement that returns them has changed nothing. */
  const ask: typeof run = async (source, ...more) => {
    const rows = await run<never>(source, ...more)
    const footprint = footprints.getStore()
    if (footprint && rows.length === 0 && !isQuestion(source)) footprint.changes -= 1
    return rows
  }
  const sql = drizzle(
    async (source, params, method) => {
      if (method === 'run') {
        later(run(source, params))
        return { rows: [] }
      }
      const rows = await ask<unknown[]>(source, params, 'array')
      return { rows: method === 'get' ? (rows[0] as unknown[]) : rows }
    },
    // Drizzle reads the casing only from the third argument.
    undefined,
    { casing: 'snake_case' },
  )
  const connection: PostgresConnection = {
    engine: 'postgres',
    sql,
    rows: (query) => {
      const { sql: source, params } = DIALECT.sqlToQuery(query)
      return ask(source, params)
    },
    send: (source) => later(sendQuery(client, source)),
    ask: (source) => sendQuery(client, source),
    isFailing: () => failing,
    waitForStatements: async () => {
      const answers = sent
      sent = []
      failing = false
      const failed = (await Promise.allSettled(answers)).find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
    },
  }
  connections.set(client, connection)
  return connection
}

export async function untilEnd<T>(transaction: Transaction, work: (tx: WriteTx) => Promise<T>): Promise<T> {
  try {
    return await work(transaction)
  } finally {
    transaction.end()
  }
}

export async function runOnConnection<T>(
  options: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(options)
  // The query in progress rejects as well.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Sends a statement without awaiting its answer: on a broken connection, later statements fail by themselves. */
export const sendOnly = (client: pg.ClientBase, source: string): void =>
  void sendQuery(client, source).catch(() => undefined)

export const rolledBack = (client: pg.ClientBase): Promise<Error | undefined> =>
  getConnection(client)
    .ask('rollback')
    .then(() => undefined, asError)

const formatErrorChain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message} ${formatErrorChain(error.cause)}`
}

/**
 * SQLSTATE classes and codes of a database that cannot serve now: the connection (08), its resources (53), its own
 * errors (58), an operator or a restart (57P), a lock held too long (55P03), a statement or transaction that took or
 * idled too long (57014, 25P03, 25P04), a standby that takes no writes (25006). Node's own codes for a lost socket come
 * last.
 */
const AWAY = /^(08|53|58|57P|57014|55P03|25P0[34]|25006)|^E[A-Z]{3,}$|^ERR_(STREAM|SOCKET|SSL|TLS)_/
/** The driver's own errors have no codes. */
const AWAY_WORDS =
  /Connection terminated|not queryable|Query read timeout|timeout exceeded when trying to connect|Cannot use a pool after/

/** Whether the connection or the server is gone, as opposed to a faulty statement. */
export const isAway = (error: unknown): boolean =>
  AWAY.test(getErrorCode(error)) || AWAY_WORDS.test(formatErrorChain(error))

/** Whether PostgreSQL aborted this transaction in favour of another (serialisation failure, deadlock). */
export const isGivenUp = (error: unknown): boolean => ['40001', '40P01'].includes(getErrorCode(error))

const isFromDatabase = (error: unknown): boolean => /^[0-9A-Z]{5}$/.test(getErrorCode(error))

export const isAfterFailure = (error: unknown): boolean => getErrorCode(error) === '25P02'

export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

const asUnavailable = (error: unknown): unknown =>
  isAway(error) || isGivenUp(error) ? new StoreUnavailable('PostgreSQL is away', { cause: error }) : error

/**
 * The number of reads that may share a snapshot, so that a large read delays only a few and all connections are used.
 */
const READS_MAX = 16

interface PendingRead {
  work: (tx: ReadTx) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

interface Rejectable {
  reject: (error: unknown) => void
}

/**
 * Gathers the requests of one turn, or those made while all lanes are busy, into one batch for one connection. If no
 * lane becomes free for as long as connecting may take, the waiting requests are rejected with StoreUnavailable.
 */
export function inBatches<T extends Rejectable>(
  { lanes, max }: { lanes: number; max: number },
  run: (batch: readonly T[]) => Promise<void>,
): (request: T) => void {
  let waiting: T[] = []
  let running = 0
  let turning = false
  let stuck: NodeJS.Timeout | undefined
  const giveUp = () => {
    const late = waiting
    waiting = []
    stuck = undefined
    for (const { reject } of late) reject(new StoreUnavailable('PostgreSQL does not answer in time'))
  }
  const begin = () => {
    turning = false
    while (waiting.length > 0 && running < lanes) {
      running += 1
      void run(waiting.splice(0, max)).finally(() => {
        running -= 1
        clearTimeout(stuck)
        stuck = undefined
        begin()
      })
    }
    if (waiting.length > 0) stuck ??= setTimeout(giveUp, CONNECT_MS)
  }
  return (request) => {
    waiting.push(request)
    if (turning) return
    turning = true
    setImmediate(begin)
  }
}

/**
 * Reads of consistent snapshots. Gathered reads share a snapshot and its connection, so that even a distant database
 * answers all in the time of one.
 */
export function sharedSnapshots(pool: pg.Pool, readers: number): Store['read'] {
  const ask = inBatches<PendingRead>({ lanes: readers, max: READS_MAX }, (batch) => snapshot(pool, batch))
  return (work) => new Promise((resolve, reject) => ask({ work, resolve: resolve as PendingRead['resolve'], reject }))
}

/** Answers each read as soon as it has its rows. Never rejects. */
async function snapshot(pool: pg.Pool, reads: readonly PendingRead[]): Promise<void> {
  const again: PendingRead[] = []
  let broken: Error | undefined
  const run = async (connection: Connection, reading: PendingRead) => {
    try {
      reading.resolve(await untilEnd(new Transaction(connection), reading.work))
    } catch (error) {
      const failure = asUnavailable(error)
      if (failure !== error) broken = asError(error)
      // After one read's statement fails, PostgreSQL refuses those of the others.
      if (failure === error && reads.length > 1 && isFromDatabase(error)) again.push(reading)
      else reading.reject(failure)
    }
  }
  try {
    const client = await pool.connect()
    try {
      const connection = getConnection(client)
      sendOnly(client, 'begin isolation level repeatable read read only')
      await Promise.all(reads.map((reading) => run(connection, reading)))
      // This ends a failed transaction as well.
      sendOnly(client, 'commit')
    } finally {
      client.release(broken)
    }
  } catch (error) {
    for (const { reject } of reads) reject(asUnavailable(error))
  }
  for (const reading of again) await snapshot(pool, [reading])
}
