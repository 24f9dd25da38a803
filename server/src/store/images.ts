import { eq, ne } from 'drizzle-orm'
import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Sql } from './sql.ts'

/** Stored under the SHA-256 of its bytes, so an address never changes its meaning. */
export const images = sqliteTable('images', {
  hash: text().primaryKey(),
  type: text().notNull(),
  bytes: blob({ mode: 'buffer' }).notNull(),
  createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
})
export type ImageRow = typeof images.$inferSelect

export const findImage = (db: Sql, hash: string): ImageRow | undefined =>
  db.select().from(images).where(eq(images.hash, hash)).get()

export const hasImage = (db: Sql, hash: string): boolean =>
  db.select({ hash: images.hash }).from(images).where(eq(images.hash, hash)).get() !== undefined

export const putImage = (db: Sql, image: ImageRow): void => {
  db.insert(images).values(image).onConflictDoNothing().run()
}

/** Forgets every image but the event's own. */
export const keepOnlyImage = (db: Sql, hash: string | null): void => {
  db.delete(images)
    .where(hash === null ? undefined : ne(images.hash, hash))
    .run()
}
