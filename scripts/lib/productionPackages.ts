import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../setup.mjs'

interface Entry {
  /** Set if the package is one of our own workspaces; `resolved` is then its folder. */
  link?: boolean
  resolved?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
type Lock = Readonly<Record<string, Entry>>

/** The folders from the root of all packages that a workspace needs to run, by the lock file, without our own. */
export function productionPackages(workspace: string): string[] {
  const file = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
  const { packages } = JSON.parse(file) as { packages: Lock }
  const found = new Set<string>()
  const walk = (path: string) => {
    const { dependencies = {}, optionalDependencies = {} } = packages[path] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const at = placeOf(packages, name, path)
      if (at === null || found.has(at)) continue
      const { link, resolved = '' } = packages[at] ?? {}
      if (link) walk(resolved)
      else {
        found.add(at)
        walk(at)
      }
    }
  }
  walk(workspace)
  return [...found].sort()
}

/** Node looks for a package beside the folder, then beside those above. Null if it is not installed here. */
function placeOf(packages: Lock, name: string, from: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const at = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (at in packages) return at
    if (folder === '') return null
  }
}
