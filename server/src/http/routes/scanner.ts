import { CALLS } from '@garba/shared/contracts/calls'
import type { AnyCaller, Deps } from '../../flows/deps.ts'
import { asCaller, heartbeat, type RosterQuery, roster } from '../../flows/roster.ts'
import type { Ctx } from '../context.ts'
import type { Routes } from '../mount.ts'
import { liveView } from '../sse.ts'

/** Starts with the changes since the requested revision, then sends each later change once. */
function liveRoster(c: Ctx, { deps, user, query }: { deps: Deps; user: AnyCaller; query: RosterQuery }): Response {
  let since = query.since
  let begun = false
  return liveView(c, {
    deps,
    user,
    entry: CALLS.scannerLive,
    changes: ['roster'],
    look: async () => {
      const data = await roster(deps, { ...asCaller(query, user), since, check: undefined })
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
    return roster(deps, asCaller(query, user))
  },
  scannerLive: async ({ deps, user, query, c }) => {
    await heartbeat(deps, { user, query })
    return liveRoster(c, { deps, user, query })
  },
} satisfies Routes
