import { type Restoring, restore } from '../store/backup.ts'
import { raiseEpoch } from '../store/epoch.ts'
import { openStore } from '../store/open.ts'

/**
 * Puts a backup in the place of the database and begins a new epoch, by which devices and servers tell it from the data they
 * know (DECISIONS 9). Throws BackupRefused.
 */
export const restoreBackup = (given: Omit<Restoring, 'prepare'>): ReturnType<typeof restore> =>
  restore({
    ...given,
    prepare: async (copy) => {
      const store = openStore(copy)
      try {
        await store.write((tx) => raiseEpoch(tx, given.now))
      } finally {
        await store.close()
      }
    },
  })
