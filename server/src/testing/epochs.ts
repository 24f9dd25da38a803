import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createApp } from '../app.ts'
import type { Deps } from '../flows/deps.ts'
import { ensureEpoch, restoreBackup } from '../flows/recovery/epoch.ts'
import { backUp } from '../store/engine/backup.ts'
import { openStore } from '../store/engine/open.ts'
import { raiseEpoch } from '../store/epoch.ts'
import { temporaryFolder } from './process.ts'
import type { World } from './world.ts'

/** A server that took over proves it to this world's server. Its data is the same, without another database. */
export async function replaced({ store, deps, clock }: Pick<World, 'store' | 'deps' | 'clock'>): Promise<void> {
  await store.write((tx) => raiseEpoch(tx, clock.now()))
  const later = await ensureEpoch({ ...deps, store })
  const question = deps.epoch.question()
  const succession = later.succession(question)
  if (succession === null) throw new Error('A new epoch has not taken over')
  deps.epoch.learn({ ...succession, question, at: 'https://tickets.example.org' })
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
