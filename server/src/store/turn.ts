import type Database from 'better-sqlite3'
import { type Connection, Hand, type Piece } from './hand.ts'
import { WriteLeftOpen } from './store.ts'

/**
 * Runs work that may await only SQLite, which answers at once: it is over before the event loop turns, so nothing else
 * can run between. Rejects with WriteLeftOpen when it is not.
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

/** Runs before and after a piece of work on a SQLite connection. */
export interface Around {
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
export const savepoint = (sqlite: Database.Database): Around => ({
  begin: steps(sqlite, 'savepoint one'),
  end: steps(sqlite, 'release one'),
  undo: steps(sqlite, 'rollback to one', 'release one'),
})

export interface SharedSnapshot extends Around {
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
export function pieceOn(sqlite: Database.Database, connection: Connection, around: Around): Piece {
  return async (work) => {
    const hand = new Hand(connection)
    around.begin()
    try {
      const value = await inOneTurn(hand, work)
      around.end()
      return { type: 'done', value, hooks: hand.hooks, announced: hand.announced }
    } catch (error) {
      // Some errors, such as a full disk, make SQLite roll back everything by itself.
      if (sqlite.inTransaction) around.undo()
      return { type: 'failed', error }
    }
  }
}
