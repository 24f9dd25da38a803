import type { Settings } from '../config.ts'
import type { Verify } from '../identity/claims.ts'
import type { QrSigner } from '../identity/signer.ts'
import type { Log } from '../log.ts'
import type { Db, Sql } from '../store/sql.ts'
import type { UserRow } from '../store/users.ts'
import type { Changes } from './changes.ts'

/** Everything the flows reach outside themselves, injected: tests bring their own clock, keys and log. */
export interface Deps {
  db: Db
  settings: Settings
  /** The address guests use, without a slash at its end: PUBLIC_URL, else this machine's with the port listened on. */
  publicUrl: () => string
  now: () => Date
  verify: Verify
  signer: QrSigner
  changes: Changes
  /** Aborted when the server stops: live views end. */
  stopping: AbortSignal
  log: Log
}

/** The signed-in user as the database has it at this request. */
export type Caller = UserRow

/**
 * One write transaction; the lock is taken at its beginning, so it never fails half-way without it. The connection is
 * one and flows are synchronous, so the work goes on with the same database, for which its queries are built already.
 */
export const inTransaction = <T>({ db }: Pick<Deps, 'db'>, work: (tx: Sql) => T): T =>
  db.$client.transaction(() => work(db)).immediate()

/** Reads that belong together, of one moment. */
export const inSnapshot = <T>({ db }: Pick<Deps, 'db'>, work: (tx: Sql) => T): T =>
  db.$client.transaction(() => work(db)).deferred()
