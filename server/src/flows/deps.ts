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
  mailer: Mailer | null
  stopping: AbortSignal
  log: Log
}

export interface Caller extends UserRow {
  device?: undefined
}
/** A paired phone. `endsAt` is null if it ends with an event that does not exist yet. */
export type PairedPhone = PairedDeviceRow & { endsAt: Date | null }

export interface DeviceCaller {
  id: string
  name: string
  role: 'device'
  device: PairedPhone
}
export type AnyCaller = Caller | DeviceCaller
