import { type Restoring, requireUnused, restore } from '../store/backup.ts'
import { raiseEpoch } from '../store/epoch.ts'
import { openStore } from '../store/open.ts'

/**
 * Puts a backup in the place of the database and begins a new epoch, by which devices and servers tell it from the data they
 * know. Throws BackupRefused.
 */
export const restoreBackup = (given: Omit<Restoring, 'prepare'>): ReturnType<typeof restore> =>
  restore({
    ...given,
    prepare: (copy) => beginEpoch(copy, given.now),
  })

/**
 * Makes a server whose database is already here the one in use, by a new epoch: the way out for one that another has silenced. No
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
