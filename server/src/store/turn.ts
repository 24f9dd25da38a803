import type Database from 'better-sqlite3'
import { type Connection, Hand, type Piece } from './hand.ts'
import { WriteLeftOpen } from './store.ts'

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

/** Pieces of work on a SQLite connection. */
export function pieceOn(sqlite: Database.Database, connection: Connection, { begin, end, undo }: Around): Piece {
  const [beginning, ending] = [sqlite.prepare(begin), sqlite.prepare(end)]
  const undoing = undo.map((statement) => sqlite.prepare(statement))
  return async (work) => {
    const hand = new Hand(connection)
    beginning.run()
    try {
      const value = await inOneTurn(hand, work)
      ending.run()
      return { type: 'done', value, hooks: hand.hooks, announced: hand.announced }
    } catch (error) {
      // Some errors, such as a full disk, make SQLite roll back all of it by itself.
      if (sqlite.inTransaction) for (const statement of undoing) statement.run()
      return { type: 'failed', error }
    }
  }
}
