import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { MONEY } from '@garba/shared/messages/money'
import { type BackupFile, keepFactIn, listBackups } from '../../../server/src/backups/copies.ts'
import type { Settings } from '../../../server/src/config.ts'
import { readBooks } from '../../../server/src/flows/money/books.ts'
import { restoreBackup } from '../../../server/src/flows/recovery/epoch.ts'
import { openStore } from '../../../server/src/store/engine/open.ts'
import { closing } from '../../../server/src/store/engine/store.ts'
import { LAST_DRILL, MOVED_AT, readMeta } from '../../../server/src/store/meta.ts'
import { ageText } from '../../../shared/src/messages/formats.ts'
import { formatContents, readDatabase, settingsHere, withPlainBackup } from '../../lib/database.ts'
import { withFolder } from '../../lib/files.ts'
import { runCommand, runTimedStep } from '../../lib/say.ts'
import { SetUpError } from '../../setup.mjs'

function newest({ backups }: Settings, movedAt: string | null): BackupFile {
  if (backups === null)
    throw new SetUpError('BACKUP_DIR is not set, so there is no newest backup. Name one: npm run drill -- FILE')
  const from = new Date(movedAt ?? 0)
  const all = listBackups(backups.dir).filter(({ at }) => at >= from)
  // A backup dated in the future was made while the clock was ahead.
  const found = all.find(({ at }) => at.getTime() <= Date.now()) ?? all[0]
  if (!found)
    throw new SetUpError(
      `There is no backup in ${backups.dir}${movedAt === null ? '' : ' since the database was moved'}.`,
    )
  return found
}

/** Restores a copy as `npm run restore` would, and opens it as the server would. Throws SetUpError if its Books do not balance. */
async function tryOut(path: string, plain: string, folder: string): Promise<void> {
  const database = join(folder, 'garba.db')
  const { contents } = await restoreBackup({ database, file: plain, now: new Date() })
  console.log(`The file is whole: ${formatContents(contents)}.`)
  await using store = closing(openStore(database))
  const broken = (await readBooks({ store })).filter(({ ok }) => !ok)
  for (const { rule, count, examples } of broken)
    console.log(`The Books do not balance: ${MONEY.books.rules[rule]} (${count}): ${examples[0]}`)
  if (broken.length > 0) throw new SetUpError(`${path} can be restored, but its Books do not balance.`)
}

await runCommand('drill', async ({ words: [given] }) => {
  const settings = settingsHere()
  const isHere = settings.databaseUrl !== null || existsSync(settings.databaseFile)
  const movedAt =
    given === undefined && isHere
      ? await readDatabase(settings, (store) => store.read((tx) => readMeta(tx, MOVED_AT)))
      : null
  const { path, at } = given === undefined ? newest(settings, movedAt) : { path: resolve(given), at: null }
  const age = at === null ? '' : ` It is ${ageText(Date.now() - at.getTime())} old.`
  await withFolder(join(tmpdir(), 'garba-drill-'), (folder) =>
    runTimedStep(`Restoring ${path} into a temporary folder`, () =>
      withPlainBackup({ file: path, key: settings.backupKey, folder }, (plain) => tryOut(path, plain, folder)),
    ),
  )
  if (at !== null && isHere) await keepFactIn(settings, LAST_DRILL, new Date().toISOString())
  console.log(`${path} can be restored, and its Books balance.${age}`)
})
