import { formatDatabaseName } from '../../../server/src/store/engine/open.ts'
import { seedDemo } from '../../demo/seed.ts'
import { seedBig } from '../../demo/seedBig.ts'
import { getDataDir, requireSqlite, settingsHere } from '../../lib/database.ts'
import { runCommand, runTimedStep } from '../../lib/say.ts'
import { SetUpError } from '../../setup.mjs'

await runCommand('seed', async ({ has }) => {
  const settings = settingsHere()
  if (!settings.demo) throw new SetUpError('FIREBASE_PROJECT_ID is set: only the demo is seeded.')
  if (has('big')) {
    requireSqlite(settings, 'Leave it out to seed a SQLite database in DATA_DIR.')
    const held = await runTimedStep('5,000 users, 12,000 tickets and an evening at the gate', () =>
      seedBig({ settings, now: new Date() }),
    )
    console.log(`${settings.databaseFile} holds ${held.users} users and ${held.tickets} tickets.`)
    return
  }
  const known = await seedDemo({ ...settings, dataDir: getDataDir(settings), now: new Date() })
  console.log(`${formatDatabaseName(settings)} holds the demo event and ${known.length} users.`)
})
