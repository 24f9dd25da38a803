import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { unsealBackup } from '../../server/src/backups/sealed.ts'
import { loadSettings, readSettings, type Settings } from '../../server/src/config.ts'
import { rehearsalFolder } from '../../server/src/flows/recovery/rehearsal.ts'
import { type Contents, requireFindable, requireReadable } from '../../server/src/store/engine/backup.ts'
import { makeFolder } from '../../server/src/store/engine/folder.ts'
import { formatDatabaseName, openDatabase, openToRead, readSchemaAge } from '../../server/src/store/engine/open.ts'
import { closing, type Store } from '../../server/src/store/engine/store.ts'
import { FOREIGN_SCHEMA } from '../../server/src/store/engine/unusable.ts'
import { ROOT, SetUpError } from '../setup.mjs'
import { withFolder } from './files.ts'

/**
 * Opens the database of the settings for `work`; a server may be running. Throws SetUpError if there is none, or if its
 * tables are of another version: a server of that version may be using them.
 */
export async function withDatabase<T>(settings: Settings, work: (store: Store) => Promise<T>): Promise<T> {
  await requireUsable(settings)
  await using store = closing(await openDatabase(settings))
  return await work(store)
}

export async function readDatabase<T>(
  settings: Settings,
  work: (store: Pick<Store, 'read'>) => Promise<T>,
): Promise<T> {
  await requireUsable(settings)
  await using store = closing(await openToRead(settings))
  return await work(store)
}

async function requireUsable(settings: Settings): Promise<void> {
  const { databaseFile, databaseUrl } = settings
  if (databaseUrl === null) {
    requireFindable(databaseFile)
    if (!existsSync(databaseFile)) throw new SetUpError(`There is no database at ${databaseFile}.`)
  }
  const age = await readSchemaAge(settings)
  if (age === 'later' || age === 'unreleased')
    throw new SetUpError(`The database cannot be used: ${FOREIGN_SCHEMA[age]}.`)
  if (age === 'empty') throw new SetUpError(`${formatDatabaseName(settings)} is empty.`)
  if (age !== 'same')
    throw new SetUpError('The database is of an earlier version. Start the server once, then try again.')
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
  return withFolder(join(folder, `garba-unsealed-${process.pid}-`), async (own) => {
    const plain = join(own, 'garba.db')
    await unsealBackup({ from: file, to: plain, key })
    return work(plain)
  })
}

export const formatPlural = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

export const formatContents = ({ bytes, users, tickets }: Contents): string =>
  `${(bytes / 1e6).toFixed(2)} MB, ${formatPlural(users, 'user')}, ${formatPlural(tickets, 'ticket')}`

/** The server's own settings, from the environment and `.env`. Throws BadSetting. */
export function settingsHere(): Settings {
  loadSettings(join(ROOT, '.env'))
  return readSettings(process.env)
}

/** Throws SetUpError, with what to do instead, if the settings name a PostgreSQL database. */
export function requireSqlite({ databaseUrl }: Settings, instead: string): void {
  if (databaseUrl !== null) throw new SetUpError(`DATABASE_URL is set, and this command is for SQLite. ${instead}`)
}

export const getDataDir = ({ databaseFile }: Settings): string => dirname(databaseFile)

/** Caddy serves a rehearsal on this port: it has the same name and certificate, but separate storage on phones. */
export const REHEARSAL_PORT = 8443

/** The rehearsal's address behind Caddy; empty for a demo, which other machines cannot reach. */
export function rehearsalUrl({ demo, publicUrl }: Pick<Settings, 'demo' | 'publicUrl'>): string {
  if (demo || !publicUrl?.startsWith('https:')) return ''
  const url = new URL(publicUrl)
  url.port = String(REHEARSAL_PORT)
  return url.origin
}

export const rehearsalSettings = (settings: Settings): Settings => ({
  ...settings,
  databaseFile: join(rehearsalFolder(settings), 'garba.db'),
  databaseUrl: null,
  port: settings.port + 1,
  publicUrl: rehearsalUrl(settings) || null,
})
