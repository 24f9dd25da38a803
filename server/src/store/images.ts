import { eq, ne } from 'drizzle-orm'
import { images } from './schema.ts'
import type { Sql } from './sql.ts'
import type { ImageRow } from './tables/images.ts'

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
