import { nameOf } from '../server/src/store/engine/open.ts'
import { seedDemo } from './demo/seed.ts'
import { dataDirOf, requireSqlite, settingsHere } from './lib/database.ts'
import { command, step } from './lib/say.ts'
import { seedBig } from './seed-big.ts'
import { SetUpError } from './setup.mjs'

await command('seed', async ({ has }) => {
  const settings = settingsHere()
  if (!settings.demo) throw new SetUpError('FIREBASE_PROJECT_ID is set: only the demo is seeded.')
  if (has('big')) {
    requireSqlite(settings, 'Leave it out to seed a SQLite database in DATA_DIR.')
    const held = await step('5,000 users, 12,000 tickets and an evening at the gate', () =>
      seedBig({ settings, now: new Date() }),
    )
    console.log(`${settings.databaseFile} holds ${held.users} users and ${held.tickets} tickets.`)
    return
  }
  const known = await seedDemo({ ...settings, dataDir: dataDirOf(settings), now: new Date() })
  console.log(`${nameOf(settings)} holds the demo event and ${known.length} users.`)
})
