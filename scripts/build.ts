import { ensureClient } from './lib/client.ts'
import { command } from './lib/say.ts'

await command(() => ensureClient({ force: true }))
