import { getConfig } from '../config.ts'
import { IdentityUnreachable } from '../http/tokens.ts'
import type { Provider } from './firebase.ts'

let started: Promise<Provider> | null = null
let watching: ((provider: Provider) => void) | null = null

/** Called once with the provider, when something first needs it. */
export const onProviderStart = (watch: (provider: Provider) => void): void => {
  watching = watch
}

/** The identity provider, loaded at first need. Rejects with IdentityUnreachable when its code or settings cannot be had. */
export function provider(): Promise<Provider> {
  started ??= load().catch((error: unknown) => {
    started = null
    throw new IdentityUnreachable('Sign-in could not be loaded', { cause: error })
  })
  return started
}

/** The provider if something has needed it already, else null; it is not loaded for this. */
export const startedProvider = (): Promise<Provider | null> => started ?? Promise.resolve(null)

async function load(): Promise<Provider> {
  const [{ startFirebase }, config] = await Promise.all([import('./firebase.ts'), getConfig()])
  const ready = startFirebase(config)
  watching?.(ready)
  return ready
}
