import type Database from 'better-sqlite3'
import type { Engine, ReadTx, Sql, WriteTx } from './sql.ts'
import { type Change, type Changes, WriteLeftOpen } from './store.ts'
import type { GroupTransaction, Writer } from './writeQueue.ts'

export type Connection = ReadTx

export class Transaction implements WriteTx {
  readonly hooks: (() => void)[] = []
  readonly announced: Change[] = []
  readonly #connection: Connection
  #over = false

  constructor(connection: Connection) {
    this.#connection = connection
  }

  get engine(): Engine {
    return this.#connection.engine
  }

  get sql(): Sql {
    return this.#open.sql
  }

  get rows(): Connection['rows'] {
    return this.#open.rows
  }

  announceChanges(...changes: Change[]): void {
    this.announced.push(...changes)
  }

  afterCommit(hook: () => void): void {
    this.hooks.push(hook)
  }

  end(): void {
    this.#over = true
  }

  done<T>(value: T): Outcome<T> {
    return { type: 'done', value, hooks: this.hooks, announced: this.announced }
  }

  get #open(): Connection {
    if (this.#over) throw new WriteLeftOpen('A read or write of the store was used after its end')
    return this.#connection
  }
}

export type Outcome<T> =
  | { type: 'done'; value: T; hooks: readonly (() => void)[]; announced: readonly Change[] }
  | { type: 'failed'; error: unknown }
/** Runs work whole or not at all. Rejects only when the work can be neither begun nor undone. */
export type RunAtomically = <T>(work: (tx: WriteTx) => Promise<T>) => Promise<Outcome<T>>

export function unwrapOutcome<T>(outcome: Outcome<T>): T {
  if (outcome.type === 'failed') throw outcome.error
  for (const hook of outcome.hooks) hook()
  return outcome.value
}

/**
 * Runs work that may await only SQLite, which answers at once. It ends before the event loop turns, so nothing else
 * runs in between; otherwise this rejects with WriteLeftOpen.
 */
async function withinOneTurn<T>(transaction: Transaction, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const turn = setImmediate(() =>
    reject(new WriteLeftOpen(`A read or write of the store waited for something else: ${work.name || String(work)}`)),
  )
  try {
    return await Promise.race([work(transaction), late])
  } finally {
    clearImmediate(turn)
    transaction.end()
  }
}

interface TransactionScope {
  begin: () => void
  end: () => void
  undo: () => void
}

function steps(sqlite: Database.Database, ...sources: string[]): () => void {
  const statements = sources.map((source) => sqlite.prepare(source))
  return () => {
    for (const statement of statements) statement.run()
  }
}

export const makeSavepoint = (sqlite: Database.Database): TransactionScope => ({
  begin: steps(sqlite, 'savepoint one'),
  end: steps(sqlite, 'release one'),
  undo: steps(sqlite, 'rollback to one', 'release one'),
})

interface SharedSnapshot extends TransactionScope {
  outdate: () => void
}

/**
 * All reads of one turn of the event loop share a snapshot: taking and releasing a snapshot costs as much as three
 * queries. Another process's commit is seen a turn later, before this process can know of it.
 */
export function sharedSnapshot(sqlite: Database.Database): SharedSnapshot {
  const begin = steps(sqlite, 'begin deferred')
  const commit = steps(sqlite, 'commit')
  let outdated = false
  const releaseSnapshot = () => {
    outdated = false
    if (sqlite.open && sqlite.inTransaction) commit()
  }
  return {
    begin: () => {
      if (outdated) releaseSnapshot()
      if (sqlite.inTransaction) return
      begin()
      setImmediate(releaseSnapshot)
    },
    end: () => undefined,
    undo: () => undefined,
    outdate: () => {
      outdated = true
    },
  }
}

function atomicOn(sqlite: Database.Database, connection: Connection, scope: TransactionScope): RunAtomically {
  return async (work) => {
    const transaction = new Transaction(connection)
    scope.begin()
    try {
      const value = await withinOneTurn(transaction, work)
      scope.end()
      return transaction.done(value)
    } catch (error) {
      // Some errors, such as a full disk, make SQLite roll back everything by itself.
      if (sqlite.inTransaction) scope.undo()
      return { type: 'failed', error }
    }
  }
}

export class SerialQueue {
  readonly #run: RunAtomically
  #requested = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor(sqlite: Database.Database, connection: Connection, scope: TransactionScope) {
    this.#run = atomicOn(sqlite, connection, scope)
  }

  get requested(): number {
    return this.#requested
  }

  run<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    this.#requested += 1
    const running = this.#last.then(() => this.#run(work)).then(unwrapOutcome)
    this.#last = running.catch(() => undefined)
    return running
  }

  async drain(): Promise<void> {
    await this.#last
  }
}

export interface SqliteWriterOptions {
  /** Called before each commit; a benchmark uses it to wait as long as a slower disk would. */
  beforeCommit?: (() => void) | undefined
}

export function sqliteWriter(
  sqlite: Database.Database,
  { connection, changes, onCommit }: { connection: Connection; changes: Changes; onCommit: () => void },
  { beforeCommit = () => undefined }: SqliteWriterOptions = {},
): Writer {
  const statement = (source: string) => {
    const compiled = sqlite.prepare(source)
    return () => void compiled.run()
  }
  // Takes the write lock up front, so that no write fails half-way without it.
  const begin = statement('begin immediate')
  const commit = statement('commit')
  const rollback = statement('rollback')
  const group: GroupTransaction = {
    member: atomicOn(sqlite, connection, makeSavepoint(sqlite)),
    stands: () => sqlite.inTransaction,
    commit: (announced) => {
      beforeCommit()
      commit()
      onCommit()
      changes.publish(...announced)
    },
    rollback: () => {
      if (sqlite.inTransaction) rollback()
    },
  }
  return {
    begin: () => {
      begin()
      return group
    },
    // busy_timeout has already waited for the lock.
    isWorthAnother: () => false,
  }
}
