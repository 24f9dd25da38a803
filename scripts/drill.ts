import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type BackupFile, listBackups } from '../server/src/backups/files.ts'
import type { Settings } from '../server/src/config.ts'
import { readBooks } from '../server/src/flows/money/books.ts'
import { restoreBackup } from '../server/src/flows/restoreBackup.ts'
import { type Contents, keepFact } from '../server/src/store/backup.ts'
import { LAST_DRILL } from '../server/src/store/meta.ts'
import { openStore } from '../server/src/store/open.ts'
import { MONEY } from '../shared/src/messages/deskMoney.ts'
import { ageText } from '../shared/src/messages/formats.ts'
import { withPlainBackup } from './lib/backupFile.ts'
import { contentsOf } from './lib/contents.ts'
import { command, step, UsageError } from './lib/say.ts'
import { requireSqlite, settingsHere } from './lib/settings.ts'
import { SetUpError } from './setup.mjs'

const USAGE = `Restores a backup into a temporary folder and checks it; the database in use stays as it is.
  npm run drill            the newest backup in BACKUP_DIR
  npm run drill -- FILE    this one`

function newest({ backups }: Settings): BackupFile {
  if (backups === null)
    throw new SetUpError('BACKUP_DIR is not set, so there is no newest backup. Name one: npm run drill -- FILE')
  const [found] = listBackups(backups.dir)
  if (!found) throw new SetUpError(`There is no backup in ${backups.dir}.`)
  return found
}

/** Restores a copy as `npm run restore` would, and opens it as the server would. Returns what breaks the Books. */
async function tryOut(file: string, folder: string): Promise<{ contents: Contents; broken: string[] }> {
  const database = join(folder, 'garba.db')
  const { contents } = await restoreBackup({ database, file, now: new Date() })
  const store = openStore(database)
  try {
    const lines = (await readBooks({ store })).filter(({ ok }) => !ok)
    const broken = lines.map(({ rule, count, examples: [first] }) => `${MONEY.books.rules[rule]} (${count}): ${first}`)
    return { contents, broken }
  } finally {
    await store.close()
  }
}

await command(async () => {
  const [given, ...rest] = process.argv.slice(2)
  if (rest.length > 0 || given?.startsWith('-')) throw new UsageError(USAGE)
  const settings = settingsHere()
  requireSqlite(settings, 'Restore a dump of PostgreSQL into a database of its own: see shared/docs/operations.md.')
  const { path, at } = given === undefined ? newest(settings) : { path: resolve(given), at: null }
  const folder = mkdtempSync(join(tmpdir(), 'garba-drill-'))
  try {
    const { contents, broken } = await step(`Restoring ${path} into a temporary folder`, () =>
      withPlainBackup({ file: path, key: settings.backupKey, folder }, (plain) => tryOut(plain, folder)),
    )
    console.log(`The file is whole: ${contentsOf(contents)}.`)
    for (const rule of broken) console.log(`The Books do not balance: ${rule}`)
    if (broken.length > 0) throw new SetUpError(`${path} can be restored, but its Books do not balance.`)
    if (at !== null && existsSync(settings.databaseFile))
      keepFact({ database: settings.databaseFile, key: LAST_DRILL, value: new Date().toISOString() })
    const age = at === null ? '' : ` It is ${ageText(Date.now() - at.getTime())} old.`
    console.log(`${path} can be restored, and its Books balance.${age}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
