import { ADMIN, type Call } from './call.ts'
import * as lost from './lost.ts'
import { type CallName, PATHS } from './paths.ts'

/** Tickets that only their owners' devices still know after a restore. */
export const LOST_CALLS = {
  offerLost: {
    ...PATHS.offerLost,
    access: 'signedIn',
    summary: 'Offer the codes of own tickets that the server does not know any more, or ask what became of them',
    body: lost.offerLostBodySchema,
    answer: lost.offeredLostSchema,
  },
  lostTickets: {
    ...PATHS.lostTickets,
    access: ADMIN,
    summary: 'Tickets that guests offer and the server does not know',
    answer: lost.lostTicketsSchema,
  },
  confirmLost: {
    ...PATHS.confirmLost,
    access: ADMIN,
    summary: 'Take a lost ticket back, with the same id and code',
    body: lost.confirmLostBodySchema,
    answer: lost.decidedLostSchema,
  },
  refuseLost: {
    ...PATHS.refuseLost,
    access: ADMIN,
    summary: 'Refuse a lost ticket with a note for its owner',
    body: lost.refuseLostBodySchema,
    answer: lost.decidedLostSchema,
  },
} as const satisfies Partial<Record<CallName, Call>>
