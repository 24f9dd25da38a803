import type { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Settings } from '../config.ts'
import type { Deps } from '../flows/deps.ts'
import { Refusal } from '../refusal.ts'
import { isLoopback } from '../settings/variables.ts'
import { sendRefusal } from './answer.ts'
import type { Bodies } from './bodies.ts'
import { type Ctx, type Env, getClientAddress, isDirect } from './context.ts'
import { getAddressKey, type RateLimits } from './limits.ts'

const PREFIXES = ['/identitytoolkit.googleapis.com/*', '/securetoken.googleapis.com/*']
const BODY_MAX = 256 * 1024
/** Headers the browser's SDK needs. Authorization is left out: with it the emulator lets anyone edit its accounts. */
const PASSED = ['content-type', 'accept', 'accept-language', 'x-client-version', 'x-firebase-gmpid']

/** In demo mode, proxies the Auth emulator on the server's own origin, so that one port is enough. */
export function mountEmulatorProxy(
  app: Hono<Env>,
  { deps, limits, bodies }: { deps: Deps; limits: RateLimits; bodies: Bodies },
): void {
  const { settings, log } = deps
  const host = settings.demo ? settings.emulatorHost : null
  if (host === null) return
  app.on(['GET', 'POST'], PREFIXES, async (c) => {
    c.set('call', 'emulator')
    const source = getAddressKey(getClientAddress(c, settings.trustedProxies))
    await limits.count('address', source)
    const sent = await bodies.read(c, { max: BODY_MAX, kind: 'other', source })
    try {
      return await passOn(c, { host, sent })
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      log.error({ err: error }, 'the Auth emulator does not answer')
      return sendRefusal(c, 'UNAVAILABLE')
    }
  })
}

async function passOn(c: Ctx, { host, sent }: { host: string; sent: Uint8Array<ArrayBuffer> }): Promise<Response> {
  const { pathname, search } = new URL(c.req.url)
  const headers = new Headers()
  for (const name of PASSED) {
    const value = c.req.header(name)
    if (value !== undefined) headers.set(name, value)
  }
  const body = c.req.method === 'POST' ? { body: sent } : {}
  const answer = await fetch(`http://${host}${pathname}${search}`, { method: c.req.method, headers, ...body })
  return c.body(await answer.arrayBuffer(), answer.status as 200, {
    'Content-Type': answer.headers.get('content-type') ?? 'application/json',
    'Cache-Control': 'no-store',
  })
}

/**
 * Anyone who can reach a demo can become its admin, so it answers only this machine: no foreign host name that resolves
 * to it (DNS rebinding), and nothing through a tunnel or proxy.
 */
export const localDemoOnly = ({ demo, demoOnNetwork }: Settings) =>
  createMiddleware<Env>(async (c, next) => {
    if (demo && !demoOnNetwork) {
      const local = isLoopback(new URL(c.req.url).hostname) && isDirect(c)
      if (!local) throw new Refusal('DEMO_LOCAL_ONLY')
    }
    await next()
  })
