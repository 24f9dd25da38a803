import type { Call } from './calls/call.ts'
import { DESK_CALLS } from './calls/desk.ts'
import { EVENT_CALLS } from './calls/event.ts'
import { GATE_CALLS } from './calls/gate.ts'
import { IDENTITY_CALLS } from './calls/identity.ts'
import { SITE_CALLS } from './calls/site.ts'
import { TICKETS_CALLS } from './calls/tickets.ts'
import type { CallName } from './paths.ts'

export type { Access, Call } from './calls/call.ts'

/**
 * Every call of DECISIONS section 2, once: the server mounts its routes by these names, the OpenAPI document is made of
 * them and the authorisation test walks them.
 */
export const CALLS = {
  ...IDENTITY_CALLS,
  ...EVENT_CALLS,
  ...TICKETS_CALLS,
  ...GATE_CALLS,
  ...DESK_CALLS,
  ...SITE_CALLS,
} as const satisfies Record<CallName, Call>
