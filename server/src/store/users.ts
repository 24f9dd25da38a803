import type { Role } from '@garba/shared/contracts/names'
import { fold } from '@garba/shared/rules/search'
import { and, asc, count, desc, eq, type SQL, sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { matching, type Slice, type Sql } from './sql.ts'
import { prepared } from './statements.ts'

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
    /** Once a checker or admin, always nameable as the maker of a queued scan (DECISIONS 3). */
    wasChecker: integer({ mode: 'boolean' }).notNull(),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    lastLogin: integer({ mode: 'timestamp_ms' }),
    /** Folded name and email, so that a search does not miss accents. */
    searchText: text().notNull(),
  },
  (t) => [
    index('users_by_email').on(t.email),
    index('users_by_role').on(t.role, t.id),
    index('users_listed').on(t.id, t.searchText),
    check('users_role', sql`${t.role} in ('guest', 'admin', 'manager', 'qrchecker')`),
  ],
)
export type UserRow = typeof users.$inferSelect
export type NewUser = typeof users.$inferInsert

const byId = prepared((db) =>
  db
    .select()
    .from(users)
    .where(eq(users.id, sql.placeholder('id')))
    .prepare(),
)
const byUid = prepared((db) =>
  db
    .select()
    .from(users)
    .where(eq(users.firebaseUid, sql.placeholder('uid')))
    .prepare(),
)

export const findUser = (db: Sql, id: string): UserRow | undefined => byId(db).get({ id })

export const findUserByUid = (db: Sql, uid: string): UserRow | undefined => byUid(db).get({ uid })

/** The oldest account that proved this email; an email nobody proved finds nobody. */
export const findUserByVerifiedEmail = (db: Sql, email: string): UserRow | undefined =>
  db
    .select()
    .from(users)
    .where(and(eq(users.email, email), eq(users.emailVerified, true)))
    .orderBy(asc(users.id))
    .get()

/** Everyone, those with a proven email first, the oldest account first. */
export const allUsers = (db: Sql): UserRow[] =>
  db.select().from(users).orderBy(desc(users.emailVerified), asc(users.id)).all()

const searchTextOf = ({ name, email }: { name: string; email: string }): string => fold(`${name} ${email}`)
const mayCheck = (role: UserRow['role']): boolean => role === 'qrchecker' || role === 'admin'

export const insertUser = (db: Sql, user: Omit<NewUser, 'searchText' | 'wasChecker'>): UserRow =>
  db
    .insert(users)
    .values({ ...user, wasChecker: mayCheck(user.role), searchText: searchTextOf(user) })
    .returning()
    .get()

/** Changes a user and what follows from it; undefined when there is no such user. */
export function updateUser(db: Sql, id: string, set: Partial<UserRow>): UserRow | undefined {
  const user = findUser(db, id)
  if (!user) return undefined
  const next = { ...user, ...set }
  return db
    .update(users)
    .set({ ...set, wasChecker: next.wasChecker || mayCheck(next.role), searchText: searchTextOf(next) })
    .where(eq(users.id, id))
    .returning()
    .get()
}

export interface UserFilter {
  role?: UserRow['role'] | undefined
  /** Words of name or email. */
  search?: string | undefined
}

const filtered = ({ role, search }: UserFilter): SQL | undefined =>
  and(role === undefined ? undefined : eq(users.role, role), matching(users.searchText, search))

/** Users newest first. */
export const listUsers = (db: Sql, filter: UserFilter, { limit, offset }: Slice): UserRow[] =>
  db.select().from(users).where(filtered(filter)).orderBy(desc(users.id)).limit(limit).offset(offset).all()

export const countUsers = (db: Sql, filter: UserFilter = {}): number =>
  db.select({ n: count() }).from(users).where(filtered(filter)).get()?.n ?? 0

/** Deletes a user to whom nothing points any more. */
export const removeUser = (db: Sql, id: string): void => {
  db.delete(users).where(eq(users.id, id)).run()
}
