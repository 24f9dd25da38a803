import { ensureClient } from '../../lib/client.ts'
import { runCommand } from '../../lib/say.ts'

await runCommand('build', () => ensureClient({ force: true }))
