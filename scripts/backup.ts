import { resolve } from 'node:path'
import { backUp } from '../server/src/store/backup.ts'
import { contentsOf } from './lib/contents.ts'
import { command, UsageError } from './lib/say.ts'
import { requireSqlite, settingsHere } from './lib/settings.ts'

const USAGE = 'Name the file to write: npm run backup -- FILE'

await command(() => {
  const [file, ...rest] = process.argv.slice(2)
  if (file === undefined || rest.length > 0) throw new UsageError(USAGE)
  const settings = settingsHere()
  requireSqlite(settings, 'PostgreSQL is backed up with pg_dump: see shared/docs/operations.md.')
  const { databaseFile: database } = settings
  const contents = backUp({ database, file: resolve(file), now: new Date() })
  console.log(`${database} is backed up to ${file}: ${contentsOf(contents)}.`)
})
