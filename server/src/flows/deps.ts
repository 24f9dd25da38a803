import type { Settings } from '../config.ts'
import type { Verify } from '../identity/claims.ts'
import type { QrSigner } from '../identity/signer.ts'
import type { Log } from '../log.ts'
import type { Mailer } from '../mail/mails.ts'
import type { Providers } from '../providers/provider.ts'
import type { PairedDeviceRow } from '../store/devices.ts'
import type { Store } from '../store/engine/store.ts'
import type { UserRow } from '../store/users.ts'
import type { Epoch } from './recovery/epoch.ts'

export type { Change } from '../store/engine/store.ts'

/** Everything the flows depend on. Tests inject their own clock, keys and log. */
export interface Deps {
  store: Store
  settings: Settings
  /** The address guests use, without a trailing slash: PUBLIC_URL, or localhost with the actual port. */
  publicUrl: () => string
  now: () => Date
  verify: Verify
  signer: QrSigner
  epoch: Epoch
  providers: Providers
  /** Sends mails to guests; null if mail is not set up. */
  mailer: Mailer | null
  /** Aborted when the server stops, which ends live views. */
  stopping: AbortSignal
  log: Log
}

/** The signed-in user, as read from the database for this request. */
export interface Caller extends UserRow {
  device?: undefined
}
/** A paired phone, as read for this request. Its name is the one on its shift. */
export interface DeviceCaller {
  id: string
  name: string
  role: 'device'
  device: PairedDeviceRow
}
/** A person or a paired phone. */
export type AnyCaller = Caller | DeviceCaller
