import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { ROOT } from '../setup.mjs'

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.cache', 'test-results', 'playwright-report'])
/** The database and the log are here. Elsewhere a folder with that name is code. */
const DATA = join(ROOT, 'data')

/** The repository's own files, as sorted paths from its root with forward slashes. */
export function filesOf(folder = ROOT): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !SKIPPED.has(entry.name) && join(folder, entry.name) !== DATA)
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return filesOf(path)
      return entry.isFile() ? [relative(ROOT, path).split(sep).join('/')] : []
    })
    .sort()
}
