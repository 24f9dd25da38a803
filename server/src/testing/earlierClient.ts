import { join } from 'node:path'
import { type Settings, readSettings as settingsOfThisServer } from '../config.ts'

/** The work tree of an earlier version whose client is handed out (scripts/checks/earlier.ts). */
const FOLDER = 'GARBA_EARLIER'

/**
 * The settings of this server with the built client of an earlier version, for `npm run clients`. Its tests say nothing of
 * payments if it knew none.
 */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const folder = environment[FOLDER]
  if (!folder) throw new Error(`${FOLDER} is not set`)
  const settings = settingsOfThisServer({ ...environment, PAYMENTS: environment.PAYMENTS || 'none' })
  return { ...settings, clientDir: join(folder, 'client', 'dist') }
}
