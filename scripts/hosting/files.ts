import { dirname } from 'node:path'
import { DEFAULT_SUPPORT_EMAIL, NO_PROJECT, type Settings } from '../../server/src/config.ts'
import { REHEARSAL_PORT } from '../lib/database.ts'
import { PROXIES, type ProxyName } from './proxies.ts'

/** The certificate of Caddy's own authority, where Caddy, the server and phones can read it. */
export const ROOT_CERTIFICATE = '/etc/caddy/garba/root.crt'

export interface HostingSettings {
  domain: string
  port: number
  /** The server is a laptop without internet, so Caddy's own authority signs the certificate. */
  venue: boolean
  proxy: ProxyName
}

/** The limit for a request body; an event with its picture is the largest. */
const BODY_MAX = '8MiB'

export const buildCaddySite = (
  address: string,
  { port, venue }: Pick<HostingSettings, 'port' | 'venue'>,
): string => `${address} {
${venue ? '\ttls internal\n' : ''}\tencode zstd gzip {
		match {
			header Content-Type text/html*
			header Content-Type text/css*
			header Content-Type text/javascript*
			header Content-Type application/json*
			header Content-Type application/manifest+json*
			header Content-Type image/svg+xml*
		}
	}
	request_body {
		max_size ${BODY_MAX}
	}
	@internal path /metrics
	respond @internal 404
	reverse_proxy 127.0.0.1:${port} {
		flush_interval -1
		lb_try_duration 4s
		lb_try_interval 50ms
	}
	header -Server
}
`

/** Phones cannot trust the certificate before they have it, so it is served over HTTP. */
const authority = (domain: string): string => `
http://${domain} {
	handle /root.crt {
		root * ${dirname(ROOT_CERTIFICATE)}
		header Content-Type application/x-x509-ca-cert
		file_server
	}
	handle {
		redir https://{host}{uri}
	}
}
`

/**
 * HTTPS, HTTP/2 and HTTP/3 are Caddy's defaults. Live views are passed on at once and never compressed. The server
 * itself sets every header that protects the pages. Addresses may contain searches, so there is no access log. Requests
 * during a restart wait for it. They have not been sent yet, so none is sent twice.
 */
export const buildCaddyfile = ({ domain, port, venue }: HostingSettings): string => `# Made by npm run host.
${buildCaddySite(domain, { port, venue })}
# The rehearsal, while it runs.
${buildCaddySite(`${domain}:${REHEARSAL_PORT}`, { port: port + 1, venue })}${venue ? authority(domain) : ''}`

/** The service can write only to its state and its backups. */
const HARDENED = `NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
CapabilityBoundingSet=
SystemCallArchitectures=native
SystemCallFilter=@system-service
UMask=0077
StateDirectory=garba
StateDirectoryMode=0700
CacheDirectory=garba
CacheDirectoryMode=0700
ReadWritePaths=-/var/backups/garba`

/** The launcher reads the settings, as for every other command, because systemd reads quotes, # and \\ differently. */
const COMMON = `User=garba
Group=garba
WorkingDirectory=/var/lib/garba`

export const serviceUnit = (): string => `# Made by npm run host.
[Unit]
Description=Garba ticketing
After=network-online.target postgresql.service
Wants=network-online.target
# It starts again however often it fails, as while a database or a disk is away: systemd would give up after five times.
StartLimitIntervalSec=0

[Service]
${COMMON}
# Compiled code of the last start: the next one takes half of the time.
Environment=NODE_COMPILE_CACHE=/var/cache/garba
ExecStart=/opt/garba/garba serve
# SIGTERM lets requests end; the server gives them ten seconds.
TimeoutStopSec=20
Restart=always
RestartSec=1
MemoryMax=1G
LimitNOFILE=65536
${HARDENED}

[Install]
WantedBy=multi-user.target
`

export const backupUnit =
  (): string => `# Made by npm run host. A copy a day beside the server's own backups, and a look at whether it can be restored.
[Unit]
Description=Garba daily backup
After=garba.service

[Service]
Type=oneshot
${COMMON}
ExecStart=/bin/sh -c 'copy="/var/backups/garba/daily-$$(date +%%Y-%%m-%%d-%%H%%M%%S)"; /opt/garba/garba backup "$$copy.db" && exec /opt/garba/garba drill "$$copy".*'
ExecStart=/usr/bin/find /var/backups/garba "(" -name "daily-*" -o -name "before-garba-*" ")" -mtime +30 -delete
${HARDENED}
`

export const backupTimer = (): string => `# Made by npm run host.
[Unit]
Description=Garba daily backup

[Timer]
OnCalendar=*-*-* 04:30
Persistent=true
RandomizedDelaySec=10min

[Install]
WantedBy=timers.target
`

const QUOTES = ["'", '"', '`'] as const

/** Quotes a value for Node, which ends it at the next quote of the same kind. */
function quoted(text: string): string {
  if (/^[\w.@,:/+-]*$/.test(text)) return text
  const quote = QUOTES.find((one) => !text.includes(one)) ?? ''
  return `${quote}${text}${quote}`
}

export const settingsFile = (
  { domain, port, venue }: HostingSettings,
  { adminEmails, supportEmail, eventTitle, timezone }: Settings,
): string => `# The settings of https://${domain}. Fill in this part:

# The title in the header; if empty, the name of the event.
EVENT_TITLE=${quoted(eventTitle ?? '')}
EVENT_TIMEZONE=${timezone}
# Your Google email; separate several with commas.
ADMIN_EMAILS=${adminEmails.join(',')}
# The address that guests write to; everybody can read it.
SUPPORT_EMAIL=${supportEmail === DEFAULT_SUPPORT_EMAIL ? '' : supportEmail}
${venue ? '' : GOOGLE}# none for free tickets, or a list of razorpay, upi and desk (cash at the counter).
PAYMENTS=none
UPI_ID=
UPI_NAME=
UPI_BANK=
RAZORPAY_KEY_ID=
RAZORPAY_KEY_SECRET=
RAZORPAY_WEBHOOK_SECRET=
# Mails to guests, such as smtps://user:password@mail.example.org:465 and "Garba <tickets@example.org>", and your own address for alarms.
SMTP_URL=
MAIL_FROM=
ALERT_EMAIL=
# Encrypts every backup: the line that npm run keys -- backup prints on your own computer.
BACKUP_KEY=
# A PostgreSQL database instead of a file, such as postgres://garba:PASSWORD@127.0.0.1:5432/garba.
DATABASE_URL=

# Leave this part as it is:

NODE_ENV=production
PUBLIC_URL=https://${domain}
DATA_DIR=/var/lib/garba
BACKUP_DIR=/var/backups/garba
PORT=${port}
TRUST_PROXY=1
${venue ? `NODE_EXTRA_CA_CERTS=${ROOT_CERTIFICATE}\n${NO_GOOGLE}` : ''}`

const GOOGLE = `# From Firebase, Project settings, your web app: projectId, apiKey and authDomain.
FIREBASE_PROJECT_ID=
FIREBASE_API_KEY=
FIREBASE_AUTH_DOMAIN=
# google,email also sends sign-in links by mail; enable Email link in Firebase first.
SIGN_IN=google
`

/** No project can have such a short name, so no valid sign-in for it can exist. */
const NO_GOOGLE = `# Without internet nobody can sign in with Google: pair phones with garba pair.
FIREBASE_PROJECT_ID=${NO_PROJECT}
FIREBASE_API_KEY=${NO_PROJECT}
FIREBASE_AUTH_DOMAIN=${NO_PROJECT}
`

export const buildReadme = ({ domain, port, venue, proxy }: HostingSettings): string => `What ${domain} needs
==========================

Made by npm run host, for Debian 12 or Ubuntu 24.04 on x86-64, with ports 80, 443 and ${REHEARSAL_PORT} open.

1. Fill in the first part of garba.env.
2. Copy this folder to the server, with garba.tar.gz in it (npm run host -- ... --bundle puts it there).
3. As root: sh install.sh

${proxy === 'caddy' ? '' : proxyText(proxy, { domain, port })}
install.sh sets up ${proxy === 'caddy' ? 'Caddy, ' : ''}the server, its user, and backups, makes a first backup, tests it, and runs the doctor. It can be run
again. The settings are then in /etc/garba/garba.env; after a change run systemctl restart garba. Type every command as "garba VERB", as
root. journalctl -u garba shows the log.

For a new version, put its garba.tar.gz here and run install.sh again. Scanners and guests notice a pause of a second or two.
The old version stays in /opt. To go back: ln -sfn garba-VERSION /opt/garba && systemctl restart garba. If the new version changed the
database, also restore the copy from before it, which is kept for 30 days: systemctl stop garba, garba restore /var/backups/garba/before-..., systemctl start garba.
${venue ? venueText(domain) : ''}`

const proxyText = (proxy: Exclude<ProxyName, 'caddy'>, site: { domain: string; port: number }): string => `
Before that, put ${PROXIES[proxy].file} in place:
${PROXIES[proxy]
  .steps(site)
  .map((step) => `  ${step}`)
  .join('\n')}
A rehearsal needs the same block once more, for port ${REHEARSAL_PORT} to port ${site.port + 1}.
`

const venueText = (domain: string): string => `
In the venue, without internet
------------------------------

Give the laptop a fixed address in the Wi-Fi, and make the router resolve the name ${domain} to it. The certificate is signed by an
authority on this laptop, which each phone must trust once: open http://${domain}/root.crt on the phone and install the file (Android:
Settings, Security, Install a certificate, CA certificate; iPhone: Settings, Profile Downloaded, Install, then General, About,
Certificate Trust Settings). Nobody can sign in with Google there, so pair the scanners with garba pair "NAME". To allow signing in
while there is internet, put the three FIREBASE values of your project into the settings.
`

/** Whether this machine has the platform of servers, so that its packages and its Node run on one. */
export const isServersKind = (): boolean => process.platform === 'linux' && process.arch === 'x64'

export const FROM_RELEASE =
  'Elsewhere, download garba.tar.gz from the releases of this repository; its workflow "release" makes one for each tag, and for any commit when it is started by hand.'
