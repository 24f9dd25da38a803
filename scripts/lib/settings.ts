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
