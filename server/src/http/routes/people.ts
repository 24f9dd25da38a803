import { createHash } from 'node:crypto'
import { erasePerson, exportPerson } from '../../flows/people/personalData.ts'
import { assignAdmin, mailboxOf, mailSignInLink, saveProfile, signIn, syncedUser } from '../../flows/people/signIn.ts'
import { changeRole, deleteUser, listUsers, userCount, userView } from '../../flows/people/users.ts'
import { addressOf, languageOf, tokenOf } from '../context.ts'
import { personFile } from '../csv.ts'
import { counted } from '../limits.ts'
import type { Routes } from '../mount.ts'

/** PostgreSQL stores the keys of counters for a while, so they must not identify a person. */
const nameless = (key: string): string => createHash('sha256').update(key).digest('base64url')

export const peopleRoutes = {
  signIn: ({ deps, body, limits }) => signIn(deps, { ...body, count: (uid) => limits.count('signIn', nameless(uid)) }),
  mailLink: async ({ deps, body: { language, ...request }, limits, c }) => {
    await limits.count('mailLinksTo', nameless(mailboxOf(request.email)))
    await limits.count('mailLinks', counted(addressOf(c, deps.settings.trustedProxies)))
    await mailSignInLink(deps, { ...request, language: language ?? languageOf(c) })
    return {}
  },
  me: ({ user }) => ({ user: userView(user) }),
  profile: async ({ deps, user, c }) => ({ user: await syncedUser(deps, { user, token: tokenOf(c) }) }),
  saveProfile: async ({ deps, limits, user, body }) => {
    await limits.count('names', user.id)
    return { user: await saveProfile(deps, { user, ...body }) }
  },
  assignAdmin: async ({ deps, user, c }) => ({ user: await assignAdmin(deps, { user, token: tokenOf(c) }) }),
  /** Always succeeds, because the server keeps no session: the identity provider's token is the session. */
  logout: () => ({}),
  users: ({ deps, query }) => listUsers(deps, query),
  userCount: async ({ deps }) => ({ count: await userCount(deps) }),
  setRole: async ({ deps, user, body, params }) => ({
    user: await changeRole(deps, { admin: user, ...params, role: body.role }),
  }),
  deleteUser: async ({ deps, user, params }) => {
    await deleteUser(deps, { admin: user, ...params })
    return {}
  },
  exportUser: async ({ deps, params, c }) => personFile(c, await exportPerson(deps, params.id)),
  eraseUser: async ({ deps, user, params }) => {
    await erasePerson(deps, { admin: user, ...params })
    return {}
  },
} satisfies Routes
