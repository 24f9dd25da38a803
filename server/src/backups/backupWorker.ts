import { renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { BackupRefused, copyWhole, noteBackup, toDisk } from '../store/backup.ts'
import { makeFolder } from '../store/ownerOnly.ts'
import { nameOfBackup, tidy } from './files.ts'
import type { BackupDone, BackupTask } from './makeBackup.ts'
import { seal } from './sealed.ts'

/** Copies, checks and encrypts the database away from the thread that sells. */
async function work({ database, dir, keep, key, at }: BackupTask): Promise<BackupDone> {
  prepare(dir)
  const file = join(dir, nameOfBackup(at, { sealed: key !== null }))
  if (key === null) copyWhole({ database, file })
  else await sealedCopy({ database, file, key, at })
  noteBackup({ database, now: at })
  tidy(dir, { keep, now: at })
  return { file }
}

function prepare(dir: string): void {
  try {
    makeFolder(dir)
  } catch (cause) {
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    throw new BackupRefused(`The folder of BACKUP_DIR, ${dir}, cannot be made (${why}).`, { cause })
  }
}

/** The copy that anybody could read never leaves the folder of the database. */
async function sealedCopy({ database, file, key, at }: { database: string; file: string; key: string; at: Date }) {
  const folder = dirname(database)
  const plain = join(folder, `garba-${at.getTime()}.partial-${process.pid}`)
  const partial = `${file}.partial-${process.pid}`
  try {
    tidy(folder, { keep: Number.POSITIVE_INFINITY, now: at })
    copyWhole({ database, file: plain })
    await seal({ from: plain, to: partial, key })
    renameSync(partial, file)
    toDisk(dirname(file))
  } finally {
    for (const rest of [plain, partial]) rmSync(rest, { force: true })
  }
}

parentPort?.postMessage(await work(workerData as BackupTask))
