import { MIGRATIONS, makeMigration } from './lib/makeMigration.ts'
import { command } from './lib/say.ts'
import { SetUpError } from './setup.mjs'

/** `npm run migration -- NAME` writes changes to the tables in server/src/store as a new migration. */
await command(async () => {
  const name = process.argv[2] ?? ''
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new SetUpError('Give it a name: npm run migration -- what_it_changes')
  console.log(await makeMigration({ name, out: MIGRATIONS }))
})
