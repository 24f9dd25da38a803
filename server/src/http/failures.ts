import { HTTPException } from 'hono/http-exception'
import { isPassing } from '../flows/health.ts'
import type { Log } from '../log.ts'
import { Refusal } from '../refusal.ts'
import { refuse } from './answer.ts'
import type { Ctx } from './context.ts'

/** The sender disconnected in the middle of its body: not an error, and nobody reads the answer. */
const isCutOff = (error: Error): boolean =>
  error.name === 'AbortError' || ('code' in error && error.code === 'ECONNRESET')

/** Most of what keeps a database from working passes in less. */
const RETRY_SECONDS = 1

/** Turns whatever a call threw into its answer; an unexpected error is logged and answered as a server error. */
export const answerFailure =
  (log: Log) =>
  (error: Error, c: Ctx): Response => {
    if (error instanceof Refusal) return refuse(c, error.code, error.facts)
    if (error instanceof HTTPException && error.status === 413) return refuse(c, 'PAYLOAD_TOO_LARGE')
    if (isCutOff(error)) return refuse(c, 'MALFORMED_JSON')
    const passing = isPassing(error)
    log.error(
      { requestId: c.var.requestId, call: c.var.call, err: error },
      passing ? 'database not usable now' : 'call failed',
    )
    return passing ? refuse(c, 'UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS }) : refuse(c, 'INTERNAL')
  }
