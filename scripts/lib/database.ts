import { existsSync } from 'node:fs'
import type { Settings } from '../../server/src/config.ts'
import { openDatabase, openToRead, schemaAgeOf } from '../../server/src/store/engine/open.ts'
import type { Store } from '../../server/src/store/engine/store.ts'
import { SetUpError } from '../setup.mjs'

/** Opens the database of the settings for `work`; a server may be running. Throws SetUpError if there is none. */
export async function withDatabase<T>(settings: Settings, work: (store: Store) => Promise<T>): Promise<T> {
  requireThere(settings)
  const store = await openDatabase(settings)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** The same but read-only: a file is not changed. Throws SetUpError also if an earlier version made the tables. */
export async function readDatabase<T>(
  settings: Settings,
  work: (store: Pick<Store, 'read'>) => Promise<T>,
): Promise<T> {
  requireThere(settings)
  if ((await schemaAgeOf(settings)) !== 'same')
    throw new SetUpError('The database is of an earlier version. Start the server once, then try again.')
  const store = await openToRead(settings)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

function requireThere({ databaseFile, databaseUrl }: Settings): void {
  if (databaseUrl === null && !existsSync(databaseFile))
    throw new SetUpError(`There is no database at ${databaseFile}.`)
}
