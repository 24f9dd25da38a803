import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { getErrorCode, ifPossible } from '../../errorCode.ts'
import { StoreUnusable } from './unusable.ts'

const FOLDER = 0o700
const FILE = 0o600
const STICKY = 0o1000
/** Files this application writes beside its database: SQLite's files, kept databases, logs. */
const OURS = /^(garba.*\.db.*|server\.log.*)$/

/** Makes a folder that only its owner may enter, unless it exists. */
export const makeFolder = (folder: string): void => void mkdirSync(folder, { recursive: true, mode: FOLDER })

/** Makes an empty file for its owner only, unless it exists; SQLite gives its other files the same mode. */
export function makeOwnerOnly(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', FILE))
}

const isShared = (folder: string): boolean => (statSync(folder).mode & STICKY) !== 0

/**
 * Makes the database file and its folder if absent. Makes the folder, database, log and backups beside it readable only
 * by their owner, including those of earlier versions. A folder that all users share keeps its mode.
 */
export function keepOwnerOnly(database: string): void {
  const folder = dirname(database)
  makeFolder(folder)
  if (!isShared(folder)) restrict(folder, FOLDER)
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile() && (OURS.test(entry.name) || entry.name.startsWith(basename(database))))
      restrict(join(folder, entry.name), FILE)
  makeOwnerOnly(database)
}

/** Files that a restore copies or decrypts to, with the id of its process. */
const RESTORING = /^(?:garba\.db\.restoring-(\d+)(?:-\w+)?|garba-unsealed-(\d+)-\w+)$/

/** Deletes what killed restores left beside a database, because no erasure would reach the personal data in it. */
export function dropAbandoned(database: string): void {
  const folder = dirname(database)
  if (isShared(folder)) return
  for (const name of readdirSync(folder)) {
    const [, copying, decrypting] = RESTORING.exec(name) ?? []
    const pid = Number(copying ?? decrypting ?? 0)
    if (pid !== 0 && !isAlive(pid)) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return getErrorCode(error) !== 'ESRCH'
  }
}

/** A file of another owner cannot be changed; its mode is that owner's choice. */
function restrict(path: string, mode: number): void {
  try {
    if ((statSync(path).mode & 0o777) !== mode) chmodSync(path, mode)
  } catch (error) {
    if (!['EPERM', 'ENOENT', 'EROFS'].includes(getErrorCode(error))) throw error
  }
}

/** A second server wants a folder that is in use. The message says where the first server runs. */
export class FolderInUse extends Error {
  override name = 'FolderInUse'
}

export interface HeldFolder {
  at: (url: string) => void
  release: () => void
}

/**
 * Takes a data folder for one server, as long as its process lives. The lock is SQLite's, on a file of its own; the
 * operating system releases it however the process ends. Throws FolderInUse, or StoreUnusable where the folder cannot
 * be written.
 */
export function holdFolder(databaseFile: string): HeldFolder {
  const folder = dirname(databaseFile)
  const [lock, place] = [join(folder, 'garba.lock'), join(folder, 'garba.running')]
  let database: Database.Database | undefined
  try {
    makeFolder(folder)
    makeOwnerOnly(lock)
    database = new Database(lock, { timeout: 0 })
    database.pragma('journal_mode = MEMORY')
    database.exec('begin exclusive')
    // A server that was killed leaves its address behind.
    drop(place)
  } catch (error) {
    database?.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) throw inUse(folder, place)
    throw StoreUnusable.from(error, databaseFile)
  }
  const held = database
  // On a full or read-only disk, a server starts and stops without noting its address.
  return {
    at: (url) => ifPossible(() => writeFileSync(place, `${url} ${process.pid}\n`, { mode: 0o600 })),
    release: () => {
      ifPossible(() => drop(place))
      held.close()
    },
  }
}

/** Deletes a file if it exists. Node's rmSync fails without an error code on a read-only disk. */
function drop(file: string): void {
  try {
    unlinkSync(file)
  } catch (error) {
    if (getErrorCode(error) !== 'ENOENT') throw error
  }
}

function inUse(folder: string, place: string): FolderInUse {
  const [url = '', pid = ''] = existsSync(place) ? readFileSync(place, 'utf8').trim().split(' ') : []
  const where = url === '' ? '' : ` at ${url} (process ${pid})`
  return new FolderInUse(
    `A server runs on the folder ${folder} already${where}: stop it first, or set DATA_DIR to another folder.`,
  )
}
