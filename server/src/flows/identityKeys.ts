import type { KeyShelf, PublishedKeys } from '../identity/publishedKeys.ts'
import { readMeta, writeMeta } from '../store/meta.ts'
import type { Deps } from './deps.ts'

const META_KEY = 'identityKeys'
const LOOK_EVERY_MS = 60_000

/** The identity provider's keys live in the database, so that a restart without internet still knows everybody. */
export const keyShelf = ({ store }: Pick<Deps, 'store'>): KeyShelf => ({
  read: () => store.read((tx) => readMeta(tx, META_KEY)),
  write: (text) => store.write((tx) => writeMeta(tx, META_KEY, text)),
})

/** Refreshes the keys at start and hourly from then on, until the server stops. */
export function keepKeysFresh(keys: PublishedKeys, stopping: AbortSignal): void {
  void keys.refresh()
  const timer = setInterval(() => void keys.refresh(), LOOK_EVERY_MS).unref()
  stopping.addEventListener('abort', () => clearInterval(timer), { once: true })
}
