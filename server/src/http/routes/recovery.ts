import { confirmLost, listLostTickets, offerLost, refuseLost } from '../../flows/recovery/lostTickets.ts'
import type { Routes } from '../mount.ts'

export const recoveryRoutes = {
  offerLost: async ({ deps, limits, user, body }) => {
    await limits.count('lost', user.id)
    return { answers: await offerLost(deps, { user, codes: body.codes }) }
  },
  lostTickets: ({ deps }) => listLostTickets(deps),
  confirmLost: async ({ deps, user, body, params }) => ({
    lost: await confirmLost(deps, { ...body, admin: user, ...params }),
  }),
  refuseLost: async ({ deps, user, body, params }) => ({
    lost: await refuseLost(deps, { ...body, admin: user, ...params }),
  }),
} satisfies Routes
