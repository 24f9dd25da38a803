import type { User } from '@garba/shared/contracts/user'
import { countUsers, listUsers as findUsers, type UserFilter } from '../store/users.ts'
import type { Deps } from './deps.ts'
import { type PageQuery, pageOf, sliceOf } from './pages.ts'
import { userView } from './views/user.ts'

/** Users by role and by words of name or email, newest first, a page at a time (DECISIONS 2). */
export const listUsers = ({ store }: Deps, query: UserFilter & PageQuery) =>
  store.read(async (tx) => {
    const totalUsers = await countUsers(tx, query)
    const users: User[] = (await findUsers(tx, query, sliceOf(query))).map(userView)
    return { users, pagination: { ...pageOf(query, { rows: totalUsers, shown: users.length }), totalUsers } }
  })

/** How many accounts there are, of every role. */
export const userCount = ({ store }: Deps): Promise<number> => store.read((tx) => countUsers(tx))
