import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import type { ReadTx, WriteTx } from './sql.ts'

/**
 * The database behind the flows, with any engine. Inside `read` and `write` only the store is awaited: no network, no
 * signing, no timer.
 */
export interface Store {
  /** Reads a consistent snapshot. Rejects with the error of `work` or of the database. */
  read: <T>(work: (tx: ReadTx) => Promise<T>) => Promise<T>
  /**
   * Writes all or nothing, on disk before the promise resolves. Rejects with the error of `work`, or with
   * StoreUnavailable if a retry may succeed. `work` may run more than once until the promise is settled.
   */
  write: <T>(work: (tx: WriteTx) => Promise<T>, touching?: WriteOptions) => Promise<T>
  readonly changes: Changes
  /** Counts calls across all servers of this database; null for a single server, which counts in memory. */
  readonly sharedCounter: CallCounter | null
  /**
   * Whether the database is still where it was opened. Writes to a removed or replaced file are lost at the next start.
   */
  isInPlace: () => boolean
  scrub: () => Promise<void>
  condition: () => Promise<Condition>
  load: () => StoreLoad
  close: () => Promise<void>
}

/**
 * Names the data that a write shares with others. The statements of writes that name keys, but none in common, may be
 * interleaved. Such a write must read nothing else that the others change, and its statements must check their own
 * preconditions. A write without keys runs alone.
 */
export interface WriteOptions {
  touches?: readonly string[]
}

export interface Condition {
  /** The folder it is in; null on PostgreSQL, which manages its own disk. */
  folder: string | null
  sizeBytes: number
  walBytes: number
  engine: { sqlite: string } | { postgres: string }
}

export interface StoreLoad {
  waiting: number
  /** Totals since the start: commits, the writes they held, and the time they took, disk sync included. */
  commits: number
  writes: number
  commitSeconds: number
}

export type CallCounter = (options: { keyPrefix: string; points: number; duration: number }) => RateLimiterAbstract

/** Closes a store at the end of the block: `await using store = closing(openStore(file))`. */
export const closing = <S extends Pick<Store, 'close'>>(store: S): S & AsyncDisposable =>
  Object.assign(store, { [Symbol.asyncDispose]: () => store.close() })

/** The store cannot accept a write now; a retry may succeed. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}

/** `work` awaited something other than the store, which is a bug; it was rolled back. */
export class WriteLeftOpen extends Error {
  override name = 'WriteLeftOpen'
}

/**
 * A kind of change that is sent to live views, only after its commit. They read the data themselves. `roster`: a
 * ticket changed. `evening`: also a heartbeat, a refusal or a conflict. `access`: a role changed or an account was
 * deleted, which ends that person's live views at once. `jobs`: there is work to do.
 * `seats`: some became free.
 */
export type Change = 'roster' | 'evening' | 'access' | 'jobs' | 'seats'

export interface Changes {
  publish: (...changes: Change[]) => void
  subscribe: (onChange: (change: Change) => void) => () => void
  subscribers: () => number
}

export function makeChanges(): Changes {
  const subscribers = new Set<(change: Change) => void>()
  return {
    publish: (...changes) => {
      for (const change of changes) for (const onChange of subscribers) onChange(change)
    },
    subscribe: (onChange) => {
      subscribers.add(onChange)
      return () => subscribers.delete(onChange)
    },
    subscribers: () => subscribers.size,
  }
}
