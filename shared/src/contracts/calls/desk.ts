import { okSchema } from '../common.ts'
import * as desk from '../desk.ts'
import { PATHS } from '../paths.ts'
import * as user from '../user.ts'
import { ADMIN, type Calls, READERS } from './call.ts'

/** People, figures and the state of the system. */
export const DESK_CALLS = {
  users: {
    ...PATHS.users,
    access: READERS,
    summary: 'Users, a page at a time',
    query: user.usersQuerySchema,
    answer: user.usersAnswerSchema,
  },
  userCount: {
    ...PATHS.userCount,
    access: READERS,
    summary: 'How many users there are',
    answer: user.userCountAnswerSchema,
  },
  setRole: {
    ...PATHS.setRole,
    access: ADMIN,
    summary: "Change a user's role",
    body: user.roleBodySchema,
    answer: user.userAnswerSchema,
  },
  deleteUser: { ...PATHS.deleteUser, access: ADMIN, summary: 'Delete a user, keeping the tickets', answer: okSchema },
  analytics: { ...PATHS.analytics, access: READERS, summary: 'Sales figures', answer: desk.analyticsAnswerSchema },
  audit: {
    ...PATHS.audit,
    access: ADMIN,
    summary: 'Who changed what when',
    query: desk.auditQuerySchema,
    answer: desk.auditAnswerSchema,
  },
  exportAudit: { ...PATHS.exportAudit, access: ADMIN, summary: 'The audit trail as CSV', query: desk.auditQuerySchema },
  health: { ...PATHS.health, access: ADMIN, summary: 'State of the system', answer: desk.healthAnswerSchema },
} as const satisfies Calls
