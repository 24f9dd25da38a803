import { HOUR_MS } from '@garba/shared/constants'
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import * as z from 'zod'
import type { Log } from '../log.ts'
import { KeysUnavailable } from './claims.ts'

const GOOGLE_KEYS = 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com'
const REFRESH_MS = HOUR_MS
const TRY_AGAIN_MS = 30 * 1000
const FETCH_TIMEOUT_MS = 5_000

const keySetSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })).min(1) })
const keptSchema = keySetSchema.extend({ fetchedAt: z.number() })

export interface KeyShelf {
  read: () => Promise<string | null>
  write: (text: string) => Promise<void>
}

export interface PublishedKeysOptions {
  address?: string | undefined
  shelf: KeyShelf
  now: () => Date
  log: Log
}

export interface PublishedKeys {
  /** Finds the key named in a token. Throws KeysUnavailable if there are no keys, or a new key cannot be fetched. */
  find: JWTVerifyGetKey
  /** Fetches the keys when they are older than an hour. Never throws. */
  refresh: () => Promise<void>
}

interface HeldKeys {
  fetchedAt: number
  find: JWTVerifyGetKey
}

/**
 * The identity provider's public keys, fetched hourly and stored on the shelf. While fetching fails, keys of any age
 * stay in use, so a server without internet still recognises its checkers. Tokens with unknown keys cause at most one
 * fetch per half minute. Failures are logged once an hour.
 */
export function publishedKeys({ address = GOOGLE_KEYS, shelf, now, log }: PublishedKeysOptions): PublishedKeys {
  let held: HeldKeys | null = null
  /** The stored keys; null also while the database is unavailable. They are read again if a fetch fails. */
  const shelved = (): Promise<HeldKeys | null> => fromShelf(shelf).catch(() => null)
  const restored = shelved().then((kept) => {
    held ??= kept
  })
  let triedAt = Number.NEGATIVE_INFINITY
  let warnedAt = Number.NEGATIVE_INFINITY
  let lastTryFailed = false
  let fetching: Promise<void> | null = null

  const fetchOnce = async (): Promise<void> => {
    const startedAt = now().getTime()
    triedAt = startedAt
    try {
      const keys = await fetchKeys(address)
      held = { fetchedAt: startedAt, find: createLocalJWKSet(keys) }
      if (lastTryFailed) log.info({}, 'identity keys fetched again')
      lastTryFailed = false
      await shelf.write(JSON.stringify({ ...keys, fetchedAt: startedAt }))
    } catch (error) {
      lastTryFailed = held?.fetchedAt !== startedAt
      if (lastTryFailed) held = newer(await shelved(), held)
      if (Math.abs(startedAt - warnedAt) < REFRESH_MS) return
      warnedAt = startedAt
      log.warn({ err: error, ageMs: held ? startedAt - held.fetchedAt : null }, 'identity keys not refreshed')
    }
  }
  /** One fetch at a time, and none within half a minute of the last. */
  const renew = (): Promise<void> => {
    if (fetching) return fetching
    // The clock may have been ahead and set back since.
    if (Math.abs(now().getTime() - triedAt) < TRY_AGAIN_MS) return Promise.resolve()
    fetching = fetchOnce().finally(() => {
      fetching = null
    })
    return fetching
  }
  const refresh = async (): Promise<void> => {
    await restored
    if (!held || Math.abs(now().getTime() - held.fetchedAt) >= REFRESH_MS) await renew()
  }

  return {
    refresh,
    find: async (header, token) => {
      await restored
      if (!held) await renew()
      else void refresh()
      try {
        if (held) return await held.find(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      }
      await renew()
      const unavailable = new KeysUnavailable('the keys of the identity provider cannot be fetched')
      if (!held) throw unavailable
      try {
        return await held.find(header, token)
      } catch (error) {
        // The key may be newer than those held here. Only a successful fetch proves that it does not exist.
        throw lastTryFailed && error instanceof errors.JWKSNoMatchingKey ? unavailable : error
      }
    },
  }
}

/** Another server on the same database may have fetched more recently. */
const newer = (kept: HeldKeys | null, held: HeldKeys | null): HeldKeys | null =>
  kept && kept.fetchedAt > (held?.fetchedAt ?? Number.NEGATIVE_INFINITY) ? kept : held

async function fetchKeys(address: string): Promise<JSONWebKeySet> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) })
  if (!answer.ok) throw new Error(`the identity provider answered ${answer.status}`)
  return keySetSchema.parse(await answer.json())
}

/** Unreadable keys count as none, so they are fetched again. */
async function fromShelf(shelf: KeyShelf): Promise<HeldKeys | null> {
  const text = await shelf.read()
  if (text === null) return null
  try {
    const { fetchedAt, keys } = keptSchema.parse(JSON.parse(text))
    return { fetchedAt, find: createLocalJWKSet({ keys }) }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null
    throw error
  }
}
