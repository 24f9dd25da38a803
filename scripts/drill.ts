import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { MONEY } from '@garba/shared/messages/money'
import { type BackupFile, isDump, keepFactIn, listBackups } from '../server/src/backups/copies.ts'
import { readDump } from '../server/src/backups/postgresTools.ts'
import { inspectSealed, opens } from '../server/src/backups/sealed.ts'
import type { Settings } from '../server/src/config.ts'
import { readBooks } from '../server/src/flows/money/books.ts'
import { restoreBackup } from '../server/src/flows/recovery/epoch.ts'
import type { Contents } from '../server/src/store/engine/backup.ts'
import { openStore } from '../server/src/store/engine/open.ts'
import { closing } from '../server/src/store/engine/store.ts'
import { LAST_DRILL } from '../server/src/store/meta.ts'
import { ageText } from '../shared/src/messages/formats.ts'
import { contentsOf, settingsHere, withPlainBackup } from './lib/database.ts'
import { withFolder } from './lib/files.ts'
import { command, say, step } from './lib/say.ts'
import { SetUpError } from './setup.mjs'

function newest({ backups }: Settings): BackupFile {
  if (backups === null)
    throw new SetUpError('BACKUP_DIR is not set, so there is no newest backup. Name one: npm run drill -- FILE')
  const all = listBackups(backups.dir)
  // One dated in the future was made while the clock was ahead.
  const found = all.find(({ at }) => at.getTime() <= Date.now()) ?? all[0]
  if (!found) throw new SetUpError(`There is no backup in ${backups.dir}.`)
  return found
}

/** Restores a copy as `npm run restore` would, and opens it as the server would. Returns the breaches of the Books. */
async function tryOut(file: string, folder: string): Promise<{ contents: Contents; broken: string[] }> {
  const database = join(folder, 'garba.db')
  const { contents } = await restoreBackup({ database, file, now: new Date() })
  await using store = closing(openStore(database))
  const lines = (await readBooks({ store })).filter(({ ok }) => !ok)
  const broken = lines.map(({ rule, count, examples: [first] }) => `${MONEY.books.rules[rule]} (${count}): ${first}`)
  return { contents, broken }
}

/** Reports on a backup that this machine has no secret key for, without opening it. */
function lookAtSealed(path: string): void {
  const { bytes } = inspectSealed(path)
  say(`${path} is encrypted, and BACKUP_KEY is not its secret key, so it was not opened and its contents were not checked.
It has the form of a whole age file of ${(bytes / 1e6).toFixed(2)} MB, and the server checked the copy before it encrypted it.
To try it out in full, on a computer that has the secret key: BACKUP_KEY=AGE-SECRET-KEY-1... npm run drill -- FILE`)
}

/** Restores the backup as far as this machine can; a PostgreSQL dump is only read. */
async function tryOutPlain(path: string, plain: string, folder: string): Promise<string> {
  if (isDump(plain)) {
    await readDump(plain)
    return `${path} is a dump of PostgreSQL, and pg_restore reads it from end to end.`
  }
  const { contents, broken } = await tryOut(plain, folder)
  console.log(`The file is whole: ${contentsOf(contents)}.`)
  for (const rule of broken) console.log(`The Books do not balance: ${rule}`)
  if (broken.length > 0) throw new SetUpError(`${path} can be restored, but its Books do not balance.`)
  return `${path} can be restored, and its Books balance.`
}

await command('drill', async ({ words: [given] }) => {
  const settings = settingsHere()
  const { path, at } = given === undefined ? newest(settings) : { path: resolve(given), at: null }
  const age = at === null ? '' : ` It is ${ageText(Date.now() - at.getTime())} old.`
  if (path.endsWith('.age') && !opens(settings.backupKey)) {
    lookAtSealed(path)
    return console.log(`${path} was looked at from outside.${age}`)
  }
  const result = await withFolder(join(tmpdir(), 'garba-drill-'), (folder) =>
    step(`Restoring ${path} into a temporary folder`, () =>
      withPlainBackup({ file: path, key: settings.backupKey, folder }, (plain) => tryOutPlain(path, plain, folder)),
    ),
  )
  const isHere = settings.databaseUrl !== null || existsSync(settings.databaseFile)
  if (at !== null && isHere) await keepFactIn(settings, LAST_DRILL, new Date().toISOString())
  console.log(`${result}${age}`)
})
