import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/** What a request carries from one middleware to the next. */
export interface Env {
  Bindings: Partial<HttpBindings>
  Variables: {
    requestId: string
    /** The name of the call in contracts/calls, or what else answers. */
    call: string
    role: string
    /** When the caller's token expires; unset for calls open to anyone. */
    until: Date
  }
}
export type Ctx = Context<Env>

/**
 * Whom an anonymous call is counted against: the socket's address, or, behind proxies of ours, the entry of
 * X-Forwarded-For that the outermost of them wrote. `app.request` has neither.
 */
export function addressOf(c: Ctx, trustedProxies: number): string {
  const socket = c.env?.incoming?.socket.remoteAddress ?? 'none'
  if (trustedProxies === 0) return socket
  const hops = (c.req.header('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
  return hops.at(-trustedProxies) || socket
}

/** The bearer token of a request; null when there is none. */
export function tokenOf(c: Ctx): string | null {
  const [scheme = '', token = ''] = (c.req.header('authorization') ?? '').split(' ')
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : null
}
