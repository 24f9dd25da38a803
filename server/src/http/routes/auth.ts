import { assignAdmin } from '../../flows/assignAdmin.ts'
import { logout } from '../../flows/logout.ts'
import { saveProfile } from '../../flows/saveProfile.ts'
import { signIn } from '../../flows/signIn.ts'
import { userView } from '../../flows/views/user.ts'
import { tokenOf } from '../context.ts'
import type { Routes } from '../mount.ts'

export const authRoutes = {
  signIn: ({ deps, body, limits }) => signIn(deps, { ...body, count: (uid) => limits.count('signIn', uid) }),
  me: ({ user }) => ({ user: userView(user) }),
  profile: ({ user }) => ({ user: userView(user) }),
  saveProfile: ({ deps, user, body }) => ({ user: saveProfile(deps, { user, ...body }) }),
  assignAdmin: async ({ deps, user, c }) => ({ user: await assignAdmin(deps, { user, token: tokenOf(c) }) }),
  logout: () => logout(),
} satisfies Routes
