import type { KeyShelf, PublishedKeys } from '../identity/publishedKeys.ts'
import { IDENTITY_KEYS, readMeta, writeMeta } from '../store/meta.ts'
import type { Deps } from './deps.ts'

const LOOK_EVERY_MS = 60_000

/** Stores the identity provider's keys in the database, so that sign-in survives a restart without internet. */
export const keyShelf = ({ store }: Pick<Deps, 'store'>): KeyShelf => ({
  read: () => store.read((tx) => readMeta(tx, IDENTITY_KEYS)),
  write: (text) => store.write((tx) => writeMeta(tx, IDENTITY_KEYS, text)),
})

/** Refreshes the keys at start and then hourly, until the server stops. */
export function keepKeysFresh(keys: PublishedKeys, stopping: AbortSignal): void {
  void keys.refresh()
  const timer = setInterval(() => void keys.refresh(), LOOK_EVERY_MS).unref()
  stopping.addEventListener('abort', () => clearInterval(timer), { once: true })
}
