import { join } from 'node:path'
import type { Settings } from '../../server/src/config.ts'
import { dataDirOf } from './settings.ts'

/** Where the Caddyfile of `npm run host` leads to a rehearsal: the same name and certificate, but storage of its own on phones. */
export const REHEARSAL_PORT = 8443

/** The rehearsal's address on a server with that Caddyfile; empty for a demo, which nobody reaches from elsewhere. */
export function rehearsalUrl({ demo, publicUrl }: Pick<Settings, 'demo' | 'publicUrl'>): string {
  if (demo || !publicUrl?.startsWith('https:')) return ''
  const url = new URL(publicUrl)
  url.port = String(REHEARSAL_PORT)
  return url.origin
}

/** Where the rehearsal's database and its sheet of codes are. */
export const rehearsalFolder = (settings: Settings): string => join(dataDirOf(settings), 'rehearsal')

/** Those of the rehearsal beside the server with the given settings. */
export const rehearsalSettings = (settings: Settings): Settings => ({
  ...settings,
  databaseFile: join(rehearsalFolder(settings), 'garba.db'),
  databaseUrl: null,
  port: settings.port + 1,
  publicUrl: rehearsalUrl(settings) || null,
})
