import { setTimeout as sleep } from 'node:timers/promises'
import type { CallName } from '@garba/shared/contracts/paths'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Deps } from '../flows/deps.ts'
import { Refusal } from '../refusal.ts'

const MINUTE_SECONDS = 60
const SLOWED_MS = 1_000
const KB = 1024

/** Bodies in bytes. An event may bring its 5 MB image as base64; a batch 200 scans; a bulk update 1,000 ids; a token is short. */
const BODY_DEFAULT = 64 * KB
const BODY_LIMITS: Partial<Record<CallName, number>> = {
  createEvent: 8 * KB * KB,
  updateEvent: 8 * KB * KB,
  markUsedBatch: 512 * KB,
  signIn: 16 * KB,
}
export const bodyLimitOf = (name: CallName): number => BODY_LIMITS[name] ?? BODY_DEFAULT

/**
 * Calls a minute, far above what people do and far below what a machine can.
 * - `user`: a phone at the gate makes two calls for a scan and scans every other second at most; each row of its
 *   queue counts as a call. Ten phones may share one checker's account at that pace, with as much again to spare.
 * - `manual`: tickets chosen by hand, of all a checker's phones. A search, a question and a tap take longer than the two
 *   seconds this leaves. A queued row above it is tried again later (DECISIONS 9).
 * - `signIn`: by person, each page load being one.
 * - `failure`: by address, tokens that prove nobody. Beyond it they still get that answer, a second later: the client of an
 *   expired token must learn to refresh it, and a good one from the same address is never delayed.
 * - `address`: what a visitor asks before signing in (settings, event, image), for as many visitors.
 * - `logError`: crashes of pages; a broken phone must not fill the disk.
 */
export const RATES = { user: 1_200, manual: 30, signIn: 120, failure: 600, address: 1_800, logError: 20 } as const
export type LimitName = keyof typeof RATES
export type Limits = Record<LimitName, number>

export interface RateLimits {
  /** Counts one call; refuses with RATE_LIMITED and the seconds until the next try. */
  count: (limit: LimitName, key: string) => Promise<void>
  /** Counts a token that proves nobody; past the limit it resolves a second later. */
  slowDown: (address: string) => Promise<void>
}

/** `limits` in calls a minute; `sharedCounter` counts for several servers, without one the counters are in memory. */
export function makeRateLimits(
  limits: Partial<Limits> = {},
  { sharedCounter }: Pick<Deps['store'], 'sharedCounter'> = { sharedCounter: null },
): RateLimits {
  const points = { ...RATES, ...limits }
  const limiter = (name: LimitName): RateLimiterAbstract => {
    const options = { keyPrefix: name, points: points[name], duration: MINUTE_SECONDS }
    return sharedCounter?.(options) ?? new RateLimiterMemory(options)
  }
  const limiters: Record<LimitName, RateLimiterAbstract> = {
    user: limiter('user'),
    manual: limiter('manual'),
    address: limiter('address'),
    signIn: limiter('signIn'),
    failure: limiter('failure'),
    logError: limiter('logError'),
  }
  const take = async (limit: LimitName, key: string): Promise<RateLimiterRes> => {
    try {
      return await limiters[limit].consume(key)
    } catch (error) {
      if (error instanceof RateLimiterRes) return error
      throw error
    }
  }
  return {
    count: async (limit, key) => {
      const { consumedPoints, msBeforeNext } = await take(limit, key)
      if (consumedPoints <= points[limit]) return
      throw new Refusal('RATE_LIMITED', { retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) })
    },
    slowDown: async (address) => {
      const { consumedPoints } = await take('failure', address)
      if (consumedPoints > points.failure) await sleep(SLOWED_MS)
    },
  }
}

/**
 * Whom an address counts as: itself, or its /64 network in IPv6, where one household has more addresses than there is
 * room to count.
 */
export function counted(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = [], tail] = address.split('::').map((side) => side.split(':').filter(Boolean))
  const gap = tail === undefined ? [] : Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  return [...head, ...gap, ...(tail ?? [])]
    .slice(0, 4)
    .map((part) => part.replace(/^0+(?=.)/, ''))
    .join(':')
}
