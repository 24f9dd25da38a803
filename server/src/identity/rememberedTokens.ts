import { hash } from 'node:crypto'
import type { Claims, Verify } from './claims.ts'

/** No evening has this many people. Beyond it, the oldest token is dropped. */
const KEPT = 20_000

/**
 * Verifies each token once and keeps its claims under its hash until it expires. Roles are not kept: they are read from
 * the database on every request.
 */
export function rememberTokens(verify: Verify, now: () => Date): Verify {
  const kept = new Map<string, Claims>()
  return async (token) => {
    const key = hash('sha256', token, 'base64')
    const known = kept.get(key)
    if (known && known.expiresAt > now()) return known
    kept.delete(key)
    const claims = await verify(token)
    const [oldest] = kept.keys()
    if (kept.size >= KEPT && oldest !== undefined) kept.delete(oldest)
    kept.set(key, claims)
    return claims
  }
}
