import type { WriteTx } from './sql.ts'
import { type Change, type StoreLoad, StoreUnavailable, type WriteOptions } from './store.ts'
import { type Outcome, type RunAtomically, unwrapOutcome } from './transaction.ts'

const WAITING_MAX = 2_000
/** A commit holds at most this many writes, and begins no more after this many milliseconds, because reads wait too. */
const GROUP_MAX = 256
const GROUP_MS = 25
/** A busy server waits at most this long for more writes to share the commit: a sync costs the same for one or many. */
const GATHER_MS = 20
/** PostgreSQL may abort a group in favour of another transaction; the group is run at most this many times. */
const TRIES = 3

export type Work = (tx: WriteTx) => Promise<unknown>
interface WaitingWrite {
  work: Work
  keys: readonly string[]
  givenUp: number
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

export interface GroupTransaction {
  member: RunAtomically
  /**
   * Runs writes that share no data side by side; absent if that saves nothing. Each succeeds or fails on its own. This
   * and `commit` reject with `Spoiled` if one write's failure undoes them all.
   */
  sideBySide?: (works: readonly Work[]) => Promise<Outcome<unknown>[]>
  /** Whether the transaction still exists: some errors end all of it. */
  stands: () => boolean
  commit: (announced: ReadonlySet<Change>) => void | Promise<void>
  rollback: () => void | Promise<void>
}

export interface Writer {
  /** Begins a transaction; no other write of the database runs while it lasts. */
  begin: () => GroupTransaction | Promise<GroupTransaction>
  isWorthAnother: (error: unknown) => boolean
  /** Whether the next transaction may begin while one commits; the database then makes it wait. */
  beginsEarly?: boolean
}

/**
 * A group was undone because of writes that ran side by side. It runs again, with the culprits alone if they are known.
 */
export class Spoiled extends Error {
  override name = 'Spoiled'
  readonly culprits: readonly Work[]

  constructor(culprits: readonly Work[], cause?: unknown) {
    super('A write that ran beside others failed', { cause })
    this.culprits = culprits
  }
}

/**
 * The only writer of a server's database. Waiting writes run one after the other in one transaction, each in its own
 * savepoint, so many share one disk sync. A failed write is rolled back alone. No write is answered before the commit;
 * if the commit fails, all its writes fail. Writes that share no data may run side by side, if the engine can.
 */
export class WriteQueue {
  readonly #writer: Writer
  readonly #readsRequested: () => number
  readonly #waiting: WaitingWrite[] = []
  #writesRequested = 0
  #commits = 0
  #writes = 0
  #commitMs = 0
  #gathering = false
  readonly #under = new Set<Promise<void>>()
  #closed = false

  /** `readsRequested` counts this server's reads so far, which also show that it is busy. */
  constructor(writer: Writer, readsRequested: () => number = () => 0) {
    this.#writer = writer
    this.#readsRequested = readsRequested
  }

  /** Rejects with StoreUnavailable when too many wait, after `drain`, or when the commit fails. */
  write<T>(work: (tx: WriteTx) => Promise<T>, { touches = [] }: WriteOptions = {}): Promise<T> {
    if (this.#closed) return Promise.reject(new StoreUnavailable('The store is closed'))
    if (this.#waiting.length >= WAITING_MAX)
      return Promise.reject(new StoreUnavailable(`${WAITING_MAX} writes are already waiting`))
    return new Promise((resolve, reject) => {
      this.#writesRequested += 1
      this.#waiting.push({ work, keys: touches, givenUp: 0, resolve: resolve as WaitingWrite['resolve'], reject })
      this.#begin()
    })
  }

  load(): StoreLoad {
    return {
      waiting: this.#waiting.length,
      commits: this.#commits,
      writes: this.#writes,
      commitSeconds: this.#commitMs / 1_000,
    }
  }

  async drain(): Promise<void> {
    this.#closed = true
    while (this.#under.size > 0) await Promise.all(this.#under)
  }

  /** Writes join the group as long as each turn of the event loop brings new work. */
  #begin(): void {
    if (this.#gathering || this.#waiting.length === 0) return
    this.#gathering = true
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#under.add(promise)
    const until = performance.now() + GATHER_MS
    let before = this.#work()
    const turn = () => {
      const work = this.#work()
      if (work > before && this.#waiting.length < GROUP_MAX && performance.now() < until) {
        before = work
        setImmediate(turn)
        return
      }
      let next: (() => void) | undefined = () => {
        next = undefined
        this.#gathering = false
        this.#begin()
      }
      void this.#commitGroup(() => next?.()).then(() => {
        this.#under.delete(promise)
        resolve()
        next?.()
        this.#begin()
      })
    }
    setImmediate(turn)
  }

  #work(): number {
    return this.#writesRequested + this.#readsRequested()
  }

  async #commitGroup(onCommitting: () => void): Promise<void> {
    const members: WaitingWrite[] = []
    try {
      for (const answer of await this.#runGroup(members, onCommitting)) answer()
    } catch (error) {
      if (error instanceof Spoiled && members.some(({ keys }) => keys.length > 0)) {
        // Each time, at least one write fewer runs side by side, so this ends.
        this.#waiting.unshift(...withAlone(members, error.culprits))
        return
      }
      if (this.#isWorthAnother(members, error)) {
        this.#waiting.unshift(...members.map((member) => ({ ...member, givenUp: member.givenUp + 1 })))
        return
      }
      const failed = members.length > 0 ? members : this.#waiting.splice(0)
      for (const { reject } of failed) reject(new StoreUnavailable('The commit failed', { cause: error }))
    }
  }

  #isWorthAnother(members: readonly WaitingWrite[], error: unknown): boolean {
    const mayAgain = members.length > 0 && members.every(({ givenUp }) => givenUp + 1 < TRIES)
    return mayAgain && this.#writer.isWorthAnother(error)
  }

  /**
   * Fills `members` as it goes, so that the caller knows which writes failed. Resolves with the answers, once
   * committed.
   */
  async #runGroup(members: WaitingWrite[], onCommitting: () => void): Promise<(() => void)[]> {
    const answers: (() => void)[] = []
    const announced = new Set<Change>()
    const group = await this.#writer.begin()
    try {
      const until = performance.now() + GROUP_MS
      do {
        const next = takeNext(this.#waiting, group.sideBySide ? GROUP_MAX - members.length : 1)
        const [first] = next
        if (!first) break
        members.push(...next)
        const works = next.map(({ work }) => work)
        const outcomes =
          group.sideBySide && first.keys.length > 0 ? await group.sideBySide(works) : [await group.member(first.work)]
        for (const [n, outcome] of outcomes.entries()) {
          answers.push(() => settleWrite(next[n] ?? first, outcome))
          if (!group.stands()) throw outcome.type === 'failed' ? outcome.error : new Error('No transaction')
          if (outcome.type === 'done') for (const change of outcome.announced) announced.add(change)
        }
      } while (members.length < GROUP_MAX && performance.now() < until)
      const from = performance.now()
      const committing = group.commit(announced)
      if (this.#writer.beginsEarly) onCommitting()
      await committing
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

/**
 * Takes the first waiting write and, if it has keys, all later writes with keys that share none with an earlier write.
 * So writes that share a key keep their order.
 */
function takeNext(waiting: WaitingWrite[], max: number): WaitingWrite[] {
  const [first] = waiting
  if (!first || first.keys.length === 0 || max <= 1) return waiting.splice(0, 1)
  const touched = new Set<string>()
  const taken: WaitingWrite[] = []
  const left: WaitingWrite[] = []
  for (const one of waiting) {
    const fits = one.keys.length > 0 && taken.length < max && one.keys.every((key) => !touched.has(key))
    for (const key of one.keys) touched.add(key)
    ;(fits ? taken : left).push(one)
  }
  waiting.splice(0, waiting.length, ...left)
  return taken
}

function withAlone(members: readonly WaitingWrite[], culprits: readonly Work[]): WaitingWrite[] {
  const known = members.some(({ work, keys }) => keys.length > 0 && culprits.includes(work))
  return members.map((member) => (known && !culprits.includes(member.work) ? member : { ...member, keys: [] }))
}

function settleWrite({ resolve, reject }: WaitingWrite, outcome: Outcome<unknown>): void {
  try {
    resolve(unwrapOutcome(outcome))
  } catch (error) {
    reject(error)
  }
}
