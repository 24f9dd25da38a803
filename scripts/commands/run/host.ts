import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import {
  backupTimer,
  backupUnit,
  buildCaddyfile,
  buildReadme,
  type HostingSettings,
  isServersKind,
  ROOT_CERTIFICATE,
  serviceUnit,
  settingsFile,
} from '../../hosting/files.ts'
import { PROXIES, PROXY_NAMES } from '../../hosting/proxies.ts'
import { settingsHere } from '../../lib/database.ts'
import { formatPath, withFolder } from '../../lib/files.ts'
import { type CommandArguments, runCommand, UsageError } from '../../lib/say.ts'
import { nodeBinary, ROOT, SetUpError } from '../../setup.mjs'

const CADDYS = '/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt'

const venueSteps = (domain: string): string => `
grep -qw '${domain}' /etc/hosts || echo '127.0.0.1 ${domain}' >> /etc/hosts
for second in $(seq 20); do [ -e ${CADDYS} ] && break; sleep 1; done
install -D -m 644 ${CADDYS} ${ROOT_CERTIFICATE}
export NODE_EXTRA_CA_CERTS=${ROOT_CERTIFICATE}
`

const INSTALL_CADDY = `command -v caddy >/dev/null || { apt-get update -q && apt-get install -q -y caddy; } || fail 'Caddy could not be installed.'
`
const START_CADDY = `cmp -s Caddyfile /etc/caddy/Caddyfile || install -v -m 644 --backup=numbered Caddyfile /etc/caddy/Caddyfile
systemctl enable -q caddy.service
systemctl start caddy.service
systemctl reload caddy.service
`

const NEXT_IN_VENUE = `if the tickets were sold on another server, stop it and run here: garba takeover BACKUP
Otherwise, while there is internet, put the three FIREBASE values of your project into /etc/garba/garba.env, run systemctl restart garba, `

/** The script does all set-up on the server, as root. A second run applies only changes, such as a new version. */
const installer = ({ domain, port, venue, proxy }: HostingSettings): string => `#!/bin/sh
# Made by npm run host. Sets up the server of https://${domain}, or updates it to the version in this folder. It can be run again.
set -eu
cd "$(dirname "$0")"
fail() { echo "$1" >&2; exit 1; }
[ "$(id -u)" = 0 ] || fail 'Run this as root: sudo sh install.sh'
${proxy === 'caddy' ? INSTALL_CADDY : ''}
if [ -e garba.tar.gz ]; then
  echo 'Unpacking the bundle ...'
  version=$(tar -tzf garba.tar.gz | sed -n '1s,/.*,,p')
  tar -xzf garba.tar.gz -C /opt
  (cd "/opt/$version" && sha256sum --quiet --check SHA256SUMS) || fail 'The bundle is damaged: copy it again.'
  postgres=; if grep -qs '^DATABASE_URL=[^[:space:]]' /etc/garba/garba.env; then postgres=1; fi
  if [ "$(readlink /opt/garba)" != "$version" ] && { [ -e /var/lib/garba/garba.db ] || [ "$postgres" ]; }; then
    echo 'Saving the database before the new version ...'
    # Earlier versions made no backups of PostgreSQL. If no version was fully installed, this one saves the file.
    if [ "$postgres" ]; then keep="runuser -u garba -- /opt/$version/garba"
    elif command -v garba >/dev/null; then keep=garba
    else
      install -d -m 700 /var/backups/garba
      export GARBA_ENV=/etc/garba/garba.env; [ -e "$GARBA_ENV" ] || GARBA_ENV=$PWD/garba.env
      keep=/opt/$version/garba
    fi
    $keep backup "/var/backups/garba/before-$version-$(date +%Y-%m-%d-%H%M%S).db" || fail 'The version was not changed.'
    unset GARBA_ENV
  fi
  ln -sfn "$version" /opt/garba
fi
[ -x /opt/garba/garba ] || fail 'There is no garba.tar.gz in this folder: make it with npm run bundle -- garba.tar.gz'

settings=/etc/garba/garba.env
[ -e "$settings" ] || settings=$PWD/garba.env
# Dumps of PostgreSQL's own tool are smaller and restored faster; without it the application makes backups in its own format.
if grep -q '^DATABASE_URL=[^[:space:]]' "$settings" && ! command -v pg_dump >/dev/null; then
  apt-get install -q -y postgresql-client || echo 'pg_dump could not be installed: backups are made in the application format.'
fi
GARBA_ENV=$settings /opt/garba/garba doctor --settings || fail "Correct this in $settings, then run install.sh again."

id garba >/dev/null 2>&1 || useradd --system --home-dir /var/lib/garba --shell /usr/sbin/nologin garba
install -d -m 700 -o garba -g garba /var/backups/garba
install -d -m 750 -g garba /etc/garba
if [ "$settings" = "$PWD/garba.env" ]; then
  install -m 640 -g garba garba.env /etc/garba/garba.env
  rm garba.env
fi
cat > /usr/local/bin/garba <<'END'
#!/bin/sh
# Made by npm run host: a command run as root runs as the server's own user.
exec runuser -u garba -- /opt/garba/garba "$@"
END
chmod 755 /usr/local/bin/garba

install -m 644 garba.service garba-backup.service garba-backup.timer /etc/systemd/system/
systemctl daemon-reload
systemctl enable -q garba.service garba-backup.timer
${proxy === 'caddy' ? START_CADDY : ''}${venue ? venueSteps(domain) : ''}
# Waits until an address answers, for at most the given seconds.
answers() {
  /opt/garba/node -e 'const [url, seconds] = process.argv.slice(1)
    const ask = (left) => fetch(url).then(() => 0, () => left > 0 ? new Promise((resolve) => setTimeout(resolve, 1000)).then(() => ask(left - 1)) : 1)
    ask(Number(seconds)).then((code) => process.exit(code))' "$1" "$2"
}
echo 'Starting the server ...'
systemctl restart garba.service
systemctl start garba-backup.timer
answers http://127.0.0.1:${port}/healthz 20 || { journalctl -u garba.service -n 5 -o cat --no-pager >&2; fail 'The server does not start.'; }
echo 'Making a backup and testing it ...'
systemctl start garba-backup.service || { journalctl -u garba-backup.service -n 5 -o cat --no-pager >&2; fail 'The backup failed.'; }
echo 'Waiting for the certificate, for at most a minute ...'
answers https://${domain}/healthz 60 || true
garba doctor || fail "Do what it says below each FAILURE, then run: garba doctor"
echo 'Next: ${venue ? NEXT_IN_VENUE : ''}open https://${domain}, sign in with an address of ADMIN_EMAILS, and create the event.'
${venue ? `echo 'In the venue, pair each scanner: garba pair "NAME"'\n` : ''}`

const DOMAIN = /^(?=.{1,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z]([a-z\d-]{0,61}[a-z\d])?$/

function given({
  words: [name = ''],
  has,
  text,
}: CommandArguments): HostingSettings & { to: string; verify: boolean; bundle: boolean } {
  const to = text('to')
  const domain = name.toLowerCase()
  const proxy = PROXY_NAMES.find((known) => known === (text('proxy') ?? 'caddy'))
  if (to === undefined || proxy === undefined || !DOMAIN.test(domain)) throw new UsageError()
  if (proxy !== 'caddy' && has('venue')) throw new UsageError('In the venue without internet only Caddy can sign.')
  return {
    proxy,
    domain,
    to: resolve(to),
    venue: has('venue'),
    verify: has('verify'),
    bundle: has('bundle'),
    port: settingsHere().port || 8080,
  }
}

/** Throws SetUpError with the program's objections to the files, or if it is not installed. */
function check(program: string, args: readonly string[]): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (error) throw new SetUpError(`${program} is not installed here, so it cannot read the files.`)
  if (status !== 0) throw new SetUpError(`${program} refuses them:\n${stdout}${stderr}`.trim())
}

const typed = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)

function nextSteps({ to, bundle, domain, venue }: HostingSettings & { to: string; bundle: boolean }): string {
  const script = typed(join(basename(to), 'install.sh'))
  const from = formatPath(to, process.cwd())
  return [
    `${to} holds what ${domain} needs. Next:`,
    ...(bundle ? [] : [bundleStep(from)]),
    `  fill in the first part of ${join(from, 'garba.env')}`,
    ...(venue
      ? [`  on the laptop, as root: sh ${script}`]
      : [`  scp -r ${typed(from)} root@${domain}:`, `  ssh root@${domain} sh ${typed(script)}`]),
  ].join('\n')
}

/** A bundle cannot be made on Windows, macOS or ARM. */
const bundleStep = (from: string): string =>
  isServersKind()
    ? `  npm run bundle -- ${typed(join(from, 'garba.tar.gz'))}`
    : `  put garba.tar.gz of this version into ${from}: download it from the releases of this repository`

async function verifyFiles(to: string): Promise<void> {
  const caddy = join(to, 'Caddyfile')
  if (existsSync(caddy)) check('caddy', ['validate', '--config', caddy, '--adapter', 'caddyfile'])
  await withFolder(join(tmpdir(), 'garba-units-'), (folder) => {
    const units = readdirSync(to).filter((name) => /\.(service|timer)$/.test(name))
    // systemd requires the program to exist, but only the server has it.
    for (const name of units)
      writeFileSync(
        join(folder, name),
        readFileSync(join(to, name), 'utf8').replaceAll('/opt/garba/garba', '/bin/true'),
      )
    check('systemd-analyze', ['verify', ...units.map((name) => join(folder, name))])
    check('sh', ['-n', join(to, 'install.sh')])
  })
  console.log('Caddy and systemd accept them.')
}

function addBundle(to: string): void {
  const args = [join(ROOT, 'scripts', 'commands', 'run', 'bundle.ts'), join(to, 'garba.tar.gz')]
  if (spawnSync(nodeBinary(), args, { stdio: 'inherit' }).status !== 0) throw new SetUpError('The bundle was not made.')
}

await runCommand('host', async (parsed) => {
  const { to, verify, bundle, ...hosted } = given(parsed)
  if (existsSync(to) && readdirSync(to).length > 0) throw new SetUpError(`${to} is not empty: choose another folder.`)
  mkdirSync(to, { recursive: true })
  const files = {
    ...(hosted.proxy === 'caddy'
      ? { Caddyfile: buildCaddyfile(hosted) }
      : { [PROXIES[hosted.proxy].file]: PROXIES[hosted.proxy].write(hosted) }),
    'garba.service': serviceUnit(),
    'garba-backup.service': backupUnit(),
    'garba-backup.timer': backupTimer(),
    'install.sh': installer(hosted),
    'README.txt': buildReadme(hosted),
    // The folder holds secrets, and may stand beside the code.
    '.gitignore': '*\n',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(to, name), text)
  writeFileSync(join(to, 'garba.env'), settingsFile(hosted, settingsHere()), { mode: 0o600 })
  if (verify) await verifyFiles(to)
  const bundled = bundle && isServersKind()
  if (bundled) addBundle(to)
  console.log(nextSteps({ ...hosted, to, bundle: bundled }))
})
