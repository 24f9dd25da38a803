import { existsSync } from 'node:fs'
import type { Settings } from '../../server/src/config.ts'
import { openDatabase } from '../../server/src/store/openDatabase.ts'
import type { Store } from '../../server/src/store/store.ts'
import { SetUpError } from '../setup.mjs'

/** Opens the database of the settings for `work`, beside a server that may be running. Throws SetUpError where there is none. */
export async function withDatabase<T>(settings: Settings, work: (store: Store) => Promise<T>): Promise<T> {
  const { databaseFile, databaseUrl } = settings
  if (databaseUrl === null && !existsSync(databaseFile))
    throw new SetUpError(`There is no database at ${databaseFile}.`)
  const store = await openDatabase(settings)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
