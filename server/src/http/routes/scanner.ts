import { CALLS } from '@garba/shared/contracts/calls'
import type { Caller, Deps } from '../../flows/deps.ts'
import { heartbeat, type RosterQuery, roster } from '../../flows/roster.ts'
import type { Ctx } from '../context.ts'
import type { Routes } from '../mount.ts'
import { liveView } from '../sse.ts'

/** Starts with the changes since the requested revision, then sends each later change once. */
function liveRoster(c: Ctx, { deps, user, query }: { deps: Deps; user: Caller; query: RosterQuery }): Response {
  let since = query.since
  let begun = false
  return liveView(c, {
    deps,
    user,
    access: CALLS.scannerLive.access,
    changes: ['roster'],
    look: async () => {
      const data = await roster(deps, { ...query, since, check: undefined })
      if (begun && data.revision === since) return null
      begun = true
      since = data.revision
      return { event: 'roster', data: { success: true, ...data } }
    },
    heartbeat: () => ({ event: 'heartbeat', data: { serverTime: deps.now().toISOString(), revision: since ?? 0 } }),
  })
}

export const scannerRoutes = {
  roster: async ({ deps, user, query }) => {
    await heartbeat(deps, { user, query: { unsent: 0, ...query } })
    return roster(deps, query)
  },
  scannerLive: async ({ deps, user, query, c }) => {
    await heartbeat(deps, { user, query })
    return liveRoster(c, { deps, user, query })
  },
} satisfies Routes
