import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { restoreBackup } from '../../../server/src/flows/recovery/epoch.ts'
import { formatDatabaseName } from '../../../server/src/store/engine/open.ts'
import { formatContents, settingsHere, withPlainBackup } from '../../lib/database.ts'
import { withFolder } from '../../lib/files.ts'
import { runCommand, runTimedStep } from '../../lib/say.ts'

async function intoFile(database: string, plain: string, file: string): Promise<void> {
  const { contents, kept } = await restoreBackup({ database, file: plain, now: new Date() })
  console.log(`${database} is restored from ${file}: ${formatContents(contents)}.`)
  if (kept !== null) console.log(`What was there before is kept in ${kept}.`)
}

/** Fills an empty PostgreSQL database; the replaced data stays in the database that the servers used so far. */
async function intoPostgres(url: string, plain: string, now: Date): Promise<void> {
  const { moveToPostgres, requireEmpty } = await import('../../../server/src/store/postgres/move.ts')
  await requireEmpty(url)
  await withFolder(join(tmpdir(), 'garba-restore-'), async (folder) => {
    const copy = join(folder, 'garba.db')
    // Restoring checks the file and begins the new epoch.
    await restoreBackup({ database: copy, file: plain, now })
    await moveToPostgres({ file: copy, url })
  })
}

await runCommand('restore', async ({ words: [file = ''] }) => {
  const settings = settingsHere()
  const { databaseFile: database, databaseUrl, backupKey: key } = settings
  const name = formatDatabaseName(settings)
  await withPlainBackup({ file: resolve(file), key, folder: dirname(database) }, (plain) =>
    databaseUrl === null
      ? intoFile(database, plain, file)
      : runTimedStep(`Restoring ${file} into ${name}`, () => intoPostgres(databaseUrl, plain, new Date())),
  )
  if (databaseUrl !== null) console.log(`${name} is restored from ${file}.`)
})
