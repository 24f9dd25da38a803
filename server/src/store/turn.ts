import type Database from 'better-sqlite3'
import type { Sql, WriteTx } from './sql.ts'
import { WriteLeftOpen } from './store.ts'

/** What the work of a read or a write gets in hand; it works until that is over. */
export class Hand implements WriteTx {
  readonly hooks: (() => void)[] = []
  readonly #sql: Sql
  #over = false

  constructor(sql: Sql) {
    this.#sql = sql
  }

  get sql(): Sql {
    if (this.#over) throw new WriteLeftOpen('A read or write of the store was used after its end')
    return this.#sql
  }

  afterCommit(hook: () => void): void {
    this.hooks.push(hook)
  }

  end(): void {
    this.#over = true
  }
}

/**
 * Runs work that may wait for nothing but SQLite, which answers at once: it is over before the event loop turns, so
 * nothing else can come between. Rejects with WriteLeftOpen when it is not.
 */
async function inOneTurn<T>(hand: Hand, work: (hand: Hand) => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const turn = setImmediate(() =>
    reject(new WriteLeftOpen(`A read or write of the store waited for something else: ${work.name || String(work)}`)),
  )
  try {
    return await Promise.race([work(hand), late])
  } finally {
    clearImmediate(turn)
    hand.end()
  }
}

/** The SQL around a piece of work. */
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

export type Outcome<T> = { type: 'done'; value: T; hooks: readonly (() => void)[] } | { type: 'failed'; error: unknown }
export type Piece = <T>(work: (tx: WriteTx) => Promise<T>) => Promise<Outcome<T>>

/** Runs work on a connection, whole or not at all. Rejects only when it can be neither begun nor undone. */
export function pieceOn(sqlite: Database.Database, sql: Sql, { begin, end, undo }: Around): Piece {
  const [beginning, ending] = [sqlite.prepare(begin), sqlite.prepare(end)]
  const undoing = undo.map((statement) => sqlite.prepare(statement))
  return async (work) => {
    const hand = new Hand(sql)
    beginning.run()
    try {
      const value = await inOneTurn(hand, work)
      ending.run()
      return { type: 'done', value, hooks: hand.hooks }
    } catch (error) {
      // Some errors, such as a full disk, make SQLite roll back all of it by itself.
      if (sqlite.inTransaction) for (const statement of undoing) statement.run()
      return { type: 'failed', error }
    }
  }
}

/** The value of work that is done, its hooks called. Throws what it failed with. */
export function answerOf<T>(outcome: Outcome<T>): T {
  if (outcome.type === 'failed') throw outcome.error
  for (const hook of outcome.hooks) hook()
  return outcome.value
}
