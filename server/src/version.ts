import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import packageFile from '../../package.json' with { type: 'json' }

/** In the built client: the version it was built as (scripts/lib/client.ts). */
export const VERSION_FILE = '.version'

/**
 * The version that this server and the client it serves were built as. It is read once, at start: a client built later is
 * another version until the server starts anew. Where nothing was built it is the package's own.
 */
export function builtVersion(clientDir: string): string {
  const file = join(clientDir, VERSION_FILE)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : packageFile.version
}
