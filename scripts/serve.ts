import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CLIENT_DIST } from './lib/client.ts'
import { holdLeashToNpm } from './lib/leash.mjs'
import { ROOT } from './setup.mjs'

// A signal sent to npm ends npm and its shell without reaching us.
holdLeashToNpm()

// Only the server, in this process: no installation, build or identity process (DECISIONS 1).
if (existsSync(join(CLIENT_DIST, 'index.html'))) {
  await import(pathToFileURL(join(ROOT, 'server', 'src', 'main.ts')).href)
} else {
  console.error('The client is not built. Run `npm run build` once, then `npm run serve`.')
  process.exitCode = 1
}
