import { DEFAULT_SUPPORT_EMAIL, NO_PROJECT, type Settings } from '../../server/src/config.ts'
import { REHEARSAL_PORT } from '../lib/database.ts'
import { fillTemplate } from './template.ts'

export interface HostingSettings {
  domain: string
  port: number
  /** The server is a laptop without internet, so Caddy's own authority signs the certificate. */
  venue: boolean
}

/**
 * HTTPS, HTTP/2 and HTTP/3 are Caddy's defaults. Live views are passed on at once and never compressed. The server
 * itself sets every header that protects the pages. Addresses may contain searches, so there is no access log. Requests
 * during a restart wait for it. They have not been sent yet, so none is sent twice.
 */
export const buildCaddySite = (address: string, { port, venue }: Pick<HostingSettings, 'port' | 'venue'>): string =>
  fillTemplate('site.Caddyfile', { address, port, venue })

/** Phones cannot trust the certificate of Caddy's own authority before they have it, so it is served over HTTP. */
const buildCaddyfile = ({ domain, port, venue }: HostingSettings): string => `# Made by npm run host.
${buildCaddySite(domain, { port, venue })}
# The rehearsal, while it runs.
${buildCaddySite(`${domain}:${REHEARSAL_PORT}`, { port: port + 1, venue })}${venue ? fillTemplate('authority.Caddyfile', { domain }) : ''}`

const QUOTES = ["'", '"', '`'] as const

/** Quotes a value for Node, which ends it at the next quote of the same kind. */
function quoted(text: string): string {
  if (/^[\w.@,:/+-]*$/.test(text)) return text
  const quote = QUOTES.find((one) => !text.includes(one)) ?? ''
  return `${quote}${text}${quote}`
}

/** The settings hold secrets, so only their owner may read them. No project can have the name that stands for none. */
export const buildSettingsFile = (
  { domain, port, venue }: HostingSettings,
  { adminEmails, supportEmail, eventTitle, timezone }: Settings,
): string =>
  fillTemplate('garba.env', {
    domain,
    port,
    venue,
    online: !venue,
    noProject: NO_PROJECT,
    title: quoted(eventTitle ?? ''),
    timezone,
    adminEmails: adminEmails.join(','),
    supportEmail: supportEmail === DEFAULT_SUPPORT_EMAIL ? '' : supportEmail,
  })

const NEXT_IN_VENUE = `if the tickets were sold on another server, stop it and run here: garba takeover BACKUP
Otherwise, while there is internet, put the three FIREBASE values of your project into /etc/garba/garba.env, run systemctl restart garba, `

/** All that the server needs beside its settings. A service can write only to its state and its backups. */
export function buildHostingFiles(hosted: HostingSettings): Record<string, string> {
  const { domain, port, venue } = hosted
  return {
    Caddyfile: buildCaddyfile(hosted),
    'garba.service': fillTemplate('garba.service'),
    'garba-backup.service': fillTemplate('garba-backup.service'),
    'garba-backup.timer': fillTemplate('garba-backup.timer'),
    'install.sh': fillTemplate('install.sh', { domain, port, venue, nextInVenue: venue ? NEXT_IN_VENUE : '' }),
    'README.txt': fillTemplate('README.txt', { domain, venue, rehearsalPort: REHEARSAL_PORT }),
    // The folder holds secrets, and may stand beside the code.
    '.gitignore': '*\n',
  }
}

/** Whether this machine has the platform of servers, so that its packages and its Node run on one. */
export const isServersKind = (): boolean => process.platform === 'linux' && process.arch === 'x64'

export const FROM_RELEASE =
  'Elsewhere, download garba.tar.gz from the releases of this repository; its workflow "release" makes one for each tag, and for any commit when it is started by hand.'
