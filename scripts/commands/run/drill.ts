import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { MONEY } from '@garba/shared/messages/money'
import { type BackupFile, keepFactIn, listBackups } from '../../../server/src/backups/copies.ts'
import { readDrillNote, signDrill } from '../../../server/src/backups/drillNote.ts'
import { canOpenBackups, inspectSealed } from '../../../server/src/backups/sealed.ts'
import type { Settings } from '../../../server/src/config.ts'
import { readBooks } from '../../../server/src/flows/money/books.ts'
import { restoreBackup } from '../../../server/src/flows/recovery/epoch.ts'
import { BackupRefused, type Contents } from '../../../server/src/store/engine/backup.ts'
import { openStore } from '../../../server/src/store/engine/open.ts'
import { closing } from '../../../server/src/store/engine/store.ts'
import { StoreUnusable } from '../../../server/src/store/engine/unusable.ts'
import { LAST_DRILL, MOVED_AT, readMeta } from '../../../server/src/store/meta.ts'
import { allSigningKeys } from '../../../server/src/store/signingKeys.ts'
import { ageText } from '../../../shared/src/messages/formats.ts'
import { formatContents, readDatabase, settingsHere, withPlainBackup } from '../../lib/database.ts'
import { withFolder } from '../../lib/files.ts'
import { printLine, runCommand, runTimedStep } from '../../lib/say.ts'
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

interface BackupTrial {
  contents: Contents
  broken: string[]
  note: string | null
}

/** Restores a copy as `npm run restore` would, and opens it as the server would. Returns the breaches of the Books. */
async function tryOut(file: string, folder: string): Promise<BackupTrial> {
  const database = join(folder, 'garba.db')
  const { contents } = await restoreBackup({ database, file, now: new Date() })
  await using store = closing(openStore(database))
  const lines = (await readBooks({ store })).filter(({ ok }) => !ok)
  const broken = lines.map(({ rule, count, examples: [first] }) => `${MONEY.books.rules[rule]} (${count}): ${first}`)
  return { contents, broken, note: signDrill(await store.read(allSigningKeys), new Date()) }
}

function reportSealedBackup(path: string): void {
  const { bytes } = inspectSealed(path)
  printLine(`${path} is encrypted, and BACKUP_KEY is not its secret key, so it was not opened and its contents were not checked.
It has the form of a whole age file of ${(bytes / 1e6).toFixed(2)} MB, and the server checked the copy before it encrypted it.
To try it out in full, on a computer that has the secret key: BACKUP_KEY=AGE-SECRET-KEY-1... npm run drill -- FILE
That prints a note, which this server counts as a drill: npm run drill -- --note NOTE`)
}

interface DrillResult {
  result: string
  note: string | null
}

async function tryOutPlain(path: string, plain: string, folder: string): Promise<DrillResult> {
  const { contents, broken, note } = await tryOut(plain, folder)
  console.log(`The file is whole: ${formatContents(contents)}.`)
  for (const rule of broken) console.log(`The Books do not balance: ${rule}`)
  if (broken.length > 0) throw new SetUpError(`${path} can be restored, but its Books do not balance.`)
  return { result: `${path} can be restored, and its Books balance.`, note }
}

/** Counts a drill for the database here. Throws BackupRefused for a note that is not about one of its backups. */
async function countDrill(settings: Settings, note: string): Promise<Date> {
  const [keys, last] = await readDatabase(settings, (store) =>
    store.read(async (tx) => [await allSigningKeys(tx), await readMeta(tx, LAST_DRILL)] as const),
  )
  const at = readDrillNote(note, keys, new Date())
  if (last === null || at > new Date(last)) await keepFactIn(settings, LAST_DRILL, at.toISOString())
  return at
}

async function isCountedHere(settings: Settings, note: string): Promise<boolean> {
  try {
    await countDrill(settings, note)
    return true
  } catch (error) {
    if ([BackupRefused, SetUpError, StoreUnusable].some((kind) => error instanceof kind)) return false
    throw error
  }
}

await runCommand('drill', async ({ words: [given], text }) => {
  const settings = settingsHere()
  const noted = text('note')
  if (noted !== undefined) {
    const age = ageText(Date.now() - (await countDrill(settings, noted)).getTime())
    return console.log(`The drill counts: a backup was test-restored elsewhere ${age} ago.`)
  }
  const isHere = settings.databaseUrl !== null || existsSync(settings.databaseFile)
  const movedAt =
    given === undefined && isHere
      ? await readDatabase(settings, (store) => store.read((tx) => readMeta(tx, MOVED_AT)))
      : null
  const { path, at } = given === undefined ? newest(settings, movedAt) : { path: resolve(given), at: null }
  const age = at === null ? '' : ` It is ${ageText(Date.now() - at.getTime())} old.`
  if (path.endsWith('.age') && !canOpenBackups(settings.backupKey)) {
    reportSealedBackup(path)
    return console.log(`${path} was looked at from outside.${age}`)
  }
  const { result, note } = await withFolder(join(tmpdir(), 'garba-drill-'), (folder) =>
    runTimedStep(`Restoring ${path} into a temporary folder`, () =>
      withPlainBackup({ file: path, key: settings.backupKey, folder }, (plain) => tryOutPlain(path, plain, folder)),
    ),
  )
  if (at !== null && isHere) await keepFactIn(settings, LAST_DRILL, new Date().toISOString())
  else if (note !== null && !(isHere && (await isCountedHere(settings, note))))
    console.log(`Its server counts this drill once you type there (for "garba", npm run drill -- where it has npm):
garba drill --note ${note}`)
  console.log(`${result}${age}`)
})
