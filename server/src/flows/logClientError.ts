import type { logErrorBodySchema } from '@garba/shared/contracts/site'
import type * as z from 'zod'
import type { Deps } from './deps.ts'

const INFO_MAX = 4_000
const NOT_SHOWN = '[too deep to log]'

/**
 * Emails and tokens that slipped into a message or an address; a crash is understood without them. Anyone may send a
 * report, so every repetition has an upper bound: without one, a long word takes seconds to search, and the gate waits.
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
    // What JSON.parse reads in a loop, JSON.stringify writes by calling itself.
    if (error instanceof RangeError) return NOT_SHOWN
    throw error
  }
}

const MINUTE_MS = 60_000
/** Of all addresses together: a broken release crashes everywhere at once, and one report says as much as a thousand. */
const WRITTEN_A_MINUTE = 60
const written = new WeakMap<Deps['log'], { since: number; count: number }>()

/** How many reports this minute has brought, this one included. */
function countOf({ log, now }: Pick<Deps, 'log' | 'now'>): number {
  const at = now().getTime()
  const known = written.get(log)
  const minute = known && at - known.since < MINUTE_MS ? known : { since: at, count: 0 }
  minute.count += 1
  written.set(log, minute)
  return minute.count
}

/**
 * Writes a crash of the page to the log as data, without anything that identifies the person (DECISIONS 2); beyond the bound of a
 * minute it is taken and left out.
 */
export function logClientError(
  { log, now }: Pick<Deps, 'log' | 'now'>,
  report: z.output<typeof logErrorBodySchema>,
): void {
  const count = countOf({ log, now })
  if (count === WRITTEN_A_MINUTE + 1) log.warn({}, 'too many crash reports: the rest of this minute is left out')
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
