import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadEnvFile } from 'node:process'
import { readSettings, type Settings } from '../../server/src/config.ts'
import { ROOT, SetUpError } from '../setup.mjs'

/** The server's own settings, from the environment and `.env`. Throws BadSetting. */
export function settingsHere(): Settings {
  const file = join(ROOT, '.env')
  if (existsSync(file)) loadEnvFile(file)
  return readSettings(process.env)
}

/** Throws SetUpError, with what to do instead, if the settings name a PostgreSQL database. */
export function requireSqlite({ databaseUrl }: Settings, instead: string): void {
  if (databaseUrl !== null) throw new SetUpError(`DATABASE_URL is set, and this command is for SQLite. ${instead}`)
}

export const dataDirOf = ({ databaseFile }: Settings): string => dirname(databaseFile)

/** Caddy serves a rehearsal on this port: it has the same name and certificate, but separate storage on phones. */
export const REHEARSAL_PORT = 8443

/** The rehearsal's address behind Caddy; empty for a demo, which other machines cannot reach. */
export function rehearsalUrl({ demo, publicUrl }: Pick<Settings, 'demo' | 'publicUrl'>): string {
  if (demo || !publicUrl?.startsWith('https:')) return ''
  const url = new URL(publicUrl)
  url.port = String(REHEARSAL_PORT)
  return url.origin
}

/** The rehearsal's database and its sheet of codes are in this folder. */
export const rehearsalFolder = (settings: Settings): string => join(dataDirOf(settings), 'rehearsal')

/** The settings of the rehearsal that runs beside the server with the given settings. */
export const rehearsalSettings = (settings: Settings): Settings => ({
  ...settings,
  databaseFile: join(rehearsalFolder(settings), 'garba.db'),
  databaseUrl: null,
  port: settings.port + 1,
  publicUrl: rehearsalUrl(settings) || null,
})
