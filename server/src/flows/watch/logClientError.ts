import { MINUTE_MS } from '@garba/shared/constants'
import type { logErrorBodySchema } from '@garba/shared/contracts/site/site'
import type * as z from 'zod'
import type { Deps } from '../deps.ts'

const INFO_MAX = 4_000
const NOT_SHOWN = '[too deep to log]'

/**
 * Removes emails and tokens from a message or address. Anyone may send a report, so every repetition in the patterns
 * has an upper bound: without one, searching a long word takes seconds and blocks the gate.
 */
const scrubbed = (text: string): string =>
  text
    .replace(/[^\s@"'<>]{1,64}@[^\s@"'<>]{1,255}\.[a-z]{2,63}/gi, '[email]')
    .replace(/eyJ[\w-]{5,256}\.[\w-]+\.?[\w-]*/g, '[token]')
    .replace(/([?#])[^\s:)"']*/g, '$1')

function shortJson(value: unknown): string | undefined {
  if (value === undefined) return undefined
  try {
    return scrubbed(JSON.stringify(value).slice(0, 2 * INFO_MAX)).slice(0, INFO_MAX)
  } catch (error) {
    // JSON.parse accepts deeper nesting than the recursive JSON.stringify can write.
    if (error instanceof RangeError) return NOT_SHOWN
    throw error
  }
}

/**
 * The limit covers all addresses together: a broken release crashes everywhere at once, and one report says as much as
 * a thousand.
 */
const WRITTEN_A_MINUTE = 60
const written = new WeakMap<Deps['log'], { since: number; count: number }>()

function countReport({ log, now }: Pick<Deps, 'log' | 'now'>): number {
  const at = now().getTime()
  const known = written.get(log)
  const minute = known && Math.abs(at - known.since) < MINUTE_MS ? known : { since: at, count: 0 }
  minute.count += 1
  written.set(log, minute)
  return minute.count
}

/**
 * Logs a crash of the page as data, without anything that identifies the person. Reports beyond the limit per
 * minute are accepted but not logged.
 */
export function logClientError(
  { log, now }: Pick<Deps, 'log' | 'now'>,
  report: z.output<typeof logErrorBodySchema>,
): void {
  const count = countReport({ log, now })
  if (count === WRITTEN_A_MINUTE + 1) log.warn({}, 'too many crash reports: ignoring the rest of this minute')
  if (count > WRITTEN_A_MINUTE) return
  const { error, errorInfo, timestamp, url, userAgent } = report
  const facts = {
    name: error.name === undefined ? undefined : scrubbed(error.name),
    message: scrubbed(error.message),
    stack: error.stack === undefined ? undefined : scrubbed(error.stack),
    info: shortJson(errorInfo),
    timestamp: scrubbed(timestamp),
    url: scrubbed(url),
    userAgent: scrubbed(userAgent),
  }
  log.warn({ page: facts }, 'the page crashed')
}
