import { resolve } from 'node:path'
import { backUp } from '../server/src/store/backup.ts'
import { contentsOf } from './lib/contents.ts'
import { command } from './lib/say.ts'
import { requireSqlite, settingsHere } from './lib/settings.ts'
import { SetUpError } from './setup.mjs'

await command(() => {
  const [file] = process.argv.slice(2)
  if (file === undefined) throw new SetUpError('Name the file to write: npm run backup -- FILE')
  const settings = settingsHere()
  requireSqlite(settings, 'PostgreSQL is backed up with pg_dump: see shared/docs/operations.md.')
  const { databaseFile: database } = settings
  const contents = backUp({ database, file: resolve(file), now: new Date() })
  console.log(`${database} is backed up to ${file}: ${contentsOf(contents)}.`)
})
