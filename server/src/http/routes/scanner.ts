import { CALLS } from '@garba/shared/calls/calls'
import type { AnyCaller, Deps } from '../../flows/deps.ts'
import { asCaller, heartbeat, type Roster, type RosterQuery, roster } from '../../flows/gate/roster.ts'
import { Refusal } from '../../refusal.ts'
import type { Ctx } from '../context.ts'
import type { Routes } from '../mount.ts'
import { liveView } from '../sse.ts'

/** No phone has a list of this revision. */
const NO_REVISION = -1

/** Null if the whole roster was sent less than a minute ago: the heartbeat's revision makes the phone ask for it. */
async function rosterOrNothing(deps: Deps, query: Parameters<typeof roster>[1]): Promise<Roster | null> {
  try {
    return await roster(deps, query)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'RATE_LIMITED') return null
    throw error
  }
}

/** Starts with the changes since the requested revision, then sends each later change once. */
function liveRoster(c: Ctx, { deps, user, query }: { deps: Deps; user: AnyCaller; query: RosterQuery }): Response {
  let since = query.since
  let begun = false
  let lacking = false
  return liveView(c, {
    deps,
    user,
    entry: CALLS.scannerLive,
    changes: ['roster'],
    look: async () => {
      const data = await rosterOrNothing(deps, { ...asCaller(query, user), since, check: undefined, asker: user })
      lacking = data === null
      if (data === null) return null
      if (begun && data.revision === since) return null
      begun = true
      since = data.revision
      return { event: 'roster', data: { success: true, ...data } }
    },
    heartbeat: () => ({
      event: 'heartbeat',
      data: { serverTime: deps.now().toISOString(), revision: lacking ? NO_REVISION : (since ?? 0) },
    }),
  })
}

export const scannerRoutes = {
  roster: async ({ deps, user, query }) => {
    await heartbeat(deps, { user, query: { unsent: 0, ...query } })
    return roster(deps, { ...asCaller(query, user), asker: user })
  },
  scannerLive: async ({ deps, user, query, c }) => {
    await heartbeat(deps, { user, query })
    return liveRoster(c, { deps, user, query })
  },
} satisfies Routes
