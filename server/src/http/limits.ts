import { setTimeout as sleep } from 'node:timers/promises'
import type { Code } from '@garba/shared/contracts/codes'
import type { CallName } from '@garba/shared/contracts/paths'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Deps } from '../flows/deps.ts'
import { Refusal } from '../refusal.ts'
import { type Ctx, getClientAddress } from './context.ts'

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 60 * MINUTE_SECONDS
const SLOWED_MS = 1_000
const KB = 1024

/**
 * Bytes. An event may include a 5 MB image as base64, a bank statement has up to 2,000,000 characters, a batch up to 200
 * scans or sales, a bulk update up to 1,000 ids.
 */
const BODY_DEFAULT = 64 * KB
const BODY_LIMITS: Partial<Record<CallName, number>> = {
  createEvent: 8 * KB * KB,
  updateEvent: 8 * KB * KB,
  readStatement: 6 * KB * KB,
  importStatement: 6 * KB * KB,
  markUsedBatch: 512 * KB,
  doorSales: 512 * KB,
  signIn: 16 * KB,
  mailLink: KB,
}
export const getBodyLimit = (name: CallName): number => BODY_LIMITS[name] ?? BODY_DEFAULT

/**
 * Calls per minute, or per hour for those in HOURLY: far more than people need and far less than a machine can send.
 * - `user`: a phone at the gate makes two calls per scan and scans at most every other second; each queued row counts
 * as a call. Ten phones can share one checker's account at that pace and use only half of the limit. Openings of one
 * ticket link count too.
 * - `manual`: tickets chosen by hand, on all of a checker's phones. A search, a question and a tap take longer than the
 * two seconds this allows. Queued rows above the limit are retried later.
 * - `signIn`: per person; each page load is a sign-in.
 * - `failure`: invalid tokens, forged webhooks and wrong pairings per address. Above the limit they still get 401 or
 * 400, but a second later: a client with an expired token must learn to refresh it. Valid tokens from the same address
 * are never delayed.
 * - `visitor`: settings and event, which every page asks for and which cost little: a whole venue may share one
 * address.
 * - `address`: everything else that strangers request (image, API document, guesses at links), for many visitors at one
 * address.
 * - `pairing`, `pairingAll`: mistyped pairing codes per address and in all. Links have a secret and are not counted. At
 * 600 a minute, guessing one of fifty codes within their ten minutes succeeds once in four million evenings.
 * - `lost`: offers of lost tickets per person, or by devices of one ticket link; each has up to a hundred signatures to
 * check.
 * - `codes`: unknown promo codes, per person and per address.
 * - `names`: names per hour that a person gives to tickets or to themselves. Each adds a row to the audit trail, which
 * must not fill the disk.
 * - `mailLinks`, `mailLinksTo`: sign-in links by mail per hour, per address and per mailbox. A link refused for the
 * mailbox does not count for the address.
 * - `logError`: crash reports of pages; a broken phone must not fill the disk.
 */
export const RATES = {
  user: 1_200,
  manual: 30,
  signIn: 120,
  failure: 600,
  visitor: 30_000,
  address: 1_800,
  pairing: 20,
  pairingAll: 600,
  lost: 20,
  codes: 20,
  names: 240,
  mailLinks: 600,
  mailLinksTo: 5,
  logError: 20,
} as const
export type LimitName = keyof typeof RATES
export type Limits = Record<LimitName, number>

const HOURLY: ReadonlySet<LimitName> = new Set<LimitName>(['names', 'mailLinks', 'mailLinksTo'])

export interface RateLimits {
  /** Counts a call, or several. Refuses with RATE_LIMITED and the seconds until the next attempt. */
  count: (limit: LimitName, key: string, points?: number) => Promise<void>
  /** Counts more calls for an answer that was large. Never refuses. */
  charge: (limit: LimitName, key: string, points: number) => Promise<void>
  /** Counts an invalid token or signature. Above the limit it resolves a second later. */
  slowDown: (address: string) => Promise<void>
}

/** `limits` replace RATES. `sharedCounter` counts across several servers; without it, counters are in memory. */
export function makeRateLimits(
  limits: Partial<Limits> = {},
  { sharedCounter }: Pick<Deps['store'], 'sharedCounter'> = { sharedCounter: null },
): RateLimits {
  const points = { ...RATES, ...limits }
  const limiter = (name: LimitName): RateLimiterAbstract => {
    const duration = HOURLY.has(name) ? HOUR_SECONDS : MINUTE_SECONDS
    const options = { keyPrefix: name, points: points[name], duration }
    return sharedCounter?.(options) ?? new RateLimiterMemory(options)
  }
  const limiters = Object.fromEntries(
    (Object.keys(RATES) as LimitName[]).map((name) => [name, limiter(name)]),
  ) as Record<LimitName, RateLimiterAbstract>
  const take = async (limit: LimitName, key: string, calls = 1): Promise<RateLimiterRes> => {
    try {
      return await limiters[limit].consume(key, calls)
    } catch (error) {
      if (error instanceof RateLimiterRes) return error
      throw error
    }
  }
  return {
    count: async (limit, key, calls) => {
      const { consumedPoints, msBeforeNext } = await take(limit, key, calls)
      if (consumedPoints <= points[limit]) return
      throw new Refusal('RATE_LIMITED', { retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) })
    },
    charge: async (limit, key, calls) => {
      await take(limit, key, calls)
    },
    slowDown: async (address) => {
      const { consumedPoints } = await take('failure', address)
      if (consumedPoints > points.failure) await sleep(SLOWED_MS)
    },
  }
}

interface GuessedCall {
  deps: Pick<Deps, 'settings'>
  limits: RateLimits
  c: Ctx
  user?: { id: string }
}

interface GuessLimit {
  keys: (address: string) => readonly (readonly [LimitName, string])[]
  wrong: readonly Code[]
}

/** Runs a call with a promo code, unless too many unknown ones came before it. */
export const limitGuesses = <T>(call: GuessedCall, run: () => Promise<T>): Promise<T> =>
  countWrong(call, run, {
    keys: (address) => (call.user ? [address, call.user.id] : [address]).map((key) => ['codes', key] as const),
    wrong: ['CODE_UNKNOWN'],
  })

/** Runs a call with a typed pairing code. Wrong ones are also counted over all addresses, because the codes are short. */
export const limitPairing = <T>(call: GuessedCall, run: () => Promise<T>): Promise<T> =>
  countWrong(call, run, {
    keys: (address) => [
      ['pairing', address],
      ['pairingAll', 'all'],
    ],
    wrong: ['PAIRING_INVALID', 'PAIRING_EXPIRED', 'PAIRING_USED'],
  })

async function countWrong<T>(
  { deps, limits, c }: GuessedCall,
  run: () => Promise<T>,
  { keys, wrong }: GuessLimit,
): Promise<T> {
  const address = getAddressKey(getClientAddress(c, deps.settings.trustedProxies))
  return takeTurn(address, async () => {
    for (const key of keys(address)) await limits.count(...key, 0)
    try {
      return await run()
    } catch (error) {
      if (error instanceof Refusal && wrong.includes(error.code))
        for (const key of keys(address)) await limits.count(...key)
      throw error
    }
  })
}

const GUESSES_AT_ONCE = 20
const turns = new Map<string, { running: number; waiting: (() => void)[] }>()

/** Only so many calls of one address run at once, so that guesses made in parallel are counted too. */
async function takeTurn<T>(address: string, run: () => Promise<T>): Promise<T> {
  const line = turns.get(address) ?? { running: 0, waiting: [] }
  turns.set(address, line)
  if (line.running < GUESSES_AT_ONCE) line.running += 1
  else await new Promise<void>((go) => line.waiting.push(go))
  try {
    return await run()
  } finally {
    const next = line.waiting.shift()
    if (next) next()
    else line.running -= 1
    if (line.running === 0) turns.delete(address)
  }
}

/**
 * The key an address is counted under: the address itself, or for IPv6 its /64 network, because one household there has
 * more addresses than can be counted.
 */
export function getAddressKey(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = [], tail] = address.split('::').map((side) => side.split(':').filter(Boolean))
  const gap = tail === undefined ? [] : Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  return [...head, ...gap, ...(tail ?? [])]
    .slice(0, 4)
    .map((part) => part.replace(/^0+(?=.)/, ''))
    .join(':')
}
