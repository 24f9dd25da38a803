import type { Settings } from '../config.ts'
import type { Verify } from '../identity/claims.ts'
import type { QrSigner } from '../identity/signer.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'
import type { UserRow } from '../store/users.ts'

export type { Change } from '../store/changes.ts'

/** Everything the flows reach outside themselves, injected: tests bring their own clock, keys and log. */
export interface Deps {
  store: Store
  settings: Settings
  /** The address guests use, without a slash at its end: PUBLIC_URL, else this machine's with the port listened on. */
  publicUrl: () => string
  now: () => Date
  verify: Verify
  signer: QrSigner
  /** Aborted when the server stops: live views end. */
  stopping: AbortSignal
  log: Log
}

/** The signed-in user as the database has it at this request. */
export type Caller = UserRow
