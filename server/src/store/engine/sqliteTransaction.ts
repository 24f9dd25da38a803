import type Database from 'better-sqlite3'
import type { WriteTx } from './sql.ts'
import { WriteLeftOpen } from './store.ts'
import { answerOf, type Connection, type RunAtomically, Transaction } from './transaction.ts'

/**
 * Runs work that may await only SQLite, which answers at once: it is over before the event loop turns, so nothing else
 * can run between. Rejects with WriteLeftOpen when it is not.
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

/** Runs before and after a piece of work on a SQLite connection. */
export interface TransactionScope {
  begin: () => void
  end: () => void
  undo: () => void
}

/** Runs the statements in order. */
function steps(sqlite: Database.Database, ...sources: string[]): () => void {
  const statements = sources.map((source) => sqlite.prepare(source))
  return () => {
    for (const statement of statements) statement.run()
  }
}

/** Lets each piece be undone alone. */
export const savepoint = (sqlite: Database.Database): TransactionScope => ({
  begin: steps(sqlite, 'savepoint one'),
  end: steps(sqlite, 'release one'),
  undo: steps(sqlite, 'rollback to one', 'release one'),
})

export interface SharedSnapshot extends TransactionScope {
  /** The server has committed something, which the next read must see. */
  outdate: () => void
}

/**
 * All reads of one turn of the event loop share a snapshot: taking and releasing one costs as much as three queries.
 * Another process's commit is seen a turn later, which is before this one can know of it.
 */
export function sharedSnapshot(sqlite: Database.Database): SharedSnapshot {
  const begin = steps(sqlite, 'begin deferred')
  const commit = steps(sqlite, 'commit')
  let outdated = false
  const letGo = () => {
    outdated = false
    if (sqlite.open && sqlite.inTransaction) commit()
  }
  return {
    begin: () => {
      if (outdated) letGo()
      if (sqlite.inTransaction) return
      begin()
      setImmediate(letGo)
    },
    end: () => undefined,
    undo: () => undefined,
    outdate: () => {
      outdated = true
    },
  }
}

/** Runs pieces of work on a SQLite connection. */
export function atomicOn(sqlite: Database.Database, connection: Connection, scope: TransactionScope): RunAtomically {
  return async (work) => {
    const transaction = new Transaction(connection)
    scope.begin()
    try {
      const value = await withinOneTurn(transaction, work)
      scope.end()
      return { type: 'done', value, hooks: transaction.hooks, announced: transaction.announced }
    } catch (error) {
      // Some errors, such as a full disk, make SQLite roll back everything by itself.
      if (sqlite.inTransaction) scope.undo()
      return { type: 'failed', error }
    }
  }
}

/** Runs work on one SQLite connection, one piece after the other, each whole or not at all. */
export class SerialQueue {
  readonly #run: RunAtomically
  #asked = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor(sqlite: Database.Database, connection: Connection, scope: TransactionScope) {
    this.#run = atomicOn(sqlite, connection, scope)
  }

  /** Pieces asked for so far. */
  get asked(): number {
    return this.#asked
  }

  run<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    this.#asked += 1
    const running = this.#last.then(() => this.#run(work)).then(answerOf)
    this.#last = running.catch(() => undefined)
    return running
  }

  /** Resolves when all work asked for is done. */
  async drain(): Promise<void> {
    await this.#last
  }
}
