import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { restoreBackup, takeOverHere, takeOverPostgres } from '../../../server/src/flows/recovery/epoch.ts'
import { formatDatabaseName } from '../../../server/src/store/engine/open.ts'
import { formatContents, settingsHere, withPlainBackup } from '../../lib/database.ts'
import { runCommand, UsageError } from '../../lib/say.ts'
import { SetUpError } from '../../setup.mjs'

const next = (publicUrl: string | null) => `What to do now:
  1. Start the server here. While another server answers at that name, it accepts no changes yet.
  2. Let the name of ${publicUrl ?? 'PUBLIC_URL'} lead to this machine. Seconds later this server accepts changes.
  3. Leave the old server off. If it wakes up, it finds this server at that name within a minute, and accepts no changes.
  4. Scanners send again what is not in the backup. Check Evening, Orders and Money on the desk.`

await runCommand('takeover', async ({ words: [file], has }) => {
  const here = has('here')
  const settings = settingsHere()
  const { databaseFile: database, databaseUrl, backupKey: key, publicUrl } = settings
  const isFile = databaseUrl === null
  if (here ? file !== undefined : (file !== undefined) !== isFile) throw new UsageError()
  const now = new Date()
  if (databaseUrl !== null) {
    const { promoted } = await takeOverPostgres(databaseUrl, now)
    if (promoted) console.log(`${formatDatabaseName(settings)} was a standby and has been promoted.`)
  } else if (here) {
    if (!existsSync(database)) throw new SetUpError(`There is no database at ${database}.`)
    await takeOverHere(database, now)
  } else if (file !== undefined) {
    const folder = dirname(database)
    const restored = await withPlainBackup({ file: resolve(file), key, folder }, (plain) =>
      restoreBackup({ database, file: plain, now }),
    )
    console.log(`${database} is restored from ${file}: ${formatContents(restored.contents)}.`)
    if (restored.kept !== null) console.log(`What was there before is kept in ${restored.kept}.`)
  }
  console.log(next(publicUrl))
  console.log(`${formatDatabaseName(settings)} has taken over.`)
})
