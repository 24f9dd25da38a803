import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadEnvFile } from 'node:process'
import { readSettings, type Settings } from '../../server/src/config.ts'
import { ROOT } from '../setup.mjs'

/** The server's own settings, from the environment and `.env`. Throws BadSetting. */
export function settingsHere(): Settings {
  const file = join(ROOT, '.env')
  if (existsSync(file)) loadEnvFile(file)
  return readSettings(process.env)
}

export const dataDirOf = ({ databaseFile }: Settings): string => dirname(databaseFile)
