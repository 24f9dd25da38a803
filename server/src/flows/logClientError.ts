import type { logErrorBodySchema } from '@garba/shared/contracts/site'
import type * as z from 'zod'
import type { Deps } from './deps.ts'

const INFO_MAX = 4_000

/** Emails and tokens that slipped into a message or an address; a crash is understood without them. */
const scrubbed = (text: string): string =>
  text
    .replace(/[^\s@"'<>]+@[^\s@"'<>]+\.[a-z]{2,}/gi, '[email]')
    .replace(/eyJ[\w-]{5,}\.[\w-]+\.?[\w-]*/g, '[token]')
    .replace(/([?#])[^\s:)"']*/g, '$1')

const shortJson = (value: unknown): string | undefined =>
  value === undefined ? undefined : scrubbed(JSON.stringify(value)).slice(0, INFO_MAX)

/** Writes a crash of the page to the log as data, without what could tell who it was (DECISIONS 2). */
export function logClientError({ log }: Deps, report: z.output<typeof logErrorBodySchema>): void {
  const { error, errorInfo, timestamp, url, userAgent } = report
  const facts = {
    name: error.name === undefined ? undefined : scrubbed(error.name),
    message: scrubbed(error.message),
    stack: error.stack === undefined ? undefined : scrubbed(error.stack),
    info: shortJson(errorInfo),
    timestamp,
    url: scrubbed(url),
    userAgent,
  }
  log.warn({ page: facts }, 'the page crashed')
}
