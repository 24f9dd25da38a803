import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const FOLDER = 0o700
const FILE = 0o600
const STICKY = 0o1000
/** What this application writes beside its database: SQLite's files, kept databases, logs. */
const OURS = /^(garba.*\.db.*|server\.log.*)$/

/** Makes a folder that its owner alone may enter, unless it is there. */
export const makeFolder = (folder: string): void => void mkdirSync(folder, { recursive: true, mode: FOLDER })

/** Makes a file, empty, for its owner alone, unless it is there; SQLite gives its other files the mode of this one. */
export function makeOwnerOnly(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', FILE))
}

/**
 * Makes the database file and its folder if absent. Folder, database, log and backups beside it are readable by their
 * owner alone from then on, those of earlier versions too. A folder shared by everybody, such as /tmp, stays as it is.
 */
export function keepOwnerOnly(database: string): void {
  const folder = dirname(database)
  makeFolder(folder)
  if ((statSync(folder).mode & STICKY) === 0) restrict(folder, FOLDER)
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile() && (OURS.test(entry.name) || entry.name.startsWith(basename(database))))
      restrict(join(folder, entry.name), FILE)
  makeOwnerOnly(database)
}

/** Another owner's file cannot be changed; who may read it is then theirs to say. */
function restrict(path: string, mode: number): void {
  try {
    if ((statSync(path).mode & 0o777) !== mode) chmodSync(path, mode)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code !== 'EPERM' && code !== 'ENOENT' && code !== 'EROFS') throw error
  }
}
