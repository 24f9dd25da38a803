import { resolve } from 'node:path'
import { restore } from '../server/src/store/backup.ts'
import { contentsOf } from './lib/contents.ts'
import { command } from './lib/say.ts'
import { settingsHere } from './lib/settings.ts'
import { SetUpError } from './setup.mjs'

await command(() => {
  const [file] = process.argv.slice(2)
  if (file === undefined) throw new SetUpError('Name the backup to bring back: npm run restore -- FILE')
  const { databaseFile: database } = settingsHere()
  const { contents, kept } = restore({ database, file: resolve(file), now: new Date() })
  console.log(`${database} is restored from ${file}: ${contentsOf(contents)}.`)
  if (kept !== null) console.log(`What was there before is kept in ${kept}.`)
})
