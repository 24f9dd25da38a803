import { MIGRATIONS, makeMigration } from '../../lib/makeMigration.ts'
import { runCommand, UsageError } from '../../lib/say.ts'

await runCommand('migration', async ({ words: [name = ''] }) => {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new UsageError('Name it with small letters, digits and _.')
  console.log(await makeMigration({ name, out: MIGRATIONS }))
})
