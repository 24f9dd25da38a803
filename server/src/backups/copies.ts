import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { HOUR_MS, MINUTE_MS } from '@garba/shared/constants'
import { getErrorCode } from '../errorCode.ts'
import { inWorker } from '../inWorker.ts'
import type { BackupSettings } from '../settings/backupSettings.ts'
import { BackupRefused, type Contents, copyWhole, inspectBackup, keepFact, toDisk } from '../store/engine/backup.ts'
import { makeFolder } from '../store/engine/folder.ts'
import type { Where } from '../store/engine/open.ts'
import { StoreUnusable } from '../store/engine/unusable.ts'
import { LAST_BACKUP } from '../store/meta.ts'
import { sealBackup } from './sealed.ts'

export interface BackupRequest {
  where: Where
  /** The file's path. It gets the ending .db, then .age if it is encrypted. */
  file: string
  key: string | null
  at: Date
}

export interface BackupResult {
  file: string
  contents: Contents
  /** Why the time was not stored in the database, whose disk may be full or read-only; null if it was. */
  notNoted: string | null
}

/**
 * Copies the database to a file that must not exist yet, while servers may be writing to it, checks the copy, encrypts
 * it if there is a key, and stores the time in the database if that can be written. A plain copy that is to be
 * encrypted never leaves the data folder. An interrupted command leaves nothing half-written. Throws BackupRefused.
 */
export async function backUpDatabase({ where, file, key, at }: BackupRequest): Promise<BackupResult> {
  if (existsSync(file) && statSync(file).isDirectory())
    throw new BackupRefused(`${file} is a folder: name a file in it.`)
  const stem = getFileStem(file, key)
  requireFree(stem)
  const folder = dirname(where.databaseFile)
  const plain = `${key === null ? stem : join(folder, `garba-${at.getTime()}`)}.partial-${process.pid}`
  const partial = `${stem}.age.partial-${process.pid}`
  const clear = () => {
    for (const rest of [plain, `${plain}-journal`, partial]) rmSync(rest, { force: true })
  }
  const end = (signal: NodeJS.Signals) => {
    clear()
    // The handler was removed, so the process ends as it would have without it.
    process.kill(process.pid, signal)
  }
  for (const signal of ENDING) process.once(signal, end)
  try {
    if (key !== null) {
      makeFolder(folder)
      deleteOldBackups(folder, { keep: Number.POSITIVE_INFINITY, now: at })
    }
    const contents = await copyPlain(where, plain)
    if (key !== null) await sealBackup({ from: plain, to: partial, key })
    const done = `${stem}.db${key === null ? '' : '.age'}`
    toDisk(key === null ? plain : partial)
    renameSync(key === null ? plain : partial, done)
    toDisk(dirname(resolve(done)))
    return { file: done, contents, notNoted: await recordBackupTime(where, at) }
  } finally {
    clear()
    for (const signal of ENDING) process.off(signal, end)
  }
}

const ENDING = ['SIGINT', 'SIGTERM'] as const

async function recordBackupTime(where: Where, at: Date): Promise<string | null> {
  try {
    await keepFactIn(where, LAST_BACKUP, at.toISOString())
    return null
  } catch (error) {
    if (error instanceof BackupRefused || error instanceof StoreUnusable) return error.message
    throw error
  }
}

function getFileStem(file: string, key: string | null): string {
  if (key === null && file.endsWith('.age'))
    throw new BackupRefused(`${file} would not be encrypted, though its name says so: set BACKUP_KEY, or drop .age.`)
  return file.replace(/\.age$/, '').replace(/\.db$/, '')
}

function requireFree(stem: string): void {
  if (!existsSync(dirname(resolve(stem))))
    throw new BackupRefused(`The folder ${dirname(resolve(stem))} does not exist.`)
  for (const name of [`${stem}.db`, `${stem}.db.age`])
    if (existsSync(name)) throw new BackupRefused(`${name} exists already: choose another name for the backup.`)
}

/** The copy of a PostgreSQL database is an SQLite file too, so that there is one format to check and to restore. */
async function copyPlain({ databaseFile, databaseUrl }: Where, plain: string): Promise<Contents> {
  if (databaseUrl === null) return copyWhole({ database: databaseFile, file: plain })
  // The driver is loaded only where it is used.
  const { copyToFile } = await import('../store/postgres/copyToFile.ts')
  await copyToFile({ url: databaseUrl, file: plain })
  return inspectBackup(plain)
}

/** Writes one fact about the database into it, with either engine, beside servers that may be running. */
export async function keepFactIn({ databaseFile, databaseUrl }: Where, key: string, value: string): Promise<void> {
  if (databaseUrl === null) return keepFact({ database: databaseFile, key, value })
  const { keepFactInPostgres } = await import('../store/postgres/copyToFile.ts')
  await keepFactInPostgres(databaseUrl, key, value)
}

/** The server's own backups: garba-2025-09-07T18-05-00-000Z.db, with .age at the end when encrypted. */
const BACKUP = /^garba-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.db(\.age)?$/
const PARTIAL = /^garba-.*\.partial-\d+(-journal)?$/
const ABANDONED_MS = HOUR_MS

export interface BackupFile {
  path: string
  at: Date
  sealed: boolean
}

export const nameOfBackup = (at: Date): string => `garba-${at.toISOString().replace(/[:.]/g, '-')}.db`

export function listBackups(dir: string): BackupFile[] {
  const found: BackupFile[] = []
  for (const name of namesIn(dir)) {
    const [, day, hour, minute, second, ms, sealed] = BACKUP.exec(name) ?? []
    if (day === undefined) continue
    const at = new Date(`${day}T${hour}:${minute}:${second}.${ms}Z`)
    if (!Number.isNaN(at.getTime())) found.push({ path: join(dir, name), at, sealed: sealed !== undefined })
  }
  return found.sort((a, b) => b.at.getTime() - a.at.getTime())
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(getErrorCode(error))) return []
    if (getErrorCode(error) !== 'EACCES') throw error
    throw new BackupRefused(`This user may not read the folder ${dir}: change its owner or mode.`, { cause: error })
  }
}

/**
 * Deletes all but the newest backups, and half-written files older than an hour. Backups dated in the future count as
 * the oldest, because the clock was ahead when they were made and has been set back since.
 */
export function deleteOldBackups(dir: string, { keep, now }: { keep: number; now: Date }): void {
  const all = listBackups(dir)
  const inOrder = [...all.filter(({ at }) => at <= now), ...all.filter(({ at }) => at > now)]
  for (const { path } of inOrder.slice(keep)) rmSync(path, { force: true })
  for (const name of namesIn(dir).filter((entry) => PARTIAL.test(entry))) {
    const changed = statSync(join(dir, name), { throwIfNoEntry: false })?.mtimeMs ?? now.getTime()
    if (now.getTime() - changed > ABANDONED_MS) rmSync(join(dir, name), { force: true })
  }
}

export type BackupTask = Pick<BackupSettings, 'dir' | 'keep'> & Omit<BackupRequest, 'file'>
export type BackupDone = Pick<BackupResult, 'file' | 'notNoted'>

/**
 * Makes a backup in the configured folder, checked by opening it, and encrypted if there is a key; deletes the oldest
 * backups; then runs the hook. Throws BackupRefused with one sentence.
 */
export async function makeBackup({ hook, ...task }: BackupTask & Pick<BackupSettings, 'hook'>): Promise<BackupDone> {
  const done = await copied(task)
  if (hook !== null) await runHook(hook, done.file)
  return done
}

async function copied(task: BackupTask): Promise<BackupDone> {
  try {
    return await inWorker<BackupDone>(new URL('./backupWorker.ts', import.meta.url), task)
  } catch (cause) {
    throw new BackupRefused(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

const HOOK_TIMEOUT_MS = 10 * MINUTE_MS
/** The hook only copies files, so it gets none of these secrets. */
const SECRETS = /^(RAZORPAY_|SMTP_URL$|BACKUP_KEY$|METRICS_TOKEN$|DATABASE_URL$)/

/**
 * Runs the operator's command with the file's path as its last argument; its output goes to the server's. Throws
 * BackupRefused.
 */
export async function runHook(hook: string, file: string): Promise<void> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !SECRETS.test(name)))
  const child = spawn('/bin/sh', ['-c', `${hook} "$1"`, 'sh', file], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: HOOK_TIMEOUT_MS,
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  if (code !== 0) throw new BackupRefused(`BACKUP_HOOK ended with ${code ?? signal} for ${file}.`)
}
