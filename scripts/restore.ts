import { resolve } from 'node:path'
import { restore } from '../server/src/store/backup.ts'
import { contentsOf } from './lib/contents.ts'
import { command } from './lib/say.ts'
import { requireSqlite, settingsHere } from './lib/settings.ts'
import { SetUpError } from './setup.mjs'

await command(() => {
  const [file] = process.argv.slice(2)
  if (file === undefined) throw new SetUpError('Name the backup to restore: npm run restore -- FILE')
  const settings = settingsHere()
  requireSqlite(settings, 'PostgreSQL is restored with pg_restore: see shared/docs/operations.md.')
  const { databaseFile: database } = settings
  const { contents, kept } = restore({ database, file: resolve(file), now: new Date() })
  console.log(`${database} is restored from ${file}: ${contentsOf(contents)}.`)
  if (kept !== null) console.log(`What was there before is kept in ${kept}.`)
})
