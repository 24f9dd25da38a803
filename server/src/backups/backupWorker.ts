import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { getErrorCode } from '../errorCode.ts'
import { BackupRefused } from '../store/engine/backup.ts'
import { makeFolder } from '../store/engine/folder.ts'
import { type BackupDone, type BackupTask, backUpDatabase, deleteOldBackups, nameOfBackup } from './copies.ts'

/** Copies, checks and encrypts the database in a worker, so that sales do not wait. */
async function work({ dir, keep, ...task }: BackupTask): Promise<BackupDone> {
  prepare(dir)
  // Otherwise old backups that fill the disk would prevent every new one.
  deleteOldBackups(dir, { keep, now: task.at })
  const { file, notNoted } = await backUpDatabase({ ...task, file: join(dir, nameOfBackup(task.at)) })
  deleteOldBackups(dir, { keep, now: task.at })
  return { file, notNoted }
}

function prepare(dir: string): void {
  try {
    makeFolder(dir)
  } catch (cause) {
    throw new BackupRefused(`The folder of BACKUP_DIR, ${dir}, cannot be made (${getErrorCode(cause) || 'unknown'}).`, {
      cause,
    })
  }
}

parentPort?.postMessage(await work(workerData as BackupTask))
