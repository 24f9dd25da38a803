import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CLIENT_DIST } from '../../lib/client.ts'
import { runCommand } from '../../lib/say.ts'
import { ROOT, SetUpError } from '../../setup.mjs'

await runCommand('serve', async () => {
  if (!existsSync(join(CLIENT_DIST, 'index.html')))
    throw new SetUpError('The client is not built. Run `npm run build` once, then `npm run serve`.')
  await import(pathToFileURL(join(ROOT, 'server', 'src', 'main.ts')).href)
})
