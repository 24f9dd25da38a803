import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { Refusal } from '../refusal.ts'
import type { Env } from './context.ts'

/** Refuses a body of more bytes with PAYLOAD_TOO_LARGE, before it is read where its length is told. */
export function limitBody(maxSize: number) {
  const tooLarge = () => {
    throw new Refusal('PAYLOAD_TOO_LARGE')
  }
  const counting = bodyLimit({ maxSize, onError: tooLarge })
  return createMiddleware<Env>(async (c, next) => {
    const length = c.req.header('content-length')
    // Hono's own limit looks at the body even then, and so makes a stream of what is otherwise read at once.
    if (length === undefined || c.req.header('transfer-encoding') !== undefined) return counting(c, next)
    if (Number(length) > maxSize) tooLarge()
    await next()
  })
}
