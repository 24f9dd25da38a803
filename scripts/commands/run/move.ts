import { keepFactIn } from '../../../server/src/backups/copies.ts'
import { BadSetting, readSettings } from '../../../server/src/config.ts'
import { formatDatabaseName } from '../../../server/src/store/engine/open.ts'
import { MOVED_AT } from '../../../server/src/store/meta.ts'
import { moveToPostgres } from '../../../server/src/store/postgres/move.ts'
import { settingsHere } from '../../lib/database.ts'
import { runCommand, UsageError } from '../../lib/say.ts'

function target(to: string | undefined): string {
  try {
    const { databaseUrl } = readSettings({ DATABASE_URL: to })
    if (databaseUrl !== null) return databaseUrl
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error
  }
  throw new UsageError()
}

await runCommand('move', async ({ text }) => {
  const url = target(text('to'))
  const { databaseFile } = settingsHere()
  const name = formatDatabaseName({ databaseFile, databaseUrl: url })
  console.log(`Copying ${databaseFile} to ${name} ...`)
  const moved = await moveToPostgres({
    file: databaseFile,
    url,
    onTable: ({ table, rows }) => console.log(`  ${table}: ${rows}`),
  })
  await keepFactIn({ databaseFile, databaseUrl: url }, MOVED_AT, new Date().toISOString())
  const rows = moved.reduce((sum, table) => sum + table.rows, 0)
  console.log(`${rows} rows of ${moved.length} tables moved to ${name}; counts and hashes agree.`)
})
