import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { restoreBackup, takeOverHere, takeOverPostgres } from '../server/src/flows/recovery/epoch.ts'
import { nameOf } from '../server/src/store/engine/open.ts'
import { contentsOf, settingsHere, withPlainBackup } from './lib/database.ts'
import { command, UsageError } from './lib/say.ts'
import { SetUpError } from './setup.mjs'

const next = (publicUrl: string | null) => `What to do now:
  1. Start the server here. If it was known by that name before, it accepts no changes yet.
  2. Let the name of ${publicUrl ?? 'PUBLIC_URL'} lead to this machine. Seconds later this server accepts changes.
  3. Leave the old server off. If it wakes up, the first client that has seen this one makes it read-only, and so does a restart.
  4. Scanners send again what is not in the backup. Check Evening, Orders and Money on the desk.`

await command('takeover', async ({ words: [file], has }) => {
  const here = has('here')
  const settings = settingsHere()
  const { databaseFile: database, databaseUrl, backupKey: key, publicUrl } = settings
  const isFile = databaseUrl === null
  if (here ? file !== undefined : (file !== undefined) !== isFile) throw new UsageError()
  const now = new Date()
  if (databaseUrl !== null) {
    const { promoted } = await takeOverPostgres(databaseUrl, now)
    if (promoted) console.log(`${nameOf(settings)} was a standby and has been promoted.`)
  } else if (here) {
    if (!existsSync(database)) throw new SetUpError(`There is no database at ${database}.`)
    await takeOverHere(database, now)
  } else if (file !== undefined) {
    const folder = dirname(database)
    const restored = await withPlainBackup({ file: resolve(file), key, folder }, (plain) =>
      restoreBackup({ database, file: plain, now }),
    )
    console.log(`${database} is restored from ${file}: ${contentsOf(restored.contents)}.`)
    if (restored.kept !== null) console.log(`What was there before is kept in ${restored.kept}.`)
  }
  console.log(next(publicUrl))
  console.log(`${nameOf(settings)} has taken over.`)
})
