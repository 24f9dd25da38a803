import type { Settings } from '../../server/src/config.ts'

/** Where the Caddyfile of `npm run host` leads to a rehearsal: the same name and certificate, but storage of its own on phones. */
export const REHEARSAL_PORT = 8443

/** The rehearsal's address on a server with that Caddyfile; empty for a demo, which nobody reaches from elsewhere. */
export function rehearsalUrl({ demo, publicUrl }: Pick<Settings, 'demo' | 'publicUrl'>): string {
  if (demo || !publicUrl?.startsWith('https:')) return ''
  const url = new URL(publicUrl)
  url.port = String(REHEARSAL_PORT)
  return url.origin
}
