import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { restoreBackup } from '../flows/recovery/epoch.ts'
import { backUp } from '../store/engine/backup.ts'
import { copyOf, onPostgres } from './database.ts'
import { makeWorld, type World, type WorldOptions } from './world.ts'

const databaseIn = ({ folder }: World): string => join(folder, 'garba.db')

let backups = 0

/** Backs up a world's database as it is now. Returns the file. */
export async function backedUp(world: World): Promise<string> {
  backups += 1
  const file = join(world.folder, `backup-${backups}.db`)
  if (onPostgres()) await copyOf(world, file)
  else backUp({ database: databaseIn(world), file, now: world.clock.now() })
  return file
}

/** Replaces this server, whose disk is gone, with another one that has a backup's data. The clock runs on. */
export async function restored(world: World, file: string, options: WorldOptions = {}): Promise<World> {
  await world.store.close()
  const database = databaseIn(world)
  for (const ending of ['', '-wal', '-shm']) rmSync(`${database}${ending}`, { force: true })
  await restoreBackup({ database, file, now: world.clock.now() })
  const next = await makeWorld({ ...options, database })
  next.clock.set(world.clock.now().toISOString())
  return next
}
