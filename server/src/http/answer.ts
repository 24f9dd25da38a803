import { type Code, STATUS_OF } from '@garba/shared/contracts/codes'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { isPassing } from '../flows/watch/health.ts'
import type { Log } from '../log.ts'
import { failureBody, Refusal, type RefusalFacts } from '../refusal.ts'
import type { Ctx } from './context.ts'

type Status = 200 | 201 | 202 | (typeof STATUS_OF)[Code]

/** JSON with a Content-Length, so that the compressor skips short responses. */
export function sendJson(c: Context, body: unknown, status: Status = 200): Response {
  const bytes = Buffer.from(JSON.stringify(body))
  return c.body(bytes, status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(bytes.length),
  })
}

export function sendRefusal(c: Context, code: Code, facts: RefusalFacts = {}): Response {
  if (facts.retryAfterSeconds !== undefined) c.header('Retry-After', String(facts.retryAfterSeconds))
  return sendJson(c, failureBody(code, facts), STATUS_OF[code])
}

/** The client disconnected while sending its body. That is not an error, and no one gets the response. */
const isCutOff = (error: Error): boolean =>
  error.name === 'AbortError' || ('code' in error && error.code === 'ECONNRESET')

/** Most database outages are shorter. */
const RETRY_SECONDS = 1

export const answerFailure =
  (log: Log) =>
  (error: Error, c: Ctx): Response => {
    if (error instanceof Refusal) return sendRefusal(c, error.code, error.facts)
    if (error instanceof HTTPException && error.status === 413) return sendRefusal(c, 'PAYLOAD_TOO_LARGE')
    if (isCutOff(error)) return sendRefusal(c, 'MALFORMED_JSON')
    const passing = isPassing(error)
    log.error(
      { requestId: c.var.requestId, call: c.var.call, err: error },
      passing ? 'database unavailable' : 'call failed',
    )
    return passing ? sendRefusal(c, 'UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS }) : sendRefusal(c, 'INTERNAL')
  }
