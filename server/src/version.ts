import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import packageFile from '../../package.json' with { type: 'json' }

/** The file in the built client that holds its version (scripts/lib/client.ts). */
export const VERSION_FILE = '.version'

/**
 * The version of this server and of the client it serves. It is read once at start, so a client built later counts only
 * after a restart. Without a build it is the package's version.
 */
export function builtVersion(clientDir: string): string {
  const file = join(clientDir, VERSION_FILE)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : packageFile.version
}

/** The bundle has no npm, so `npm run keys -- list` becomes `garba keys list`. Its launcher sets GARBA_BUNDLE. */
export const asTyped = (text: string): string =>
  process.env.GARBA_BUNDLE === '1' ? text.replace(/npm run ([a-z]+)(?: --(?= ))?/g, 'garba $1') : text
