import { asc, eq } from 'drizzle-orm'
import { prepared } from './prepared.ts'
import { signingKeys } from './schema.ts'
import type { Sql } from './sql.ts'
import type { SigningKeyRow } from './tables/signingKeys.ts'

const states = prepared((db) =>
  db.select({ kid: signingKeys.kid, revokedAt: signingKeys.revokedAt }).from(signingKeys).prepare(),
)

/** Changes whenever a key is made or revoked, by whatever process. */
export const signingKeysMark = (db: Sql): string =>
  states(db)
    .all()
    .map(({ kid, revokedAt }) => `${kid}${revokedAt === null ? '' : '-'}`)
    .join()

/** Every key pair, oldest first; the last one signs, and is never revoked. */
export const allSigningKeys = (db: Sql): SigningKeyRow[] =>
  db.select().from(signingKeys).orderBy(asc(signingKeys.createdAt), asc(signingKeys.kid)).all()

export const insertSigningKey = (db: Sql, key: SigningKeyRow): void => {
  db.insert(signingKeys).values(key).run()
}

export const revokeSigningKey = (db: Sql, kid: string, revokedAt: Date): void => {
  db.update(signingKeys).set({ revokedAt, privateJwk: {} }).where(eq(signingKeys.kid, kid)).run()
}
