import { parseArgs } from 'node:util'
import { BadSetting, readSettings } from '../server/src/config.ts'
import { nameOf } from '../server/src/store/openDatabase.ts'
import { moveToPostgres } from '../server/src/store/postgres/move.ts'
import { command, UsageError } from './lib/say.ts'
import { settingsHere } from './lib/settings.ts'

const USAGE = `Copies the SQLite database in DATA_DIR into an empty PostgreSQL one, while no server runs.
  npm run move -- --to postgres://USER:PASSWORD@HOST:5432/DATABASE`

/** The target address from the command line. Throws UsageError. */
function target(): string {
  try {
    const { values } = parseArgs({ options: { to: { type: 'string' } } })
    const { databaseUrl } = readSettings({ DATABASE_URL: values.to })
    if (databaseUrl !== null) return databaseUrl
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof BadSetting)) throw error
  }
  throw new UsageError(USAGE)
}

await command(async () => {
  const url = target()
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
