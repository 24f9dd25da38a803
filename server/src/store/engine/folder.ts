import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const FOLDER = 0o700
const FILE = 0o600
const STICKY = 0o1000
/** Files this application writes beside its database: SQLite's files, kept databases, logs. */
const OURS = /^(garba.*\.db.*|server\.log.*)$/

/** Makes a folder that only its owner may enter, unless it exists. */
export const makeFolder = (folder: string): void => void mkdirSync(folder, { recursive: true, mode: FOLDER })

/** Makes an empty file for its owner only, unless it exists; SQLite gives its other files the mode of this one. */
export function makeOwnerOnly(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', FILE))
}

/**
 * Makes the database file and its folder if absent. Folder, database, log and backups beside it become readable only by
 * their owner, those of earlier versions too. A folder everybody shares, such as /tmp, stays as it is.
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

/** A file of another owner cannot be changed; its mode is that owner's choice. */
function restrict(path: string, mode: number): void {
  try {
    if ((statSync(path).mode & 0o777) !== mode) chmodSync(path, mode)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code !== 'EPERM' && code !== 'ENOENT' && code !== 'EROFS') throw error
  }
}
