import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The server's own backups: garba-2025-09-07T18-05-00-000Z.db, or .dump from pg_dump, with .age at the end when
 * encrypted.
 */
const BACKUP = /^garba-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.(?:db|dump)(\.age)?$/
/** Matches the remains of an interrupted backup. */
const PARTIAL = /^garba-.*\.partial-\d+(-journal)?$/
const ABANDONED_MS = 60 * 60_000

export interface BackupFile {
  path: string
  at: Date
  sealed: boolean
}

export const nameOfBackup = (at: Date): string => `garba-${at.toISOString().replace(/[:.]/g, '-')}.db`

/** The backups in a folder, newest first; none if the folder does not exist. Other files do not count. */
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
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return []
    throw error
  }
}

/** Deletes all but the newest backups, and half-written files older than an hour. */
export function tidy(dir: string, { keep, now }: { keep: number; now: Date }): void {
  for (const { path } of listBackups(dir).slice(keep)) rmSync(path, { force: true })
  for (const name of namesIn(dir).filter((entry) => PARTIAL.test(entry))) {
    const changed = statSync(join(dir, name), { throwIfNoEntry: false })?.mtimeMs ?? now.getTime()
    if (now.getTime() - changed > ABANDONED_MS) rmSync(join(dir, name), { force: true })
  }
}
