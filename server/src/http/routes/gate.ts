import { CALLS } from '@garba/shared/contracts/calls'
import { acknowledgeConflict } from '../../flows/acknowledgeConflict.ts'
import { gate } from '../../flows/gate.ts'
import type { Routes } from '../mount.ts'
import { liveView } from '../sse.ts'

/** A rush at the gate is one picture a second, not one for each person. */
const PACE_MS = 1_000

export const gateRoutes = {
  gate: ({ deps }) => ({ data: gate(deps) }),
  gateLive: ({ deps, user, c }) =>
    liveView(c, {
      deps,
      user,
      access: CALLS.gateLive.access,
      hears: ['gate', 'roster'],
      look: async () => ({ event: 'gate', data: gate(deps) }),
      heartbeat: () => ({ event: 'heartbeat', data: { serverTime: deps.now().toISOString() } }),
      paceMs: PACE_MS,
    }),
  acknowledgeConflict: ({ deps, user, params }) => ({
    conflict: acknowledgeConflict(deps, { admin: user, id: params.id ?? '' }),
  }),
} satisfies Routes
