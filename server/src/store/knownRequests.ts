import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { WriteTx } from './engine/sql.ts'

/** Requests with an Idempotency-Key that leave no other row to hold it. Only hashes are kept, so no person is named. */
export const knownRequests = sqliteTable('known_requests', {
  /** A hash of the call, the person and the key. */
  id: text().primaryKey(),
  /** A hash of the request's content. */
  asked: text().notNull(),
  at: integer({ mode: 'timestamp_ms' }).notNull(),
})
export type KnownRequest = Pick<typeof knownRequests.$inferSelect, 'id' | 'asked'>

const hashOf = (parts: unknown): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

interface Asking {
  call: string
  userId: string
  key: string
  /** Everything that makes a request a different one, always in the same order. */
  asked: readonly unknown[]
}

export const knownRequestOf = ({ call, userId, key, asked }: Asking): KnownRequest => ({
  id: hashOf([call, userId, key]),
  asked: hashOf(asked),
})

/** Keeps a new request. `asked` is the hash of the first request with this key. */
export async function claimRequest(
  tx: WriteTx,
  request: KnownRequest,
  at: Date,
): Promise<{ isNew: boolean; asked: string }> {
  const claimed = await tx.sql
    .insert(knownRequests)
    .values({ ...request, at })
    .onConflictDoNothing()
    .returning({ asked: knownRequests.asked })
    .get()
  if (claimed) return { isNew: true, ...claimed }
  const first = await tx.sql.select().from(knownRequests).where(eq(knownRequests.id, request.id)).get()
  return { isNew: false, asked: first?.asked ?? '' }
}
