import {
  accessSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type Database from 'better-sqlite3'
import { getErrorCode } from '../../errorCode.ts'
import { LAST_BACKUP, REHEARSAL } from '../meta.ts'
import { makeFolder, makeOwnerOnly } from './folder.ts'
import { inFile, schemaAge } from './open.ts'
import { whyUnusable } from './unusable.ts'

const BUSY_TIMEOUT_MS = 10_000
/** A file without these tables is not a database of this application. */
const OWN_TABLES = ['meta', 'users', 'events', 'tickets', 'signing_keys', 'audit']

/** A backup or a restore was refused. The message is one sentence for the person at the terminal. */
export class BackupRefused extends Error {
  override name = 'BackupRefused'
}

/** These figures let a person compare two database files. */
export interface Contents {
  readonly bytes: number
  readonly users: number
  readonly tickets: number
}

/**
 * Copies the database to a file that must not exist yet; a server may be writing to it. One read transaction makes the
 * copy consistent; it has the signing keys and no write-ahead log. The time is stored in the database for the health
 * view. Throws BackupRefused.
 */
export function backUp({ database, file, now }: { database: string; file: string; now: Date }): Contents {
  const contents = copyWhole({ database, file })
  keepFact({ database, key: LAST_BACKUP, value: now.toISOString() })
  return contents
}

/** Makes only the copy, and checks it by opening it. Throws BackupRefused. */
export function copyWhole({ database, file }: { database: string; file: string }): Contents {
  requireFindable(database)
  if (!existsSync(database)) throw new BackupRefused(`There is no database at ${database} to back up.`)
  if (existsSync(file)) throw new BackupRefused(`${file} exists already: choose another name for the backup.`)
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) throw new BackupRefused(`The folder ${folder} does not exist.`)
  if (!may(folder, constants.W_OK))
    throw new BackupRefused(`You may not write to ${folder}: choose another folder, or change its owner or mode.`)
  const partial = `${file}.partial-${process.pid}`
  try {
    copyTo({ database, partial })
    const contents = inspectBackup(partial, database)
    toDisk(partial)
    renameSync(partial, file)
    toDisk(dirname(resolve(file)))
    return contents
  } catch (error) {
    throw asRefusal(error, `${database} could not be backed up`)
  } finally {
    for (const rest of [partial, `${partial}-journal`]) rmSync(rest, { force: true })
  }
}

const copyTo = ({ database, partial }: { database: string; partial: string }): void =>
  inFile(database, { timeout: BUSY_TIMEOUT_MS }, (source) => {
    makeOwnerOnly(partial)
    source.prepare('vacuum into ?').run(partial)
  })

/** Writes one fact about the database into it, beside a server that may be running. Throws BackupRefused. */
export function keepFact({ database, key, value }: { database: string; key: string; value: string }): void {
  const set = 'insert into meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value'
  try {
    inFile(database, { timeout: BUSY_TIMEOUT_MS }, (source) => source.prepare(set).run(key, value))
  } catch (error) {
    throw asRefusal(error, `${database} could not be written`)
  }
}

/**
 * Throws BackupRefused unless the file is a whole database of this application and not of a later version. `name` is
 * the file that a person knows, if this is a copy.
 */
export function inspectBackup(file: string, name = file): Contents {
  requireReadable(file)
  try {
    return inFile(file, { readonly: true }, (database) => {
      const verdict = database.pragma('integrity_check', { simple: true })
      if (verdict !== 'ok') throw new BackupRefused(`${name} is damaged: ${String(verdict)}.`)
      const broken = database.pragma('foreign_key_check') as unknown[]
      if (broken.length > 0) throw new BackupRefused(`${name} is damaged: ${broken.length} rows point at nothing.`)
      requireOurs(database, name)
      const count = (from: string) => database.prepare(`select count(*) from ${from}`).pluck().get() as number
      // Tombstones of deleted tickets and replaced codes are on no list of the desk either.
      const tickets = count("tickets where status <> 'deleted'")
      return { bytes: statSync(file).size, users: count('users'), tickets }
    })
  } catch (error) {
    throw asRefusal(error, `${name} is not a usable database`)
  }
}

/** Throws BackupRefused unless the file can be read. */
export function requireReadable(file: string): void {
  requireFindable(file)
  if (!existsSync(file)) throw new BackupRefused(`There is no file ${file}.`)
  if (!statSync(file).isFile()) throw new BackupRefused(`${file} is not a file.`)
  if (!may(file, constants.R_OK)) throw unreadable(file)
}

/** Reports an unreadable folder, whose file would otherwise seem not to exist. Throws BackupRefused. */
export function requireFindable(file: string): void {
  const folder = dirname(resolve(file))
  if (existsSync(folder) && !may(folder, constants.X_OK)) throw unreadable(file)
}

const unreadable = (file: string) =>
  new BackupRefused(`You may not read ${file}: become a user who may, or change its owner or mode.`)

function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}

function requireOurs(database: Database.Database, file: string): void {
  const tables = new Set(database.prepare("select name from sqlite_master where type = 'table'").pluck().all())
  const missing = OWN_TABLES.filter((table) => !tables.has(table))
  if (missing.length > 0)
    throw new BackupRefused(`${file} is no backup of this application (no ${missing.join(', ')}).`)
  const age = schemaAge(database)
  if (age === 'later')
    throw new BackupRefused(`${file} was made by a later version of this application: bring this one up to date first.`)
  if (age === 'unreleased')
    throw new BackupRefused(`${file} was made by a build before version 1.0.0, which this version does not read.`)
}

export interface RestoreRequest {
  database: string
  file: string
  now: Date
  prepare: (copy: string) => Promise<void>
}

/**
 * Replaces the database by a backup and keeps it beside the new one; on a new disk the folder is created. `prepare` may
 * change the copy before anything else is touched. Refuses if another process has the database open or the backup is
 * damaged. Throws BackupRefused.
 */
export async function restoreDatabase({ database, file, now, prepare }: RestoreRequest): Promise<{
  contents: Contents
  kept: string | null
}> {
  const contents = inspectBackup(file)
  requireReal(file)
  const folder = dirname(database)
  if (resolve(file) === resolve(database)) throw new BackupRefused(`${file} is the database itself.`)
  const incoming = join(folder, `${basename(database)}.restoring-${process.pid}`)
  try {
    makeFolder(folder)
    copyTo({ database: file, partial: incoming })
    await prepare(incoming)
    inspectBackup(incoming, file)
    keepOwner({ of: existsSync(database) ? database : folder, on: incoming })
    toDisk(incoming)
    const kept = putAside({ database, now })
    renameSync(incoming, database)
    toDisk(folder)
    return { contents, kept }
  } catch (error) {
    throw asRefusal(error, `${database} could not be replaced`)
  } finally {
    for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(`${incoming}${ending}`, { force: true })
  }
}

/** A restore by root leaves a database that the server's own user can open. */
function keepOwner({ of, on }: { of: string; on: string }): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(of)
  chownSync(on, uid, gid)
}

const requireReal = (file: string): void =>
  inFile(file, { readonly: true }, (database) => {
    // This application has no triggers or views: any in a backup are foreign code, which would run in the server.
    const found = database.prepare("select name from sqlite_master where type in ('trigger', 'view')").pluck().all()
    if (found.length > 0)
      throw new BackupRefused(`${file} holds triggers or views that are not ours: ${found.join(', ')}.`)
    // A rehearsal must not replace the real database, because every ticket sold would be lost.
    if (database.prepare('select 1 from meta where key = ?').get(REHEARSAL) !== undefined)
      throw new BackupRefused(`${file} is a rehearsal and holds no real ticket: choose a backup of the real server.`)
  })

/**
 * Keeps the database and its logs under another name beside it. The database also stays in its place, so that a start
 * after an interrupted restore finds it. Logs without a database are moved too, because SQLite would apply them to the
 * next one.
 */
function putAside({ database, now }: { database: string; now: Date }): string | null {
  const stamp = now.toISOString().replace(/[:.]/g, '-')
  const kept = join(dirname(database), `garba-before-restore-${stamp}.db`)
  const there = existsSync(database)
  if (there) {
    requireUnused(database)
    keepBoth(database, kept)
  }
  for (const ending of ['-wal', '-shm', '-journal'])
    if (existsSync(`${database}${ending}`)) renameSync(`${database}${ending}`, `${kept}${ending}`)
  return there ? kept : null
}

/** On a disk without hard links, such as a memory card, the file is copied. */
function keepBoth(database: string, kept: string): void {
  try {
    linkSync(database, kept)
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(getErrorCode(error))) throw error
    copyFileSync(database, kept)
    toDisk(kept)
  }
}

/**
 * SQLite leaves WAL mode only if no other process, not even an idle server, has the file open, so this lock cannot go
 * stale. It also moves the log into the file. A file too damaged to open cannot be in use. Throws BackupRefused.
 */
export function requireUnused(database: string): void {
  try {
    const mode = inFile(database, { timeout: 0 }, (open) => open.pragma('journal_mode = DELETE', { simple: true }))
    if (mode !== 'delete') throw inUse(database)
  } catch (error) {
    const code = getErrorCode(error)
    if (/^SQLITE_(BUSY|LOCKED)/.test(code)) throw inUse(database)
    if (!/^SQLITE_(NOTADB|CORRUPT)/.test(code)) throw asRefusal(error, `${database} cannot be used`)
  }
}

const inUse = (database: string) =>
  new BackupRefused(`A server is running on ${database}: stop it first, then run this again.`)

export function toDisk(path: string): void {
  if (process.platform === 'win32' && statSync(path).isDirectory()) return
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function asRefusal(error: unknown, what: string): BackupRefused {
  if (error instanceof BackupRefused) return error
  return new BackupRefused(`${what}: ${whyUnusable(error)}.`, { cause: error })
}
