import type { Code } from '../contracts/codes.ts'

/**
 * Why an event cannot be closed yet, as the code of the refusal; null if it can be. Everything a closing waits for belongs
 * here (DECISIONS 9). Instants are milliseconds since 1970.
 */
export const closingProblem = ({ endsAt }: { endsAt: number }, now: number): Code | null =>
  now < endsAt ? 'EVENT_NOT_OVER' : null
