import { sql } from 'drizzle-orm'
import type { ReadTx } from './sql.ts'
import type { Changes, Store } from './store.ts'

/** Names the data that a transaction sees: the same name means that nothing has changed. */
async function readSnapshotName({ engine, rows }: ReadTx): Promise<string> {
  const query =
    engine === 'sqlite'
      ? sql`select data_version || ':' || total_changes() as "name" from pragma_data_version`
      : sql`select cast(pg_current_snapshot() as text) as "name"`
  return String((await rows<{ name: string }>(query))[0]?.name)
}

/** Keeps the last result of a slow read, for the same question, until anything in the database changes. */
export function keepLastRead<T>() {
  const last = new WeakMap<Changes, { key: string; value: T }>()
  return async (
    { read, changes }: Pick<Store, 'read' | 'changes'>,
    question: unknown,
    compute: () => Promise<T>,
  ): Promise<T> => {
    const name = async () => `${await read(readSnapshotName)} ${JSON.stringify(question)}`
    const key = await name()
    const known = last.get(changes)
    if (known?.key === key) return known.value
    const value = await compute()
    if ((await name()) === key) last.set(changes, { key, value })
    return value
  }
}
