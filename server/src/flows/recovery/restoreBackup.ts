import { type Restoring, requireUnused, restore } from '../../store/engine/backup.ts'
import { openStore } from '../../store/engine/open.ts'
import { raiseEpoch } from '../../store/epoch.ts'
import { openPostgres, promote } from '../../store/postgres/open.ts'
/**
 * Puts a backup in place of the database and begins a new epoch, by which devices and servers distinguish it from the
 * data they know. Throws BackupRefused.
 */
export const restoreBackup = (given: Omit<Restoring, 'prepare'>): ReturnType<typeof restore> =>
  restore({
    ...given,
    prepare: (copy) => beginEpoch(copy, given.now),
  })

/**
 * Puts a server's own database into use with a new epoch: the way back for one that another server has silenced. No
 * server may be running on it. Throws BackupRefused.
 */
export async function takeOverHere(database: string, now: Date): Promise<void> {
  requireUnused(database)
  await beginEpoch(database, now)
}

async function beginEpoch(database: string, now: Date): Promise<void> {
  const store = openStore(database)
  try {
    await store.write((tx) => raiseEpoch(tx, now))
  } finally {
    await store.close()
  }
}

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
