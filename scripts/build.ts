import { ensureClient } from './lib/client.ts'
import { command } from './lib/say.ts'

await command('build', () => ensureClient({ force: true }))
