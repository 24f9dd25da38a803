import { join } from 'node:path'
import type { Settings } from '../../server/src/config.ts'
import { dataDirOf } from './settings.ts'

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
