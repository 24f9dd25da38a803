import { asc } from 'drizzle-orm'
import { signingKeys } from './schema.ts'
import type { Sql } from './sql.ts'
import type { SigningKeyRow } from './tables/signingKeys.ts'

/** Every key pair, oldest first; the last one signs. */
export const allSigningKeys = (db: Sql): SigningKeyRow[] =>
  db.select().from(signingKeys).orderBy(asc(signingKeys.createdAt), asc(signingKeys.kid)).all()

export const insertSigningKey = (db: Sql, key: SigningKeyRow): void => {
  db.insert(signingKeys).values(key).run()
}
