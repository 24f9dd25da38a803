import { changeRole } from '../../flows/changeRole.ts'
import { deleteUser } from '../../flows/deleteUser.ts'
import { listUsers, userCount } from '../../flows/listUsers.ts'
import type { Routes } from '../mount.ts'

export const userRoutes = {
  users: ({ deps, query }) => listUsers(deps, query),
  userCount: ({ deps }) => ({ count: userCount(deps) }),
  setRole: ({ deps, user, body, params }) => ({
    user: changeRole(deps, { admin: user, id: params.id ?? '', role: body.role }),
  }),
  deleteUser: ({ deps, user, params }) => {
    deleteUser(deps, { admin: user, id: params.id ?? '' })
    return {}
  },
} satisfies Routes
