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

/** Calls a minute. A gate phone makes up to four a second, and a venue's guests share one address. */
const RATES = { user: 6_000, address: 3_000, signIn: 1_200, logError: 60 } as const
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

/** The limit an anonymous call counts against. */
export const addressLimitOf = (name: CallName): LimitName =>
  name === 'signIn' ? 'signIn' : name === 'logError' ? 'logError' : 'address'
