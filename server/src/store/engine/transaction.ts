import type { SQL } from 'drizzle-orm'
import type { Change } from './changes.ts'
import type { Engine, Sql, WriteTx } from './sql.ts'
import { WriteLeftOpen } from './store.ts'

/** A connection as reads and writes use it. */
export interface Connection {
  readonly engine: Engine
  readonly sql: Sql
  readonly rows: <T>(query: SQL) => Promise<T[]>
}

/** The transaction object a read or a write works with; it stops working when that is over. */
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

  announce(...changes: Change[]): void {
    this.announced.push(...changes)
  }

  afterCommit(hook: () => void): void {
    this.hooks.push(hook)
  }

  end(): void {
    this.#over = true
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

/** Calls the hooks of finished work and returns its value. Throws the work's failure. */
export function answerOf<T>(outcome: Outcome<T>): T {
  if (outcome.type === 'failed') throw outcome.error
  for (const hook of outcome.hooks) hook()
  return outcome.value
}
