import type { Call } from './call.ts'
import { type CallName, PATHS } from './paths.ts'
import * as scan from './scan.ts'
import { groupCodesAnswerSchema } from './ticket.ts'

/** One code for the tickets of a group. */
export const GROUP_CALLS = {
  groupCodes: {
    ...PATHS.groupCodes,
    access: 'signedIn',
    summary: 'Codes that stand for up to 8 of the own active tickets each',
    answer: groupCodesAnswerSchema,
  },
  verifyGroup: {
    ...PATHS.verifyGroup,
    access: ['qrchecker', 'admin'],
    rights: ['scan'],
    summary: 'The tickets of a group code',
    body: scan.verifyBodySchema,
    answer: scan.verifyGroupAnswerSchema,
  },
} as const satisfies Partial<Record<CallName, Call>>
