import { okSchema } from '../common.ts'
import { PATHS } from '../paths.ts'
import * as user from '../user.ts'
import type { Calls } from './call.ts'

/** Signing in, and one's own account. */
export const IDENTITY_CALLS = {
  signIn: {
    ...PATHS.signIn,
    access: 'anyone',
    summary: 'Sign in with an identity token',
    body: user.signInBodySchema,
    answer: user.signInAnswerSchema,
  },
  me: { ...PATHS.me, access: 'signedIn', summary: 'The signed-in user', answer: user.userAnswerSchema },
  profile: { ...PATHS.profile, access: 'signedIn', summary: 'The signed-in user', answer: user.userAnswerSchema },
  saveProfile: {
    ...PATHS.saveProfile,
    access: 'signedIn',
    summary: 'Change display name or photo',
    body: user.profileBodySchema,
    answer: user.userAnswerSchema,
  },
  assignAdmin: {
    ...PATHS.assignAdmin,
    access: 'signedIn',
    summary: 'Become admin if the verified email is listed',
    answer: user.userAnswerSchema,
  },
  logout: { ...PATHS.logout, access: 'anyone', summary: 'Sign out; always succeeds', answer: okSchema },
} as const satisfies Calls
