import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'

/**
 * Runs `work` while holding the lock, so that two starts never build at the same time. The lock is SQLite's; the
 * operating system releases it however the process ends.
 */
export async function withLock<T>(options: { path: string; onWait: () => void; work: () => Promise<T> }): Promise<T> {
  mkdirSync(dirname(options.path), { recursive: true })
  const lock = new Database(options.path, { timeout: 0 })
  try {
    for (let tries = 0; !takeLock(lock); tries++) {
      if (tries === 0) options.onWait()
      await sleep(300)
    }
    return await options.work()
  } finally {
    lock.close()
  }
}

function takeLock(lock: Database.Database): boolean {
  try {
    lock.exec('begin exclusive')
    return true
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false
    throw error
  }
}
