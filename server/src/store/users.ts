import type { Sort } from '@garba/shared/contracts/common'
import type { Role } from '@garba/shared/contracts/names'
import type { USER_SORTS } from '@garba/shared/contracts/user'
import { fold } from '@garba/shared/rules/search'
import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { type Find, finder } from './engine/preparedQueries.ts'
import { byMoment, byName, countIn, matching, type ReadTx, type Slice, sorted, type WriteTx } from './engine/sql.ts'

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

export const findUser: Find<UserRow> = finder(users, users.id)

export const findUserByUid: Find<UserRow> = finder(users, users.firebaseUid)

/** The oldest account that proved this email; an unproven email finds none. */
export async function findUserByVerifiedEmail(tx: ReadTx, email: string): Promise<UserRow | undefined> {
  const which = and(eq(users.email, email), eq(users.emailVerified, true))
  return tx.sql.select().from(users).where(which).orderBy(asc(users.id)).get()
}

/** Everyone, those with a proven email first, then the oldest account first. */
export const allUsers = async (tx: ReadTx): Promise<UserRow[]> =>
  tx.sql.select().from(users).orderBy(desc(users.emailVerified), asc(users.id)).all()

const searchTextOf = ({ name, email }: { name: string; email: string }): string => fold(`${name} ${email}`)
const mayCheck = (role: UserRow['role']): boolean => role === 'qrchecker' || role === 'admin'

export const insertUser = async (tx: WriteTx, user: Omit<NewUser, 'searchText' | 'wasChecker'>): Promise<UserRow> =>
  tx.sql
    .insert(users)
    .values({ ...user, wasChecker: mayCheck(user.role), searchText: searchTextOf(user) })
    .returning()
    .get()

/** Changes a user and the columns that depend on it; undefined when there is no such user. */
export async function updateUser(tx: WriteTx, id: string, set: Partial<UserRow>): Promise<UserRow | undefined> {
  const user = await findUser(tx, id)
  if (!user) return undefined
  const next = { ...user, ...set }
  return tx.sql
    .update(users)
    .set({ ...set, wasChecker: next.wasChecker || mayCheck(next.role), searchText: searchTextOf(next) })
    .where(eq(users.id, id))
    .returning()
    .get()
}

export interface UserFilter {
  role?: UserRow['role'] | undefined
  /** Words in the name or email. */
  search?: string | undefined
  sort?: Sort<(typeof USER_SORTS)[number]> | undefined
}

const filtered = ({ role, search }: UserFilter): SQL | undefined =>
  and(role === undefined ? undefined : eq(users.role, role), matching(users.searchText, search))

const SORTS = {
  user: byName(users.name),
  email: users.email,
  role: users.role,
  joined: users.createdAt,
  lastLogin: byMoment(users.lastLogin),
}

/** The users of a filter in its order. */
export const listUsers = async (tx: ReadTx, filter: UserFilter, { limit, offset }: Slice): Promise<UserRow[]> =>
  tx.sql
    .select()
    .from(users)
    .where(filtered(filter))
    .orderBy(...sorted(filter.sort, SORTS, users.id))
    .limit(limit)
    .offset(offset)
    .all()

export const countUsers = (tx: ReadTx, filter: UserFilter = {}): Promise<number> => countIn(tx, users, filtered(filter))

/** Deletes a user that no row references. */
export const removeUser = async (tx: WriteTx, id: string): Promise<void> => {
  await tx.sql.delete(users).where(eq(users.id, id)).run()
}
