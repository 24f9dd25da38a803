import { createHash } from 'node:crypto'
import { deleteOwnAccount, erasePerson, exportPerson } from '../../flows/people/personalData.ts'
import {
  assignAdmin,
  mailSignInLink,
  saveProfile,
  signInWithToken,
  syncedUser,
  toMailbox,
} from '../../flows/people/signIn.ts'
import { changeRole, deleteUser, listUserPage, userCount, userView } from '../../flows/people/users.ts'
import { readPushKeys, subscribePush, unsubscribePush } from '../../flows/push/subscriptions.ts'
import { findBearerToken, getCallerLanguage, getClientAddress } from '../context.ts'
import { personFile } from '../csv.ts'
import { getAddressKey } from '../limits.ts'
import type { Routes } from '../mount.ts'

/** PostgreSQL stores the keys of counters for a while, so they must not identify a person. */
const nameless = (key: string): string => createHash('sha256').update(key).digest('base64url')

export const peopleRoutes = {
  signIn: ({ deps, body, limits }) =>
    signInWithToken(deps, { ...body, count: (uid) => limits.count('signIn', nameless(uid)) }),
  mailLink: async ({ deps, body: { language, ...request }, limits, c }) => {
    await limits.count('mailLinksTo', nameless(toMailbox(request.email)))
    await limits.count('mailLinks', getAddressKey(getClientAddress(c, deps.settings.trustedProxies)))
    await mailSignInLink(deps, { ...request, language: language ?? getCallerLanguage(c) })
    return {}
  },
  me: ({ user }) => ({ user: userView(user) }),
  deleteMe: async ({ deps, user, body }) => {
    await deleteOwnAccount(deps, { user, giveUp: body.giveUp === true })
    return {}
  },
  profile: async ({ deps, user, c }) => ({ user: await syncedUser(deps, { user, token: findBearerToken(c) }) }),
  saveProfile: async ({ deps, limits, user, body }) => {
    await limits.count('names', user.id)
    return { user: await saveProfile(deps, { user, ...body }) }
  },
  assignAdmin: async ({ deps, user, c }) => ({ user: await assignAdmin(deps, { user, token: findBearerToken(c) }) }),
  /** Always succeeds, because the server keeps no session: the identity provider's token is the session. */
  logout: () => ({}),
  pushKey: async ({ deps }) => ({ key: (await readPushKeys(deps)).publicKey }),
  subscribePush: async ({ deps, user, body }) => {
    await subscribePush(deps, { ...body, user })
    return {}
  },
  unsubscribePush: async ({ deps, user, body }) => {
    await unsubscribePush(deps, { ...body, user })
    return {}
  },
  users: ({ deps, query }) => listUserPage(deps, query),
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
