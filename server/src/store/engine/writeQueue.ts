import type { WriteTx } from './sql.ts'
import { type Change, type StoreLoad, StoreUnavailable } from './store.ts'
import { answerOf, type Outcome, type RunAtomically } from './transaction.ts'

/** Writes that may wait; beyond that, callers must try again later. */
const WAITING_MAX = 2_000
/** A commit holds at most this many writes, and begins no more after this many milliseconds, because reads wait too. */
const GROUP_MAX = 256
const GROUP_MS = 25
/** A busy server waits at most this long for more writes to share the commit: a sync costs the same for one or many. */
const GATHER_MS = 20
/** PostgreSQL may abort a group in favour of another transaction; the group is run at most this many times. */
const TRIES = 3

type Work = (tx: WriteTx) => Promise<unknown>
interface Waiting {
  work: Work
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/** The engine's transaction for one group. */
export interface GroupTransaction {
  /** Runs one write in a savepoint of its own. */
  member: RunAtomically
  /** Whether the transaction still exists: some errors end all of it. */
  stands: () => boolean
  /** Commits, and notifies live views. */
  commit: (announced: ReadonlySet<Change>) => void | Promise<void>
  /** Rolls it back if it still exists. */
  rollback: () => void | Promise<void>
}

export interface Writer {
  /** Begins a transaction; no other write of the database runs while it lasts. */
  begin: () => GroupTransaction | Promise<GroupTransaction>
  /** Whether a group that failed for this reason should be run again at once. */
  isWorthAnother: (error: unknown) => boolean
}

/**
 * The only writer of a server's database. Waiting writes run one after the other in one transaction, each in its own
 * savepoint, so many share one disk sync. A failed write is rolled back alone. No write is answered before the commit;
 * if the commit fails, all its writes fail.
 */
export class WriteQueue {
  readonly #writer: Writer
  readonly #readsAsked: () => number
  readonly #waiting: Waiting[] = []
  #asked = 0
  #commits = 0
  #writes = 0
  #commitMs = 0
  #group: Promise<void> | null = null
  #closed = false

  /** `readsAsked` counts this server's reads so far, which also show that it is busy. */
  constructor(writer: Writer, readsAsked: () => number = () => 0) {
    this.#writer = writer
    this.#readsAsked = readsAsked
  }

  /** Rejects with StoreUnavailable when too many wait, after `drain`, or when the commit fails. */
  write<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new StoreUnavailable('The store is closed'))
    if (this.#waiting.length >= WAITING_MAX)
      return Promise.reject(new StoreUnavailable(`${WAITING_MAX} writes are waiting already`))
    return new Promise((resolve, reject) => {
      this.#asked += 1
      this.#waiting.push({ work, resolve: resolve as Waiting['resolve'], reject })
      this.#begin()
    })
  }

  /** Totals since the start, and the writes waiting now. */
  load(): StoreLoad {
    return {
      waiting: this.#waiting.length,
      commits: this.#commits,
      writes: this.#writes,
      commitSeconds: this.#commitMs / 1_000,
    }
  }

  /** Takes no more writes, and resolves when the waiting ones are done. */
  async drain(): Promise<void> {
    this.#closed = true
    while (this.#group) await this.#group
  }

  /** Writes join the group as long as each turn of the event loop brings new work. */
  #begin(): void {
    if (this.#group) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#group = promise
    const until = performance.now() + GATHER_MS
    let before = this.#work()
    const turn = () => {
      const work = this.#work()
      if (work > before && this.#waiting.length < GROUP_MAX && performance.now() < until) {
        before = work
        setImmediate(turn)
        return
      }
      void this.#commitGroup().then(() => {
        this.#group = null
        resolve()
        if (this.#waiting.length > 0) this.#begin()
      })
    }
    setImmediate(turn)
  }

  /** Grows with every read and write asked for. */
  #work(): number {
    return this.#asked + this.#readsAsked()
  }

  async #commitGroup(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const members: Waiting[] = []
      try {
        for (const answer of await this.#runGroup(members)) answer()
        return
      } catch (error) {
        if (attempt < TRIES && this.#writer.isWorthAnother(error)) {
          this.#waiting.unshift(...members)
          continue
        }
        const failed = members.length > 0 ? members : this.#waiting.splice(0)
        for (const { reject } of failed) reject(new StoreUnavailable('The commit failed', { cause: error }))
        return
      }
    }
  }

  /** Fills `members` as it goes, so that a failure knows its writes. Resolves with the answers, once committed. */
  async #runGroup(members: Waiting[]): Promise<(() => void)[]> {
    const answers: (() => void)[] = []
    const announced = new Set<Change>()
    const group = await this.#writer.begin()
    try {
      const until = performance.now() + GROUP_MS
      do {
        const waiting = this.#waiting.shift()
        if (!waiting) break
        members.push(waiting)
        const outcome = await group.member(waiting.work)
        answers.push(() => settle(waiting, outcome))
        if (!group.stands()) throw outcome.type === 'failed' ? outcome.error : new Error('No transaction')
        if (outcome.type === 'done') for (const change of outcome.announced) announced.add(change)
      } while (members.length < GROUP_MAX && performance.now() < until)
      const from = performance.now()
      await group.commit(announced)
      this.#commitMs += performance.now() - from
      this.#commits += 1
      this.#writes += members.length
    } catch (error) {
      await group.rollback()
      throw error
    }
    return answers
  }
}

function settle({ resolve, reject }: Waiting, outcome: Outcome<unknown>): void {
  try {
    resolve(answerOf(outcome))
  } catch (error) {
    reject(error)
  }
}
