import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { idempotencyKeySchema } from '@garba/shared/contracts/ticket'
import { LANGUAGES, type Language } from '@garba/shared/messages/language'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Deps } from '../flows/deps.ts'
import type { Log } from '../log.ts'
import { Refusal } from '../refusal.ts'

/** Values that middlewares pass on about a request. */
export interface Env {
  Bindings: Partial<HttpBindings>
  Variables: {
    requestId: string
    /** The call's name in calls/calls, or another name for requests that are not calls. */
    call: string
    role: string
    /** The time the caller's token expires or the phone's pairing ends; unset for calls open to anyone. */
    until: Date
  }
}
export type Ctx = Context<Env>

/**
 * The address an anonymous call is counted against: the socket's, or behind trusted proxies the X-Forwarded-For entry
 * that the outermost one wrote. `app.request` has neither.
 */
export function addressOf(c: Ctx, trustedProxies: number): string {
  const socket = c.env?.incoming?.socket.remoteAddress ?? 'none'
  if (trustedProxies === 0) return socket
  const hops = (c.req.header('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
  return hops.at(-trustedProxies) || socket
}

/** Whether the request has no header of a proxy that forwarded it. Some proxies add none. */
export const isDirect = (c: Ctx): boolean =>
  c.req.header('x-forwarded-for') === undefined && c.req.header('forwarded') === undefined

export function tokenOf(c: Ctx): string | null {
  const [scheme = '', token = ''] = (c.req.header('authorization') ?? '').split(' ')
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : null
}

/** The sale's idempotency key. Refuses with IDEMPOTENCY_KEY_REQUIRED. */
export function idempotencyKeyOf(c: Ctx): string {
  const key = idempotencyKeySchema.safeParse(c.req.header('idempotency-key'))
  if (!key.success) throw new Refusal('IDEMPOTENCY_KEY_REQUIRED')
  return key.data
}

/** The idempotency key of a call that need not have one. Refuses with IDEMPOTENCY_KEY_REQUIRED for an unusable one. */
export const optionalKeyOf = (c: Ctx): string | null =>
  c.req.header('idempotency-key') === undefined ? null : idempotencyKeyOf(c)

/** The first of the caller's languages that the site has; otherwise English. */
export function languageOf(c: Ctx): Language {
  const tags = (c.req.header('accept-language') ?? '').split(',').map((tag) => tag.trim().slice(0, 2).toLowerCase())
  return LANGUAGES.find((language) => language === tags.find((tag) => LANGUAGES.some((own) => own === tag))) ?? 'en'
}

/** Whether the body arrived with the headers, as most small ones do. `app.request` cannot tell. */
export async function arrivesAtOnce(c: Ctx): Promise<boolean> {
  const incoming = c.env?.incoming
  if (incoming && !incoming.complete) await setImmediate()
  return isWhole(c)
}

export const isWhole = (c: Ctx): boolean => c.env?.incoming?.complete === true

/**
 * One line per request, with the call's name instead of the address and the role instead of the person. Addresses and
 * query strings may hold names and searches, and headers hold tokens, so none of them is logged.
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

/** An answer with the server's time, by which clients correct their clocks. */
export const timed = <Answer extends object>({ now }: Deps, answer: Answer) => ({
  ...answer,
  serverTime: now().toISOString(),
})
