import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { unseal } from '../../server/src/backups/sealed.ts'
import type { Settings } from '../../server/src/config.ts'
import { type Contents, requireReadable } from '../../server/src/store/engine/backup.ts'
import { makeFolder } from '../../server/src/store/engine/folder.ts'
import { openDatabase, openToRead, schemaAgeOf } from '../../server/src/store/engine/open.ts'
import type { Store } from '../../server/src/store/engine/store.ts'
import { SetUpError } from '../setup.mjs'

/** Opens the database of the settings for `work`; a server may be running. Throws SetUpError if there is none. */
export async function withDatabase<T>(settings: Settings, work: (store: Store) => Promise<T>): Promise<T> {
  requireThere(settings)
  const store = await openDatabase(settings)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** The same but read-only: a file is not changed. Throws SetUpError also if an earlier version made the tables. */
export async function readDatabase<T>(
  settings: Settings,
  work: (store: Pick<Store, 'read'>) => Promise<T>,
): Promise<T> {
  requireThere(settings)
  if ((await schemaAgeOf(settings)) !== 'same')
    throw new SetUpError('The database is of an earlier version. Start the server once, then try again.')
  const store = await openToRead(settings)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

function requireThere({ databaseFile, databaseUrl }: Settings): void {
  if (databaseUrl === null && !existsSync(databaseFile))
    throw new SetUpError(`There is no database at ${databaseFile}.`)
}

/**
 * Passes a backup to `work` as a plain database file: an encrypted one is decrypted into `folder` and deleted
 * afterwards. Throws BackupRefused if it may not be read or the key does not open it.
 */
export async function withPlainBackup<T>(
  { file, key, folder }: { file: string; key: string | null; folder: string },
  work: (plain: string) => T | Promise<T>,
): Promise<T> {
  requireReadable(file)
  if (!file.endsWith('.age')) return work(file)
  makeFolder(folder)
  const own = mkdtempSync(join(folder, 'garba-unsealed-'))
  try {
    const plain = join(own, 'garba.db')
    await unseal({ from: file, to: plain, key })
    return await work(plain)
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

export const contentsOf = ({ bytes, users, tickets }: Contents): string =>
  `${(bytes / 1e6).toFixed(2)} MB, ${counted(users, 'user')}, ${counted(tickets, 'ticket')}`
