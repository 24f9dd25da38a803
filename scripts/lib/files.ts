import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { ROOT } from '../setup.mjs'

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.cache', 'test-results', 'playwright-report'])
/** The database and its log; a folder of that name elsewhere is code. */
const DATA = join(ROOT, 'data')

/** Every file of the repository's own, as paths from its top with forward slashes, sorted. */
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
