import { CALLS } from '@garba/shared/calls/calls'
import { UNSENT_HEADER } from '@garba/shared/constants'
import { rosterQuerySchema } from '@garba/shared/contracts/phones/scan'
import type { Context } from 'hono'
import { requireRight } from '../../flows/authenticate.ts'
import type { AnyCaller, Deps } from '../../flows/deps.ts'
import { admitTicket, swapEntry } from '../../flows/gate/admit.ts'
import { recordExit } from '../../flows/gate/inside/exits.ts'
import { assessScan, replayScans } from '../../flows/gate/replayScans.ts'
import {
  asCaller,
  buildRoster,
  type Roster,
  type RosterQuery,
  recordHeartbeat,
  recordUnsentRows,
} from '../../flows/gate/roster.ts'
import { isByHand, rightToScan } from '../../flows/gate/scanFacts.ts'
import { undoAdmission } from '../../flows/gate/undoAdmission.ts'
import { verifyGroup, verifyQr } from '../../flows/gate/verifyQr.ts'
import { Refusal } from '../../refusal.ts'
import { sendJson } from '../answer.ts'
import type { Ctx } from '../context.ts'
import type { Routes } from '../mount.ts'
import { liveView } from '../sse.ts'

/** The number of rows a phone reports as left after a batch; undefined without a valid number. */
export const unsentAfter = (c: Context): number | undefined =>
  rosterQuerySchema.shape.unsent.safeParse(c.req.header(UNSENT_HEADER)).data

const NO_REVISION = -1

/**
 * Null if the whole roster was sent less than a minute ago; the heartbeat's revision then makes the phone request it.
 */
async function rosterOrNothing(deps: Deps, query: Parameters<typeof buildRoster>[1]): Promise<Roster | null> {
  try {
    return await buildRoster(deps, query)
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
    findMessage: async () => {
      const data = await rosterOrNothing(deps, {
        ...asCaller(query, user),
        since,
        check: undefined,
        asker: user,
        isLive: true,
      })
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

export const gateRoutes = {
  verifyQr: async ({ deps, user, body }) => ({ ticket: await verifyQr(deps, { user, ...body }) }),
  verifyGroup: async ({ deps, user, body }) => ({ tickets: await verifyGroup(deps, { user, ...body }) }),
  markUsed: async ({ deps, limits, user, body, c }) => {
    requireRight(user, rightToScan(body))
    // Its rights at that time count, not those of now.
    if (user.device && body.admittedOffline) await assessScan(deps, { sender: user, scan: body })
    if (isByHand(body)) await limits.count('manual', user.id)
    const answer = await admitTicket(deps, { sender: user, scan: body })
    return sendJson(c, answer.body, answer.status)
  },
  markUsedBatch: async ({ deps, limits, user, body, c }) => {
    const answer = await replayScans(deps, {
      sender: user,
      scans: body.scans,
      count: (limit) => limits.count(limit, user.id),
    })
    await recordUnsentRows(deps, { device: user, left: unsentAfter(c), results: answer.results })
    return answer
  },
  recordExit: async ({ deps, user, body, c }) => {
    const answer = await recordExit(deps, { sender: user, scan: body })
    return sendJson(c, answer.body, answer.status)
  },
  swapEntry: async ({ deps, user, body, c }) => {
    const answer = await swapEntry(deps, { user, scan: body })
    return sendJson(c, answer.body, answer.status)
  },
  undoMark: async ({ deps, user, body }) => ({ ticket: await undoAdmission(deps, { user, scanId: body.scanId }) }),
  roster: async ({ deps, user, query }) => {
    await recordHeartbeat(deps, { user, query: { unsent: 0, ...query } })
    return buildRoster(deps, { ...asCaller(query, user), asker: user })
  },
  scannerLive: async ({ deps, user, query, c }) => {
    await recordHeartbeat(deps, { user, query })
    return liveRoster(c, { deps, user, query })
  },
} satisfies Routes
