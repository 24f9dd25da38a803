import { UNSENT_HEADER } from '@garba/shared/constants'
import { rosterQuerySchema } from '@garba/shared/contracts/scan'
import type { Context } from 'hono'
import { requireRight } from '../../flows/authenticate.ts'
import { admit, swapEntry } from '../../flows/gate/admit.ts'
import { replayScans } from '../../flows/gate/replayScans.ts'
import { noteUnsent } from '../../flows/gate/roster.ts'
import { isByHand, rightToScan } from '../../flows/gate/scanFacts.ts'
import { undoAdmission } from '../../flows/gate/undoAdmission.ts'
import { verifyGroup, verifyQr } from '../../flows/gate/verifyQr.ts'
import { json } from '../answer.ts'
import type { Routes } from '../mount.ts'

/** The number of rows a phone reports as left after a batch; undefined without a valid number. */
export const unsentAfter = (c: Context): number | undefined =>
  rosterQuerySchema.shape.unsent.safeParse(c.req.header(UNSENT_HEADER)).data

export const scanRoutes = {
  verifyQr: async ({ deps, user, body }) => ({ ticket: await verifyQr(deps, { user, ...body }) }),
  verifyGroup: async ({ deps, user, body }) => ({ tickets: await verifyGroup(deps, { user, ...body }) }),
  markUsed: async ({ deps, limits, user, body, c }) => {
    requireRight(user, rightToScan(body))
    if (isByHand(body)) await limits.count('manual', user.id)
    const answer = await admit(deps, { sender: user, scan: body })
    return json(c, answer.body, answer.status)
  },
  markUsedBatch: async ({ deps, limits, user, body, c }) => {
    const answer = await replayScans(deps, {
      sender: user,
      scans: body.scans,
      count: (limit) => limits.count(limit, user.id),
    })
    await noteUnsent(deps, { device: user, left: unsentAfter(c), results: answer.results })
    return answer
  },
  swapEntry: async ({ deps, user, body, c }) => {
    const answer = await swapEntry(deps, { user, scan: body })
    return json(c, answer.body, answer.status)
  },
  undoMark: async ({ deps, user, body }) => ({ ticket: await undoAdmission(deps, { user, scanId: body.scanId }) }),
} satisfies Routes
