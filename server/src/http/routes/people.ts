import { erasePerson, exportPerson } from '../../flows/people/personalData.ts'
import { changeRole, deleteUser, listUsers, userCount } from '../../flows/people/users.ts'
import { personFile } from '../csv.ts'
import type { Routes } from '../mount.ts'

export const userRoutes = {
  users: ({ deps, query }) => listUsers(deps, query),
  userCount: async ({ deps }) => ({ count: await userCount(deps) }),
  setRole: async ({ deps, user, body, params }) => ({
    user: await changeRole(deps, { admin: user, id: params.id ?? '', role: body.role }),
  }),
  deleteUser: async ({ deps, user, params }) => {
    await deleteUser(deps, { admin: user, id: params.id ?? '' })
    return {}
  },
  exportUser: async ({ deps, params, c }) => personFile(c, await exportPerson(deps, params.id ?? '')),
  eraseUser: async ({ deps, user, params }) => {
    await erasePerson(deps, { admin: user, id: params.id ?? '' })
    return {}
  },
} satisfies Routes
