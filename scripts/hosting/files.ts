import type { Settings } from '../../server/src/config.ts'

export interface Hosted {
  /** The name that guests open. */
  domain: string
  /** The port the server listens on behind Caddy. */
  port: number
  /** Where Caddy's own authority signs the certificate: a laptop without internet. */
  venue: boolean
}

/** Bytes: an event with its picture is the largest thing that anybody sends. */
const BODY_MAX = '8MiB'

/**
 * HTTPS, HTTP/2 and HTTP/3 are Caddy's defaults. Live views are passed on as they come, and never compressed. Every header that
 * protects the pages is the server's own, so none is set here; addresses may hold searches, so there is no access log. Requests
 * that meet a restart wait for it: they were not sent yet, so nothing is asked twice.
 */
export const caddyfile = ({ domain, port, venue }: Hosted): string => `# Made by npm run host.
${domain} {
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

/** Nothing else of the machine is open to it: it writes to its state and its backups alone. */
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

const COMMON = `User=garba
Group=garba
WorkingDirectory=/var/lib/garba
EnvironmentFile=/etc/garba/garba.env`

export const serviceUnit = (): string => `# Made by npm run host.
[Unit]
Description=Garba ticketing
After=network-online.target
Wants=network-online.target

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
  (): string => `# Made by npm run host. A copy a day beside the server's own backups, and a look at whether the newest can be restored.
[Unit]
Description=Garba daily backup
After=garba.service

[Service]
Type=oneshot
${COMMON}
ExecStart=/bin/sh -c 'exec /opt/garba/garba backup "/var/backups/garba/daily-$$(date +%%Y-%%m-%%d-%%H%%M).db"'
ExecStart=/opt/garba/garba drill
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

/** The settings that a server on this name needs; keys and passwords are left for the organiser to fill in. */
function environment({ domain, port }: Hosted, { adminEmails, eventTitle, timezone, supportEmail }: Settings): string {
  return `NODE_ENV=production
DATA_DIR=/var/lib/garba
PUBLIC_URL=https://${domain}
PORT=${port}
TRUST_PROXY=1
ADMIN_EMAILS=${adminEmails.join(',') || 'you@example.org'}
EVENT_TITLE=${JSON.stringify(eventTitle)}
EVENT_TIMEZONE=${timezone}
SUPPORT_EMAIL=${supportEmail}
FIREBASE_PROJECT_ID=
FIREBASE_API_KEY=
FIREBASE_AUTH_DOMAIN=
PAYMENTS=none
BACKUP_DIR=/var/backups/garba`
}

const FILES = 'garba.service garba-backup.service garba-backup.timer'

/** Five commands, to be run on the server as root in the folder of these files. */
export const commands = `useradd --system --home-dir /var/lib/garba --shell /usr/sbin/nologin garba
install -d -m 700 -o garba -g garba /var/backups/garba && install -d -m 750 -g garba /etc/garba && install -m 640 -g garba garba.env /etc/garba/garba.env
install -m 644 ${FILES} /etc/systemd/system/ && install -m 644 Caddyfile /etc/caddy/Caddyfile
systemctl daemon-reload && systemctl enable --now garba.service garba-backup.timer
systemctl reload caddy && runuser -u garba -- /opt/garba/garba doctor`

export function readme(hosted: Hosted, settings: Settings): string {
  return `What ${hosted.domain} needs
==========================

Made by npm run host, for Debian 12 or Ubuntu 24.04 with Caddy 2.6 or later (apt-get install caddy).

1. Make the bundle with "npm run bundle -- garba.tar.gz", copy it and this folder to the server, unpack it in /opt, and let the link
   /opt/garba lead to it (operations.md, section 2).
2. Save these lines as garba.env beside this file, and fill in what is empty:

${environment(hosted, settings)}

3. Run, as root, in this folder:

${commands}

The log is in the journal, which looks after its own size: journalctl -u garba. A new version: unpack it beside the old one, move the link, and
run "systemctl restart garba". Scanners and guests notice nothing but a pause of a second or two.
${hosted.venue ? VENUE : ''}`
}

const VENUE = `
In the venue, without internet
------------------------------

The certificate is signed by an authority of Caddy's own on this laptop, so each phone must trust it once: copy
/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt to the phone and install it (Android: Settings, Security, Install a certificate,
CA certificate; iPhone: open the file, then Settings, General, VPN & Device Management, install it, and switch it on under About, Certificate Trust
Settings). Give the laptop a fixed address in the Wi-Fi, and let the router or a phone's hosts point the name to it.
Google cannot be asked there: pair the scanners with "npm run pair" or on the desk, before the evening.
`
