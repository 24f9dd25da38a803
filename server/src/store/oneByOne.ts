import type Database from 'better-sqlite3'
import type { Sql, WriteTx } from './sql.ts'
import { Hand, inOneTurn } from './turn.ts'

/** The SQL around each piece of work. */
export interface Around {
  begin: string
  end: string
  undo: readonly string[]
}
export const SNAPSHOT: Around = { begin: 'begin deferred', end: 'commit', undo: ['rollback'] }
export const SAVEPOINT: Around = {
  begin: 'savepoint one',
  end: 'release one',
  undo: ['rollback to one', 'release one'],
}

/** Work on one SQLite connection, one piece after the other, each whole or not at all. */
export class OneByOne {
  readonly #sqlite: Database.Database
  readonly #sql: Sql
  readonly #begin: Database.Statement
  readonly #end: Database.Statement
  readonly #undo: readonly Database.Statement[]
  #last: Promise<unknown> = Promise.resolve()

  constructor(sqlite: Database.Database, sql: Sql, { begin, end, undo }: Around) {
    this.#sqlite = sqlite
    this.#sql = sql
    this.#begin = sqlite.prepare(begin)
    this.#end = sqlite.prepare(end)
    this.#undo = undo.map((statement) => sqlite.prepare(statement))
  }

  run<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    const running = this.#last.then(() => this.#runOne(work))
    this.#last = running.catch(() => undefined)
    return running
  }

  /** Resolves when all the work asked for is done. */
  async drain(): Promise<void> {
    await this.#last
  }

  async #runOne<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    const hand = new Hand(this.#sql)
    this.#begin.run()
    try {
      const value = await inOneTurn(hand, work)
      this.#end.run()
      for (const hook of hand.hooks) hook()
      return value
    } catch (error) {
      if (this.#sqlite.inTransaction) for (const statement of this.#undo) statement.run()
      throw error
    }
  }
}
