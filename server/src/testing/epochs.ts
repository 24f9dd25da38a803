import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createApp } from '../app.ts'
import type { Deps } from '../flows/deps.ts'
import { ensureEpoch } from '../flows/epoch.ts'
import { restoreBackup } from '../flows/restoreBackup.ts'
import { backUp } from '../store/backup.ts'
import { raiseEpoch } from '../store/epoch.ts'
import { openStore } from '../store/open.ts'
import { temporaryFolder } from './process.ts'
import type { World } from './world.ts'

/** The token of an epoch that began after this world's server was started, without another server. */
export async function laterToken({ store, deps, clock }: World): Promise<string> {
  await store.write((tx) => raiseEpoch(tx, clock.now()))
  return (await ensureEpoch({ ...deps, store })).token
}

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
