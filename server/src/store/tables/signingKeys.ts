import type { PublicJwk } from '@garba/shared/rules/qr'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The key pairs tickets are signed with; in the database so that a backup carries it (DECISIONS 3). */
export const signingKeys = sqliteTable('signing_keys', {
  kid: text().primaryKey(),
  privateJwk: text({ mode: 'json' }).$type<JsonWebKey>().notNull(),
  publicJwk: text({ mode: 'json' }).$type<PublicJwk>().notNull(),
  createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
  /** From then on the key vouches for nothing but admissions made before; its private half is wiped. */
  revokedAt: integer({ mode: 'timestamp_ms' }),
})
export type SigningKeyRow = typeof signingKeys.$inferSelect
