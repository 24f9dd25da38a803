import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import type { Changes } from './changes.ts'
import type { Condition } from './condition.ts'
import type { ReadTx, WriteTx } from './sql.ts'

/**
 * The database behind the flows, whatever engine it is. Inside `read` and `write` only the store is awaited: no network,
 * no signing, no timer.
 */
export interface Store {
  /** Reads of one moment. Rejects with what `work` throws, or as the database does. */
  read: <T>(work: (tx: ReadTx) => Promise<T>) => Promise<T>
  /**
   * One write: all of it or nothing, on the disk before the promise resolves. Rejects with what `work` throws, and with
   * StoreUnavailable when it may be tried again.
   */
  write: <T>(work: (tx: WriteTx) => Promise<T>) => Promise<T>
  /** What is committed, by any server of this database. */
  readonly changes: Changes
  /** Counts calls for all servers of this database; null where there is but one, which counts in its memory. */
  readonly sharedCounter: CallCounter | null
  /** Whether the database is still where it was opened: writes to a removed file are lost at the next start. */
  isInPlace: () => boolean
  /** Leaves nothing of what was deleted in the files of the database, as far as its engine lets us. */
  scrub: () => Promise<void>
  condition: () => Promise<Condition>
  load: () => StoreLoad
  /** Finishes the writes that wait, takes no more, and closes the database. */
  close: () => Promise<void>
}

/** How busy the writer of this server is. */
export interface StoreLoad {
  /** Writes that wait for their commit now. */
  waiting: number
  /** Since the start: commits, the writes they held, and the time they took, disk sync included. */
  commits: number
  writes: number
  commitSeconds: number
}

export type CallCounter = (options: { keyPrefix: string; points: number; duration: number }) => RateLimiterAbstract

/** The store cannot take a write now; another try may succeed. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}

/** A mistake of ours: `work` waited for something other than the store, and was rolled back. */
export class WriteLeftOpen extends Error {
  override name = 'WriteLeftOpen'
}
