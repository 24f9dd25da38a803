import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { makeFolder, makeOwnerOnly } from './folder.ts'
import { StoreUnusable } from './unusable.ts'

/** A second server wants a folder that is in use. The message says where the first one runs. */
export class FolderInUse extends Error {
  override name = 'FolderInUse'
}

export interface Held {
  /** Notes the server's address, for others that want the folder. */
  at: (url: string) => void
  release: () => void
}

/**
 * Takes a data folder for one server, as long as its process lives. The lock is SQLite's, on a file of its own; the
 * operating system releases it however the process ends. Throws FolderInUse, or StoreUnusable where the folder cannot
 * be written.
 */
export function holdFolder(databaseFile: string): Held {
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
    rmSync(place, { force: true })
  } catch (error) {
    database?.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) throw inUse(folder, place)
    throw StoreUnusable.from(error, databaseFile)
  }
  const held = database
  return {
    at: (url) => writeFileSync(place, `${url} ${process.pid}\n`, { mode: 0o600 }),
    release: () => {
      rmSync(place, { force: true })
      held.close()
    },
  }
}

function inUse(folder: string, place: string): FolderInUse {
  const [url = '', pid = ''] = existsSync(place) ? readFileSync(place, 'utf8').trim().split(' ') : []
  const where = url === '' ? '' : ` at ${url} (process ${pid})`
  return new FolderInUse(
    `A server runs on the folder ${folder} already${where}: stop it first, or set DATA_DIR to another folder.`,
  )
}
