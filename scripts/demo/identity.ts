import type { Settings } from '../../server/src/config.ts'
import { dataDirOf } from '../lib/settings.ts'
import { type Account, accountsToSeed } from './accounts.ts'
import { type Emulator, startEmulator } from './emulator.ts'
import { seedDemo } from './seed.ts'

/** Demo mode starts its own identity process unless the settings name one. */
export const needsEmulator = ({ demo, emulatorHost }: Settings): boolean => demo && emulatorHost === null

/**
 * Seeds the demo and starts the Auth emulator with the four accounts and everyone in the database, so that nobody loses
 * their tickets in a restart.
 */
export async function startDemo(settings: Settings): Promise<Emulator> {
  const known: Account[] = await seedDemo({ ...settings, dataDir: dataDirOf(settings), now: new Date() })
  return startEmulator({ projectId: settings.firebase.projectId, accounts: accountsToSeed(known) })
}
