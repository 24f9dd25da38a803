import { onPostgres } from './database.ts'
import type { World } from './world.ts'

/** Every row of every table, as text to be searched for traces. */
export async function everyRow({ sql }: Pick<World, 'sql'>): Promise<string> {
  const tables = await sql(
    onPostgres()
      ? "select table_name as name from information_schema.tables where table_schema = 'public'"
      : "select name from sqlite_master where type = 'table'",
  )
  return JSON.stringify(await Promise.all(tables.map(({ name }) => sql(`select * from "${String(name)}"`))))
}
