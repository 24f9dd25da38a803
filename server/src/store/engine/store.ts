import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import type { Changes } from './changes.ts'
import type { Condition } from './condition.ts'
import type { ReadTx, WriteTx } from './sql.ts'

/**
 * The database behind the flows, with any engine. Inside `read` and `write` only the store is awaited: no network, no
 * signing, no timer.
 */
export interface Store {
  /** Reads one moment. Rejects with what `work` throws, or as the database does. */
  read: <T>(work: (tx: ReadTx) => Promise<T>) => Promise<T>
  /**
   * Writes all or nothing, on disk before the promise resolves. Rejects with what `work` throws, and with
   * StoreUnavailable when it may be tried again.
   */
  write: <T>(work: (tx: WriteTx) => Promise<T>) => Promise<T>
  /** Reports what any server of this database commits. */
  readonly changes: Changes
  /** Counts calls across all servers of this database; null for a single server, which counts in memory. */
  readonly sharedCounter: CallCounter | null
  /** Whether the database is still where it was opened: writes to a removed file are lost at the next start. */
  isInPlace: () => boolean
  /** Removes deleted data from the database's files, as far as its engine allows. */
  scrub: () => Promise<void>
  condition: () => Promise<Condition>
  load: () => StoreLoad
  /** Finishes the waiting writes, takes no more, and closes the database. */
  close: () => Promise<void>
}

/** Measures how busy this server's writer is. */
export interface StoreLoad {
  /** Writes waiting for their commit now. */
  waiting: number
  /** Totals since the start: commits, the writes they held, and the time they took, disk sync included. */
  commits: number
  writes: number
  commitSeconds: number
}

export type CallCounter = (options: { keyPrefix: string; points: number; duration: number }) => RateLimiterAbstract

/** The store cannot take a write now; another try may succeed. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}

/** `work` awaited something other than the store, which is a bug; it was rolled back. */
export class WriteLeftOpen extends Error {
  override name = 'WriteLeftOpen'
}
