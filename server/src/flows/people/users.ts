import type { User } from '@garba/shared/contracts/user'
import { countUsers, listUsers as findUsers, type UserFilter } from '../../store/users.ts'
import type { Deps } from '../deps.ts'
import { type PageQuery, pageOf, sliceOf } from '../pages.ts'
import { userView } from './userView.ts'

/** One page of users, filtered by role and by name or email, newest first. */
export const listUsers = ({ store }: Deps, query: UserFilter & PageQuery) =>
  store.read(async (tx) => {
    const totalUsers = await countUsers(tx, query)
    const users: User[] = (await findUsers(tx, query, sliceOf(query))).map(userView)
    return { users, pagination: { ...pageOf(query, { rows: totalUsers, shown: users.length }), totalUsers } }
  })

/** The number of accounts of all roles. */
export const userCount = ({ store }: Deps): Promise<number> => store.read((tx) => countUsers(tx))
