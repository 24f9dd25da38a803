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
import { isLoopback } from '../settings/variables.ts'

export interface Env {
  Bindings: Partial<HttpBindings>
  Variables: {
    requestId: string
    /** The call's name in calls/calls, or another name for requests that are not calls. */
    call: string
    role: string
    caller: string
    /** The time the caller's token expires or the phone's pairing ends; unset for calls open to anyone. */
    until: Date
  }
}
export type Ctx = Context<Env>

/**
 * The address an anonymous call is counted against: the socket's, or behind trusted proxies the X-Forwarded-For entry
 * that the outermost one wrote. `app.request` has neither.
 */
export function getClientAddress(c: Ctx, trustedProxies: number): string {
  const socket = plainAddress(c.env?.incoming?.socket.remoteAddress ?? 'none')
  if (trustedProxies === 0) return socket
  const hops = (c.req.header('x-forwarded-for') ?? '').split(',').map(plainAddress)
  return hops.at(-trustedProxies) || socket
}

/** An address without quotes, brackets, port and zone; an IPv4 address that is written as IPv6 becomes IPv4. */
function plainAddress(written: string): string {
  const text = written.trim().replaceAll('"', '').toLowerCase()
  const [, inBrackets] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? []
  const address = (inBrackets ?? text).replace(/%.*$/, '')
  const [, v4] = /^(?:(?:0*:)*(?::|:0*ffff:|0*ffff:))?(\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?$/.exec(address) ?? []
  return v4 ?? address
}

const PROXY_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']

/**
 * Whether nothing shows that a proxy forwarded the request. A plain `proxy_pass` of nginx adds no header and names this
 * machine as host, but it speaks HTTP/1.0, and a browser still names the page that it shows. A program behind a proxy
 * that adds nothing cannot be told from one on this machine.
 */
export function isDirect(c: Ctx): boolean {
  if (c.env?.incoming?.httpVersion === '1.0') return false
  if (PROXY_HEADERS.some((name) => c.req.header(name) !== undefined)) return false
  // A link on another site may open a page here; such a page alone shows nobody's data.
  if (c.req.header('sec-fetch-mode') === 'navigate' && !c.req.path.startsWith('/api/')) return true
  if (c.req.header('sec-fetch-site') === 'cross-site') return false
  return ['origin', 'referer'].every((name) => {
    const page = c.req.header(name) ?? ''
    return !URL.canParse(page) || isLoopback(new URL(page).hostname)
  })
}

export function findBearerToken(c: Ctx): string | null {
  const [scheme = '', token = ''] = (c.req.header('authorization') ?? '').split(' ')
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : null
}

export function requireIdempotencyKey(c: Ctx): string {
  const key = idempotencyKeySchema.safeParse(c.req.header('idempotency-key'))
  if (!key.success) throw new Refusal('IDEMPOTENCY_KEY_REQUIRED')
  return key.data
}

export const findIdempotencyKey = (c: Ctx): string | null =>
  c.req.header('idempotency-key') === undefined ? null : requireIdempotencyKey(c)

export function getCallerLanguage(c: Ctx): Language {
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

export const addServerTime = <Answer extends object>({ now }: Deps, answer: Answer) => ({
  ...answer,
  serverTime: now().toISOString(),
})
