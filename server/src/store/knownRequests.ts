import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { Refusal, type RefusalFacts } from '../refusal.ts'
import { insertNew, type WriteTx } from './engine/sql.ts'

/**
 * Requests with an Idempotency-Key that write no other row with the key. Only hashes are kept, so no person is named.
 */
export const knownRequests = sqliteTable('known_requests', {
  /** A hash of the call, the person and the key. */
  id: text().primaryKey(),
  asked: text().notNull(),
  at: integer({ mode: 'timestamp_ms' }).notNull(),
})

const hashParts = (parts: unknown): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

interface RequestClaim {
  call: string
  userId: string
  key: string | null | undefined
  /** The content that distinguishes requests, always in the same order. */
  asked: readonly unknown[]
  reused?: RefusalFacts
}

/**
 * Stores a request; false if it was made before. Refuses with IDEMPOTENCY_KEY_REUSED if its key came with other
 * content.
 */
export async function claimRequest(
  tx: WriteTx,
  { call, userId, key, reused, ...asking }: RequestClaim,
  at: Date,
): Promise<boolean> {
  if (typeof key !== 'string') return true
  const [id, asked] = [hashParts([call, userId, key]), hashParts(asking.asked)]
  if (await insertNew(tx, knownRequests, { id, asked, at })) return true
  const first = await tx.sql.select().from(knownRequests).where(eq(knownRequests.id, id)).get()
  if (first?.asked !== asked) throw new Refusal('IDEMPOTENCY_KEY_REUSED', reused)
  return false
}
