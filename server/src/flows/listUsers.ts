import type { User } from '@garba/shared/contracts/user'
import { countUsers, listUsers as findUsers, type UserFilter } from '../store/users.ts'
import type { Deps } from './deps.ts'
import { type PageQuery, pageOf, sliceOf } from './pages.ts'
import { userView } from './views/user.ts'

/** Users by role and by words of name or email, newest first, a page at a time (DECISIONS 2). */
export function listUsers({ db }: Deps, query: UserFilter & PageQuery) {
  const totalUsers = countUsers(db, query)
  const users: User[] = findUsers(db, query, sliceOf(query)).map(userView)
  return { users, pagination: { ...pageOf(query, { rows: totalUsers, shown: users.length }), totalUsers } }
}

/** How many accounts there are, of every role. */
export const userCount = ({ db }: Deps): number => countUsers(db)
