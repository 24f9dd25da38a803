import type { Role } from '@garba/shared/contracts/names'
import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

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
