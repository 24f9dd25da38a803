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
export async function inOneTurn<T>(hand: Hand, work: (hand: Hand) => Promise<T>): Promise<T> {
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
