import { randomUUID } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import type { Log } from '../log.ts'
import type { Env } from './context.ts'

/**
 * One line per request, with the call's name instead of the address and the role instead of the person. Addresses and query
 * strings may hold names and searches, and headers hold tokens, so none of them is logged.
 */
export const requestLog = (log: Log) =>
  createMiddleware<Env>(async (c, next) => {
    const began = performance.now()
    const requestId = randomUUID()
    c.set('requestId', requestId)
    c.header('X-Request-Id', requestId)
    await next()
    const { call = 'none', role } = c.var
    const ms = Math.round(performance.now() - began)
    log.info({ requestId, call, method: c.req.method, status: c.res.status, ms, role }, 'request')
  })
