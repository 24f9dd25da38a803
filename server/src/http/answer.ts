import { type Code, STATUS_OF } from '@garba/shared/contracts/codes'
import type { Context } from 'hono'
import { failureBody, type RefusalFacts } from '../refusal.ts'

type Status = 200 | 201 | 202 | (typeof STATUS_OF)[Code]

/** JSON with a Content-Length, so that the compressor skips short responses. */
export function json(c: Context, body: unknown, status: Status = 200): Response {
  const bytes = Buffer.from(JSON.stringify(body))
  return c.body(bytes, status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(bytes.length),
  })
}

export function refuse(c: Context, code: Code, facts: RefusalFacts = {}): Response {
  if (facts.retryAfterSeconds !== undefined) c.header('Retry-After', String(facts.retryAfterSeconds))
  return json(c, failureBody(code, facts), STATUS_OF[code])
}
