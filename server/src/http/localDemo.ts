import { createMiddleware } from 'hono/factory'
import type { Settings } from '../config.ts'
import { isLoopback } from '../loopback.ts'
import { Refusal } from '../refusal.ts'
import type { Env } from './context.ts'

/**
 * Anyone who can reach a demo can become its admin, so it answers only this machine: no foreign host name that resolves to
 * it (DNS rebinding), and nothing through a tunnel or proxy. Refuses with DEMO_LOCAL_ONLY.
 */
export const localDemoOnly = ({ demo, demoOnNetwork }: Settings) =>
  createMiddleware<Env>(async (c, next) => {
    if (demo && !demoOnNetwork) {
      const local = isLoopback(new URL(c.req.url).hostname) && c.req.header('x-forwarded-for') === undefined
      if (!local) throw new Refusal('DEMO_LOCAL_ONLY')
    }
    await next()
  })
