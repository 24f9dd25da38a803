import { raiseEpoch } from '../../store/epoch.ts'
import { openPostgres } from '../../store/postgres/open.ts'
import { promote } from '../../store/postgres/promote.ts'

/**
 * Puts a PostgreSQL database into use: a standby is promoted, and a new epoch begins. No server may be running on it.
 * Throws StoreUnusable.
 */
export async function takeOverPostgres(url: string, now: Date): Promise<{ promoted: boolean }> {
  const promoted = await promote(url)
  const store = await openPostgres(url)
  try {
    await store.write((tx) => raiseEpoch(tx, now))
    return { promoted }
  } finally {
    await store.close()
  }
}
