import { READINESS } from '@garba/shared/messages/readiness'
import { call } from '../../platform/http/call.ts'
import { askPersistence, storageState } from '../../platform/pwa/storage.ts'
import { useUpdate } from '../../platform/pwa/worker.ts'
import { askWakeLock } from '../../platform/screen/wakeLock.ts'
import { APP_VERSION } from '../../platform/version.ts'
import { tryWrite } from '../store/record.ts'
import { absent, bad, good, type Result, weak } from './result.ts'

const MB = 1_000_000
/** An evening's list, history and outbox need a few megabytes; below this a phone will soon refuse writes. */
const FREE_MIN_BYTES = 50 * MB

const sizeText = (bytes: number): string =>
  bytes >= 1_000 * MB ? `${(bytes / (1_000 * MB)).toFixed(1)} GB` : `${Math.round(bytes / MB)} MB`

/** Whether the browser keeps this device's data under pressure. */
export async function checkPersistence(): Promise<Result> {
  const agreed = await askPersistence()
  if (agreed || (await storageState()).persisted) return good(READINESS.persistence.good)
  return weak(agreed === null ? READINESS.persistence.unanswered : READINESS.persistence.weak)
}

/** Room for the evening, tested by a real strict write. */
export async function checkSpace(): Promise<Result> {
  try {
    await tryWrite()
  } catch (error) {
    console.warn('The test scan was not written', error)
    return bad(READINESS.space.failed)
  }
  const { freeBytes } = await storageState()
  if (freeBytes === null) return weak(READINESS.space.unknown)
  const free = sizeText(freeBytes)
  return freeBytes < FREE_MIN_BYTES ? bad(READINESS.space.low(free)) : good(READINESS.space.good(free))
}

/** The app's version against the server's, and whether it opens without a network. */
export async function checkVersion(): Promise<Result> {
  const { version } = await call('config', { retries: 0 })
  if (version !== APP_VERSION) return weak(READINESS.version.bad(APP_VERSION, version))
  if (useUpdate.getState().ready) return weak(READINESS.version.waiting)
  return (await opensOffline()) ? good(READINESS.version.good(version)) : weak(READINESS.version.offline)
}

/** Whether the worker has cached the scanner's page; an active worker has everything that page needs. */
async function opensOffline(): Promise<boolean> {
  if (!('serviceWorker' in navigator) || !('caches' in window)) return false
  const registration = await navigator.serviceWorker.getRegistration()
  return (
    registration?.active !== undefined && (await caches.match('/scanner.html', { ignoreSearch: true })) !== undefined
  )
}

const HELD_MS = 300

export async function checkWakeLock(): Promise<Result> {
  if (!('wakeLock' in navigator)) return absent(READINESS.wakeLock.absent)
  const lock = await askWakeLock()
  await new Promise((resolve) => setTimeout(resolve, HELD_MS))
  const held = lock !== null && !lock.released
  await lock?.release()
  return held ? good(READINESS.wakeLock.good) : weak(READINESS.wakeLock.refused)
}
