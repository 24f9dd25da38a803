import { createMiddleware } from 'hono/factory'
import { isLoopback, type Settings } from '../config.ts'
import { Refusal } from '../refusal.ts'
import type { Env } from './context.ts'

/**
 * Anyone who reaches a demo can be its admin, so it answers this machine alone: not a page elsewhere whose name was
 * pointed at this machine, nor whoever comes through a tunnel or proxy (DECISIONS 9). Refuses with DEMO_LOCAL_ONLY.
 */
export const localDemoOnly = ({ demo, demoOnNetwork }: Settings) =>
  createMiddleware<Env>(async (c, next) => {
    const local = isLoopback(new URL(c.req.url).hostname) && c.req.header('x-forwarded-for') === undefined
    if (demo && !demoOnNetwork && !local) throw new Refusal('DEMO_LOCAL_ONLY')
    await next()
  })
