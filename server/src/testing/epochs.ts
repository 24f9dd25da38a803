import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createApp } from '../app.ts'
import type { Deps } from '../flows/deps.ts'
import { ensureEpoch, restoreBackup } from '../flows/recovery/epoch.ts'
import { backUp } from '../store/engine/backup.ts'
import { openStore } from '../store/engine/open.ts'
import { temporaryFolder } from './process.ts'
import type { World } from './world.ts'

/** Another server answers at the address of this world's server. */
export const replaced = ({ deps }: Pick<World, 'deps'>): void => deps.epoch.reportAnswerer('another')

/** A backup of a world's database; SQLite alone. */
export function backupOf({ folder, clock }: Pick<World, 'folder' | 'clock'>): string {
  const file = join(temporaryFolder(), 'backup.db')
  backUp({ database: join(folder, 'garba.db'), file, now: clock.now() })
  return file
}

/** Opens a database file as a server with the settings, clock and keys of another. */
export async function serverOn(file: string, like: Deps) {
  const store = openStore(file)
  onTestFinished(store.close)
  const epoch = await ensureEpoch({ ...like, store })
  const deps: Deps = { ...like, store: epoch.guard(store), epoch }
  return { file, store, deps, epoch, app: createApp(deps) }
}

/** A second server that takes over with a backup. */
export async function takenOver(backup: string, like: Deps) {
  const database = join(temporaryFolder(), 'garba.db')
  await restoreBackup({ database, file: backup, now: like.now() })
  return serverOn(database, like)
}
