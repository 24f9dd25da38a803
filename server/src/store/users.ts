import type { Sort } from '@garba/shared/contracts/common'
import type { Role } from '@garba/shared/contracts/names'
import type { USER_SORTS } from '@garba/shared/contracts/people/user'
import { buildSearchText } from '@garba/shared/rules/search'
import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { type Find, prepareFind } from './engine/preparedQueries.ts'
import {
  buildOrderBy,
  byMoment,
  byName,
  countIn,
  isFoundBySearch,
  type ReadTx,
  readPage,
  type Slice,
  type WriteTx,
} from './engine/sql.ts'
import { forgetSubscriptions } from './pushSubscriptions.ts'
import { leaveLine } from './waiting.ts'

export const users = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    firebaseUid: text().notNull().unique(),
    /** Lower case. Not unique: an unverified email proves nothing and may repeat a verified one. */
    email: text().notNull(),
    emailVerified: integer({ mode: 'boolean' }).notNull(),
    name: text().notNull(),
    photoUrl: text(),
    role: text().$type<Role>().notNull(),
    /** Set for everyone who has been a checker or admin: a queued scan may still name them. */
    wasChecker: integer({ mode: 'boolean' }).notNull(),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    lastLogin: integer({ mode: 'timestamp_ms' }),
    /** Folded name and email, so that a search does not miss accents. */
    searchText: text().notNull(),
  },
  (t) => [
    index('users_by_email').on(t.email),
    index('users_by_role').on(t.role, t.id),
    index('users_by_name').on(byName(t.name), t.id),
    index('users_listed').on(t.id, t.searchText),
    check('users_role', sql`${t.role} in ('guest', 'admin', 'manager', 'qrchecker')`),
  ],
)

export type UserRow = typeof users.$inferSelect
export type NewUser = typeof users.$inferInsert

export const findUser: Find<UserRow> = prepareFind(users, users.id)

export const findUserByUid: Find<UserRow> = prepareFind(users, users.firebaseUid)

/** The oldest account that proved this email; an unproven email finds none. */
export async function findUserByVerifiedEmail(tx: ReadTx, email: string): Promise<UserRow | undefined> {
  const which = and(eq(users.email, email), eq(users.emailVerified, true))
  return tx.sql.select().from(users).where(which).orderBy(asc(users.id)).get()
}

export const allUsers = async (tx: ReadTx): Promise<UserRow[]> =>
  tx.sql.select().from(users).orderBy(desc(users.emailVerified), asc(users.id)).all()

const buildUserSearchText = ({ name, email }: { name: string; email: string }): string =>
  buildSearchText({ words: [name, email] })
const mayCheck = (role: UserRow['role']): boolean => role === 'qrchecker' || role === 'admin'

export const insertUser = async (tx: WriteTx, user: Omit<NewUser, 'searchText' | 'wasChecker'>): Promise<UserRow> =>
  tx.sql
    .insert(users)
    .values({ ...user, wasChecker: mayCheck(user.role), searchText: buildUserSearchText(user) })
    .returning()
    .get()

export async function updateUser(tx: WriteTx, id: string, set: Partial<UserRow>): Promise<UserRow | undefined> {
  const user = await findUser(tx, id)
  if (!user) return undefined
  const next = { ...user, ...set }
  return tx.sql
    .update(users)
    .set({ ...set, wasChecker: next.wasChecker || mayCheck(next.role), searchText: buildUserSearchText(next) })
    .where(eq(users.id, id))
    .returning()
    .get()
}

export interface UserFilter {
  role?: UserRow['role'] | undefined
  search?: string | undefined
  sort?: Sort<(typeof USER_SORTS)[number]> | undefined
}

const filtered = ({ role, search }: UserFilter): SQL | undefined =>
  and(role === undefined ? undefined : eq(users.role, role), isFoundBySearch(users.searchText, search))

const SORTS = {
  user: byName(users.name),
  email: users.email,
  role: users.role,
  joined: users.createdAt,
  lastLogin: byMoment(users.lastLogin),
}

export const readUserPage = (tx: ReadTx, filter: UserFilter, slice: Slice) =>
  readPage(tx, users, {
    where: filtered(filter),
    order: buildOrderBy(filter.sort, SORTS, users.id),
    slice,
    search: filter.search,
  })

export const countUsers = (tx: ReadTx, filter: UserFilter = {}): Promise<number> => countIn(tx, users, filtered(filter))

export const removeUser = async (tx: WriteTx, id: string): Promise<void> => {
  await leaveLine(tx, id)
  await forgetSubscriptions(tx, id)
  await tx.sql.delete(users).where(eq(users.id, id)).run()
}
