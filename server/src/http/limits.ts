import type { CallName } from '@garba/shared/contracts/paths'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Refusal } from '../refusal.ts'

const MINUTE_SECONDS = 60
const KB = 1024

/** Bodies in bytes. An event may bring its 5 MB image as base64; a batch 200 scans; a bulk update 1,000 ids. */
const BODY_DEFAULT = 64 * KB
const BODY_LIMITS: Partial<Record<CallName, number>> = {
  createEvent: 8 * KB * KB,
  updateEvent: 8 * KB * KB,
  markUsedBatch: 512 * KB,
}
export const bodyLimitOf = (name: CallName): number => BODY_LIMITS[name] ?? BODY_DEFAULT

/**
 * Calls a minute, far above what people do and far below what a machine can.
 * - `user`: a phone at the gate makes two calls for a scan and scans every other second at most; each row of its
 *   queue counts as a call. Ten phones may share one checker's account at that pace, with as much again to spare.
 * - `manual`: tickets chosen by hand, of all a checker's phones. A search, a question and a tap take longer than the two
 *   seconds this leaves. A queued row above it is tried again later (DECISIONS 9).
 * - `signIn`: by address, which a venue's phones share. Ten people a second sign in; later visits ask as their user.
 * - `address`: what a visitor asks before signing in (settings, event, image), for as many visitors.
 * - `logError`: crashes of pages; a broken phone must not fill the disk.
 */
export const RATES = { user: 1_200, manual: 30, signIn: 600, address: 1_800, logError: 20 } as const
export type LimitName = keyof typeof RATES
export type Limits = Record<LimitName, number>

export interface RateLimits {
  /** Counts one call; refuses with RATE_LIMITED and the seconds until the next try. */
  count: (limit: LimitName, key: string) => Promise<void>
}

/** Counters in memory; `limits` in calls a minute. */
export function makeRateLimits(limits: Partial<Limits> = {}): RateLimits {
  const points = { ...RATES, ...limits }
  const limiter = (name: LimitName) =>
    new RateLimiterMemory({ keyPrefix: name, points: points[name], duration: MINUTE_SECONDS })
  const limiters: Record<LimitName, RateLimiterMemory> = {
    user: limiter('user'),
    manual: limiter('manual'),
    address: limiter('address'),
    signIn: limiter('signIn'),
    logError: limiter('logError'),
  }
  return {
    count: async (limit, key) => {
      try {
        await limiters[limit].consume(key)
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error
        throw new Refusal('RATE_LIMITED', { retryAfterSeconds: Math.max(1, Math.ceil(error.msBeforeNext / 1000)) })
      }
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

/** The limit an anonymous call counts against. */
export const addressLimitOf = (name: CallName): LimitName =>
  name === 'signIn' ? 'signIn' : name === 'logError' ? 'logError' : 'address'
