import type { PublicJwk } from '@garba/shared/rules/qr'
import { asc, eq } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { prepareQuery } from './engine/preparedQueries.ts'
import type { ReadTx, WriteTx } from './engine/sql.ts'

/** The key pairs that sign tickets; they are in the database so that a backup carries them. */
export const signingKeys = sqliteTable('signing_keys', {
  kid: text().primaryKey(),
  privateJwk: text({ mode: 'json' }).$type<JsonWebKey>().notNull(),
  publicJwk: text({ mode: 'json' }).$type<PublicJwk>().notNull(),
  createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
  /** The time it was revoked. Its codes then prove only offline admissions, and its private half is wiped. */
  revokedAt: integer({ mode: 'timestamp_ms' }),
})
export type SigningKeyRow = typeof signingKeys.$inferSelect

const states = prepareQuery((db) =>
  db.select({ kid: signingKeys.kid, revokedAt: signingKeys.revokedAt }).from(signingKeys).prepare(),
)

/** Changes whenever any process makes or revokes a key. */
export const signingKeysMark = async (tx: ReadTx): Promise<string> =>
  (await states(tx).all()).map(({ kid, revokedAt }) => `${kid}${revokedAt === null ? '' : '-'}`).join()

/** Every key pair, oldest first; the last pair signs, and is never revoked. */
export const allSigningKeys = async (tx: ReadTx): Promise<SigningKeyRow[]> =>
  tx.sql.select().from(signingKeys).orderBy(asc(signingKeys.createdAt), asc(signingKeys.kid)).all()

export const insertSigningKey = async (tx: WriteTx, key: SigningKeyRow): Promise<void> => {
  await tx.sql.insert(signingKeys).values(key).run()
}

export const revokeSigningKey = async (tx: WriteTx, kid: string, revokedAt: Date): Promise<void> => {
  await tx.sql.update(signingKeys).set({ revokedAt, privateJwk: {} }).where(eq(signingKeys.kid, kid)).run()
}
