import type Database from 'better-sqlite3'
import type { Sql, WriteTx } from './sql.ts'
import { StoreUnavailable } from './store.ts'
import { answerOf, type Outcome, type Piece, pieceOn, SAVEPOINT } from './turn.ts'

/** Writes that may wait; beyond it a caller is asked to come again. */
const WAITING_MAX = 2_000
/** One commit holds at most so many writes, and begins no other after so many milliseconds: reads wait that long. */
const GROUP_MAX = 256
const GROUP_MS = 25

type Work = (tx: WriteTx) => Promise<unknown>
interface Waiting {
  work: Work
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

export interface GroupCommitOptions {
  /** Called before each commit; a benchmark waits here as long as a slower disk would. */
  beforeCommit?: (() => void) | undefined
}

/**
 * The one writer of a SQLite database. Writes that wait are run one after the other in one transaction, each in a
 * savepoint of its own, so that many share one disk sync. A write that fails is rolled back alone. Nobody is answered
 * before the commit; where that fails, nobody's write has happened.
 */
export class GroupCommit {
  readonly #sqlite: Database.Database
  readonly #member: Piece
  readonly #beforeCommit: () => void
  readonly #waiting: Waiting[] = []
  readonly #run: Record<'begin' | 'commit' | 'rollback', () => void>
  #group: Promise<void> | null = null
  #closed = false

  constructor(sqlite: Database.Database, sql: Sql, { beforeCommit = () => undefined }: GroupCommitOptions = {}) {
    this.#sqlite = sqlite
    this.#member = pieceOn(sqlite, sql, SAVEPOINT)
    this.#beforeCommit = beforeCommit
    const statement = (source: string) => {
      const compiled = sqlite.prepare(source)
      return () => void compiled.run()
    }
    this.#run = {
      // At once with the lock, so that no write fails half-way for want of it.
      begin: statement('begin immediate'),
      commit: statement('commit'),
      rollback: statement('rollback'),
    }
  }

  /** Rejects with StoreUnavailable when too many wait, after `drain`, or when the commit fails. */
  write<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new StoreUnavailable('The store is closed'))
    if (this.#waiting.length >= WAITING_MAX)
      return Promise.reject(new StoreUnavailable(`${WAITING_MAX} writes are waiting already`))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as Waiting['resolve'], reject })
      this.#begin()
    })
  }

  /** Takes no more writes, and resolves when those that wait are done. */
  async drain(): Promise<void> {
    this.#closed = true
    while (this.#group) await this.#group
  }

  /** Whatever arrives in the same turn of the event loop goes into the same group. */
  #begin(): void {
    if (this.#group) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#group = promise
    setImmediate(() => {
      void this.#commitGroup().then(() => {
        this.#group = null
        resolve()
        if (this.#waiting.length > 0) this.#begin()
      })
    })
  }

  async #commitGroup(): Promise<void> {
    const members: Waiting[] = []
    const answers: (() => void)[] = []
    try {
      this.#run.begin()
      const until = performance.now() + GROUP_MS
      do {
        const waiting = this.#waiting.shift()
        if (!waiting) break
        members.push(waiting)
        const outcome = await this.#member(waiting.work)
        answers.push(() => settle(waiting, outcome))
        if (!this.#sqlite.inTransaction) throw outcome.type === 'failed' ? outcome.error : new Error('No transaction')
      } while (members.length < GROUP_MAX && performance.now() < until)
      this.#beforeCommit()
      this.#run.commit()
    } catch (error) {
      this.#failAll(members.length > 0 ? members : this.#waiting.splice(0), error)
      return
    }
    for (const answer of answers) answer()
  }

  #failAll(members: readonly Waiting[], cause: unknown): void {
    for (const { reject } of members) reject(new StoreUnavailable('The commit failed', { cause }))
    if (this.#sqlite.inTransaction) this.#run.rollback()
  }
}

function settle({ resolve, reject }: Waiting, outcome: Outcome<unknown>): void {
  try {
    resolve(answerOf(outcome))
  } catch (error) {
    reject(error)
  }
}
