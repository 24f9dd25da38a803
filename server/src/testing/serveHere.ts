import { vi } from 'vitest'
import type { World } from './world.ts'

/** Answers a page's requests from this world, in the same process. `vi.unstubAllGlobals` undoes it. */
export function serveHere({ app }: Pick<World, 'app'>): void {
  class AtHome extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(typeof input === 'string' ? new URL(input, 'http://localhost') : input, init)
    }
  }
  vi.stubGlobal('Request', AtHome)
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => app.request(new AtHome(input, init)))
}
