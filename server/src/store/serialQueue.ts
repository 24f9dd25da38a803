import type Database from 'better-sqlite3'
import type { WriteTx } from './sql.ts'
import { atomicOn, type TransactionScope } from './sqliteTransaction.ts'
import { answerOf, type Connection, type RunAtomically } from './transaction.ts'

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
