import { dirname, resolve } from 'node:path'
import { restoreBackup } from '../server/src/flows/restoreBackup.ts'
import { withPlainBackup } from './lib/backupFile.ts'
import { contentsOf } from './lib/contents.ts'
import { command, UsageError } from './lib/say.ts'
import { requireSqlite, settingsHere } from './lib/settings.ts'

const USAGE = 'Name the backup to restore: npm run restore -- FILE'

await command(async () => {
  const [file, ...rest] = process.argv.slice(2)
  if (file === undefined || rest.length > 0) throw new UsageError(USAGE)
  const settings = settingsHere()
  requireSqlite(settings, 'PostgreSQL is restored with pg_restore: see shared/docs/operations.md.')
  const { databaseFile: database, backupKey: key } = settings
  const { contents, kept } = await withPlainBackup({ file: resolve(file), key, folder: dirname(database) }, (plain) =>
    restoreBackup({ database, file: plain, now: new Date() }),
  )
  console.log(`${database} is restored from ${file}: ${contentsOf(contents)}.`)
  if (kept !== null) console.log(`What was there before is kept in ${kept}.`)
})
