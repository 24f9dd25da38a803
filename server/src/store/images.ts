import { eq } from 'drizzle-orm'
import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ReadTx, WriteTx } from './engine/sql.ts'

/** Stored under the SHA-256 of its bytes, so an address never changes its meaning. */
export const images = sqliteTable('images', {
  hash: text().primaryKey(),
  type: text().notNull(),
  bytes: blob({ mode: 'buffer' }).notNull(),
  createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
})
export type ImageRow = typeof images.$inferSelect

export const findImage = async (tx: ReadTx, hash: string): Promise<ImageRow | undefined> =>
  tx.sql.select().from(images).where(eq(images.hash, hash)).get()

export const hasImage = async (tx: ReadTx, hash: string): Promise<boolean> =>
  (await tx.sql.select({ hash: images.hash }).from(images).where(eq(images.hash, hash)).get()) !== undefined

export const putImage = async (tx: WriteTx, image: ImageRow): Promise<void> => {
  await tx.sql.insert(images).values(image).onConflictDoNothing().run()
}
