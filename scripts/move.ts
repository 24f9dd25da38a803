import { BadSetting, readSettings } from '../server/src/config.ts'
import { nameOf } from '../server/src/store/engine/open.ts'
import { moveToPostgres } from '../server/src/store/postgres/move.ts'
import { settingsHere } from './lib/database.ts'
import { command, UsageError } from './lib/say.ts'

/** The target address. Throws UsageError. */
function target(to: string | undefined): string {
  try {
    const { databaseUrl } = readSettings({ DATABASE_URL: to })
    if (databaseUrl !== null) return databaseUrl
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error
  }
  throw new UsageError()
}

await command('move', async ({ text }) => {
  const url = target(text('to'))
  const { databaseFile } = settingsHere()
  const name = nameOf({ databaseFile, databaseUrl: url })
  console.log(`Copying ${databaseFile} to ${name} ...`)
  const moved = await moveToPostgres({
    file: databaseFile,
    url,
    onTable: ({ table, rows }) => console.log(`  ${table}: ${rows}`),
  })
  const rows = moved.reduce((sum, table) => sum + table.rows, 0)
  console.log(`${rows} rows of ${moved.length} tables moved to ${name}; counts, sums and hashes agree.`)
})
