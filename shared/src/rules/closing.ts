import type { Code } from '../contracts/codes.ts'

/**
 * Why an event cannot be closed yet, as the code of the refusal; null if it can be. Everything a closing waits for belongs
 * here. Instants are milliseconds since 1970;
 * `held` is the number of orders that wait for their payment.
 */
export const closingProblem = ({ endsAt, held }: { endsAt: number; held: number }, now: number): Code | null => {
  if (now < endsAt) return 'EVENT_NOT_OVER'
  return held > 0 ? 'EVENT_HAS_HOLDS' : null
}
