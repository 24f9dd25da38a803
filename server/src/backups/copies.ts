import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { BackupRefused, type Contents, copyWhole, inspect, keepFact, toDisk } from '../store/engine/backup.ts'
import { makeFolder, makeOwnerOnly } from '../store/engine/folder.ts'
import type { Where } from '../store/engine/open.ts'
import { LAST_BACKUP } from '../store/meta.ts'
import { tidy } from './files.ts'
import { seal } from './sealed.ts'

export interface Copying {
  where: Where
  /** The file's name gets the ending .db for an SQLite file or .dump for pg_dump's, then .age if it is encrypted. */
  file: string
  /** BACKUP_KEY. */
  key: string | null
  at: Date
}

export interface Copied {
  file: string
  contents: Contents
  /** The reason why pg_dump did not make it, where it should have; null otherwise. */
  withoutPgDump: string | null
}

/**
 * Copies the database to a file that must not exist yet, while servers may be writing to it, checks the copy, encrypts
 * it if there is a key, and stores the time in the database. A plain copy to be encrypted never leaves the data folder.
 * Throws BackupRefused.
 */
export async function backUpDatabase({ where, file, key, at }: Copying): Promise<Copied> {
  const stem = stemOf(file, key)
  requireFree(stem)
  const folder = dirname(where.databaseFile)
  const plain = `${key === null ? stem : join(folder, `garba-${at.getTime()}`)}.partial-${process.pid}`
  const partial = `${stem}.age.partial-${process.pid}`
  try {
    if (key !== null) {
      makeFolder(folder)
      tidy(folder, { keep: Number.POSITIVE_INFINITY, now: at })
    }
    const { ending, ...made } = await plainCopy(where, plain)
    if (key !== null) await seal({ from: plain, to: partial, key })
    const done = `${stem}${ending}${key === null ? '' : '.age'}`
    toDisk(key === null ? plain : partial)
    renameSync(key === null ? plain : partial, done)
    toDisk(dirname(resolve(done)))
    await keepFactIn(where, LAST_BACKUP, at.toISOString())
    return { file: done, ...made }
  } finally {
    for (const rest of [plain, `${plain}-journal`, partial]) rmSync(rest, { force: true })
  }
}

const ENDINGS = ['.db', '.dump'] as const
type Ending = (typeof ENDINGS)[number]

/** The name without the endings for format and encryption. */
function stemOf(file: string, key: string | null): string {
  if (key === null && file.endsWith('.age'))
    throw new BackupRefused(`${file} would not be encrypted, though its name says so: set BACKUP_KEY, or drop .age.`)
  return file.replace(/\.age$/, '').replace(/\.(db|dump)$/, '')
}

function requireFree(stem: string): void {
  if (!existsSync(dirname(resolve(stem))))
    throw new BackupRefused(`The folder ${dirname(resolve(stem))} does not exist.`)
  for (const name of ENDINGS.flatMap((ending) => [`${stem}${ending}`, `${stem}${ending}.age`]))
    if (existsSync(name)) throw new BackupRefused(`${name} exists already: choose another name for the backup.`)
}

async function plainCopy(
  { databaseFile, databaseUrl }: Where,
  plain: string,
): Promise<Omit<Copied, 'file'> & { ending: Ending }> {
  if (databaseUrl === null)
    return { ending: '.db', contents: copyWhole({ database: databaseFile, file: plain }), withoutPgDump: null }
  // The driver is loaded only where it is used.
  const { copyToFile, countsIn } = await import('../store/postgres/copyToFile.ts')
  const withoutPgDump = await dumped(databaseUrl, plain)
  if (withoutPgDump === null)
    return {
      ending: '.dump',
      contents: { bytes: statSync(plain).size, ...(await countsIn(databaseUrl)) },
      withoutPgDump,
    }
  rmSync(plain, { force: true })
  await copyToFile({ url: databaseUrl, file: plain })
  return { ending: '.db', contents: inspect(plain), withoutPgDump }
}

/** The reason why pg_dump did not dump it; null if it did. */
async function dumped(url: string, file: string): Promise<string | null> {
  const { dump, readDump, ToolFailed } = await import('./postgresTools.ts')
  try {
    makeOwnerOnly(file)
    // pg_dump keeps the mode of an existing file.
    if (!(await dump(url, file))) return 'it is not installed'
    await readDump(file)
    return null
  } catch (error) {
    if (error instanceof ToolFailed) return error.message
    throw error
  }
}

/** Writes one fact about the database into it, with either engine, beside servers that may be running. */
export async function keepFactIn({ databaseFile, databaseUrl }: Where, key: string, value: string): Promise<void> {
  if (databaseUrl === null) return keepFact({ database: databaseFile, key, value })
  const { keepFactInPostgres } = await import('../store/postgres/copyToFile.ts')
  await keepFactInPostgres(databaseUrl, key, value)
}

const DUMP = Buffer.from('PGDMP')

/** Whether a plain backup is pg_dump's, by its first bytes; otherwise it is an SQLite file. */
export function isDump(file: string): boolean {
  if (!existsSync(file) || !statSync(file).isFile()) return false
  const handle = openSync(file, 'r')
  try {
    const first = Buffer.alloc(DUMP.length)
    readSync(handle, first)
    return first.equals(DUMP)
  } finally {
    closeSync(handle)
  }
}
