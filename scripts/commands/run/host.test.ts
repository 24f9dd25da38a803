import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { readSettings } from '../../../server/src/config.ts'
import { buildCaddySite } from '../../hosting/files.ts'
import { ROOT } from '../../setup.mjs'
import { runScript } from '../../testing/runScript.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'garba-host-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function host(args: readonly string[], environment: Record<string, string> = {}) {
  const { status, output } = runScript('host', args, environment)
  return { status, output }
}

const UNITS = ['garba-backup.service', 'garba-backup.timer', 'garba.service']
const NAMES = ['.gitignore', 'Caddyfile', 'README.txt', ...UNITS, 'garba.env', 'install.sh'].sort()

test('writes what a server needs, from the settings, without their secrets, and prints the next steps', () => {
  const to = newFolder()
  const environment = {
    PORT: '9090',
    ADMIN_EMAILS: 'asha@example.org',
    EVENT_TITLE: 'Garba Night',
    SMTP_URL: 'smtps://garba:hidden-password@mail.example.org',
    MAIL_FROM: 'tickets@example.org',
  }
  // A name means the same in capitals, which Caddy's addresses and PUBLIC_URL do not have.
  const { status, output } = host(['Tickets.Example.ORG', '--to', to], environment)
  expect(status).toBe(0)
  expect(output).toMatch(
    /Next:\n.*npm run bundle.*\n.*garba\.env\n.*scp -r .*\n.*ssh root@tickets\.example\.org sh .*install\.sh$/,
  )
  expect(readdirSync(to).sort()).toEqual(NAMES)
  const text = (name: string) => readFileSync(join(to, name), 'utf8')
  expect(text('Caddyfile')).toMatch(/^tickets\.example\.org \{$/m)
  expect(text('Caddyfile')).toContain('reverse_proxy 127.0.0.1:9090')
  expect(text('Caddyfile')).toMatch(/^tickets\.example\.org:8443 \{[\s\S]*reverse_proxy 127\.0\.0\.1:9091/m)
  expect(text('Caddyfile')).not.toContain('tls internal')
  for (const name of NAMES) expect(text(name)).not.toContain('hidden-password')
  // The launcher alone reads the settings, so that the server and the commands cannot read them differently.
  for (const unit of UNITS) expect(text(unit)).not.toContain('EnvironmentFile')
  // A database or a disk may be away for longer than systemd's five tries take.
  expect(text('garba.service')).toMatch(/^\[Unit\]\n[^[]*^StartLimitIntervalSec=0$/m)
})

test('commands for a folder with a space in its name can be typed as they are printed', () => {
  const to = join(newFolder(), 'my garba')
  const { output } = host(['tickets.example.org', '--to', to])
  const typed = (start: string) => output.slice(output.lastIndexOf(start)).split('\n')[0] ?? ''
  const said = (command: string) =>
    spawnSync('sh', ['-c', command.replace(/^(?:npm run|scp|ssh) /, 'printf "%s|" ')], { encoding: 'utf8' }).stdout
  expect(said(typed('npm run'))).toBe(`bundle|--|${to}/garba.tar.gz|`)
  expect(said(typed('scp'))).toBe(`-r|${to}|root@tickets.example.org:|`)
  // The server's shell reads it once more.
  expect(said(typed('ssh'))).toBe(`root@tickets.example.org|sh|'my garba/install.sh'|`)
})

test('a new version is put in place only once the database is kept as it was', () => {
  const to = newFolder()
  host(['tickets.example.org', '--to', to], { ADMIN_EMAILS: 'asha@example.org' })
  const install = readFileSync(join(to, 'install.sh'), 'utf8')
  const root = newFolder()
  const place = (path: string) => join(root, path)
  for (const folder of ['opt/garba-1', 'bundle/garba-2', 'var/lib/garba', 'etc/garba'])
    mkdirSync(place(folder), { recursive: true })
  symlinkSync('garba-1', place('opt/garba'))
  writeFileSync(place('bundle/garba-2/SHA256SUMS'), '')
  writeFileSync(place('var/lib/garba/garba.db'), 'data')
  // The command of the version that runs: it notes what it was asked, and what was in place then.
  const notes = place('notes')
  mkdirSync(place('bin'))
  const garba = `#!/bin/sh\necho "$(readlink ${place('opt/garba')}) $1 $2" >> ${notes}\n[ ! -e ${place('full')} ]\n`
  writeFileSync(place('bin/garba'), garba, { mode: 0o755 })
  writeFileSync(place('bin/sha256sum'), '#!/bin/sh\n', { mode: 0o755 })
  spawnSync('tar', ['-czf', place('garba.tar.gz'), '-C', place('bundle'), 'garba-2'])
  const begin = install.indexOf('if [ -e garba.tar.gz ]')
  const part = install.slice(begin, install.indexOf('\nfi\n', begin) + 4).replaceAll(/\/(opt|var|etc)\b/g, `${root}/$1`)
  const script = `set -eu\nfail() { echo "$1" >&2; exit 1; }\n${part}`
  const run = () =>
    spawnSync('sh', ['-c', script], {
      cwd: root,
      env: { PATH: `${place('bin')}:${process.env.PATH}` },
      encoding: 'utf8',
    })

  writeFileSync(place('full'), '')
  expect(run()).toMatchObject({ status: 1, stderr: 'The version was not changed.\n' })
  expect(readlinkSync(place('opt/garba'))).toBe('garba-1')
  rmSync(place('full'))
  expect(run().status).toBe(0)
  expect(readlinkSync(place('opt/garba'))).toBe('garba-2')
  // Run again with the same version, there is nothing to keep.
  expect(run().status).toBe(0)
  const asked = new RegExp(`^garba-1 backup ${place('var/backups/garba/before-garba-2')}-[0-9-]+\\.db$`)
  expect(readFileSync(notes, 'utf8').trim().split('\n')).toEqual([
    expect.stringMatching(asked),
    expect.stringMatching(asked),
  ])

  // Windows ends each line with a carriage return, which is no address.
  writeFileSync(place('etc/garba/garba.env'), 'DATABASE_URL=\r\n')
  symlinkSync('garba-1', place('opt/next'))
  renameSync(place('opt/next'), place('opt/garba'))
  expect(run().status).toBe(0)
  expect(readFileSync(notes, 'utf8').trim().split('\n')).toHaveLength(3)

  // PostgreSQL has no file here.
  rmSync(place('var/lib/garba/garba.db'))
  symlinkSync('garba-1', place('opt/next'))
  renameSync(place('opt/next'), place('opt/garba'))
  writeFileSync(place('etc/garba/garba.env'), 'DATABASE_URL=postgres://127.0.0.1/garba\n')
  expect(run().status).toBe(0)
  expect(readFileSync(notes, 'utf8').trim().split('\n')).toHaveLength(4)
  expect(readlinkSync(place('opt/garba'))).toBe('garba-2')
})

test('a database without an installed version is kept by the new one', () => {
  const { to, root, bundle, run, backups } = stage()
  writeFileSync(join(root, 'var/lib/garba/garba.db'), 'data')
  bundle('garba-1')
  expect(run()).toMatchObject({ status: 0, stderr: '' })
  expect(backups().filter((name) => name.startsWith('before-garba-1'))).toHaveLength(1)
  expect(readFileSync(join(root, 'settings'), 'utf8')).toBe(`${join(to, 'garba.env')}\n`)
})

/** Programs that the installer calls and that a test must not run: what each does instead. */
const STAND_INS = {
  id: '[ "$1" != -u ] || echo 0',
  caddy: '',
  useradd: '',
  // Owners need root; everything else of the command is carried out.
  install:
    'args=; while [ $# -gt 0 ]; do case $1 in -o|-g) shift;; *) args="$args $1";; esac; shift; done; exec /usr/bin/install $args',
  runuser: 'shift 3; exec "$@"',
  // The clock advances by 7 seconds each time it is read.
  date: 'n=$(cat ROOT/looks); echo $((n + 1)) > ROOT/looks; exec /bin/date -u -d "@$((1764000000 + n * 7))" "$@"',
  // The backup's unit is carried out as systemd does, up to its first failure.
  systemctl: `[ "$*" = 'start garba-backup.service' ] || exit 0
sed -n 's/^ExecStart=//p' ROOT/etc/systemd/system/garba-backup.service | sed 's/%%/%/g; s/\\$\\$/$/g' > ROOT/unit
exec sh -eu ROOT/unit`,
} as const
const GARBA = `#!/bin/sh
[ "$1" != drill ] || [ -e "\${2:-}" ] || exit 1
[ "$1" = backup ] || exit 0
[ ! -e "$2" ] || { echo "$2 exists already" >&2; exit 1; }
echo > "$2"
[ -e ROOT/settings ] || echo "\${GARBA_ENV:-}" > ROOT/settings
`

/** A server on which install.sh finds the programs above in place of the real ones. */
function stage() {
  const [to, root] = [join(newFolder(), 'my tickets'), newFolder()]
  host(['tickets.example.org', '--to', to], { ADMIN_EMAILS: 'asha@example.org' })
  const here = (text: string) => text.replaceAll(/(?<![\w.])\/(opt|var|etc|usr\/local)\b/g, `${root}/$1`)
  for (const name of readdirSync(to)) writeFileSync(join(to, name), here(readFileSync(join(to, name), 'utf8')))
  for (const folder of [
    'bin',
    'opt',
    'usr/local/bin',
    'etc/systemd/system',
    'etc/caddy',
    'var/backups',
    'var/lib/garba',
  ])
    mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, 'looks'), '0')
  for (const [name, does] of Object.entries(STAND_INS))
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${does.replaceAll('ROOT', root)}\n`, { mode: 0o755 })
  const bundle = (version: string) => {
    mkdirSync(join(root, version))
    writeFileSync(join(root, version, 'garba'), GARBA.replaceAll('ROOT', root), { mode: 0o755 })
    writeFileSync(join(root, version, 'node'), '#!/bin/sh\n', { mode: 0o755 })
    spawnSync('sh', ['-c', 'sha256sum garba node > SHA256SUMS'], { cwd: join(root, version) })
    spawnSync('tar', ['-czf', join(to, 'garba.tar.gz'), '-C', root, version])
  }
  const run = () =>
    spawnSync('sh', [join(to, 'install.sh')], {
      env: { PATH: `${join(root, 'bin')}:${join(root, 'usr/local/bin')}:${process.env.PATH}` },
      encoding: 'utf8',
    })
  const backups = () => readdirSync(join(root, 'var/backups/garba')).sort()
  return { to, root, bundle, run, backups }
}

test('install.sh can be run again within the same minute, with the same version and with a new one', () => {
  const { root, bundle, run, backups } = stage()
  bundle('garba-1')
  for (const nth of [1, 2]) {
    expect(run()).toMatchObject({ status: 0, stderr: '' })
    expect(backups().filter((name) => name.startsWith('daily-'))).toHaveLength(nth)
  }
  writeFileSync(join(root, 'var/lib/garba/garba.db'), 'data')
  const longAgo = new Date(Date.now() - 40 * 24 * 60 * 60_000)
  for (const name of [
    'daily-2025-01-01-043000.db',
    'before-garba-1-2025-01-01-120000.db.age',
    'before the season.db',
  ]) {
    writeFileSync(join(root, 'var/backups/garba', name), '')
    utimesSync(join(root, 'var/backups/garba', name), longAgo, longAgo)
  }
  bundle('garba-2')
  expect(run()).toMatchObject({ status: 0, stderr: '' })
  expect(readlinkSync(join(root, 'opt/garba'))).toBe('garba-2')
  // The copies that the installer and the unit made are deleted after 30 days; other files are not theirs.
  expect(backups().map((name) => /^(before-garba-\d|daily|.*)/.exec(name)?.[0])).toEqual([
    'before the season.db',
    'before-garba-2',
    'daily',
    'daily',
    'daily',
  ])
})

test("the settings say what is missing, and once it is filled in they are the server's", () => {
  const to = newFolder()
  host(['tickets.example.org', '--to', to], {
    ADMIN_EMAILS: 'asha@example.org',
    SUPPORT_EMAIL: 'help@example.org',
    EVENT_TITLE: 'Garba "Night"',
  })
  expect(statSync(join(to, 'garba.env')).mode & 0o777).toBe(0o600)
  const written = parseEnv(readFileSync(join(to, 'garba.env'), 'utf8'))
  expect(() => readSettings(written)).toThrow(/FIREBASE_PROJECT_ID/)
  const firebase = { FIREBASE_PROJECT_ID: 'garba-live', FIREBASE_API_KEY: 'key', FIREBASE_AUTH_DOMAIN: 'garba.example' }
  expect(readSettings({ ...written, ...firebase })).toMatchObject({
    publicUrl: 'https://tickets.example.org',
    adminEmails: ['asha@example.org'],
    supportEmail: 'help@example.org',
    eventTitle: 'Garba "Night"',
    demo: false,
    backups: { dir: '/var/backups/garba' },
  })
})

test('in the venue Caddy signs the certificate itself, and phones get the one they must trust', () => {
  const to = newFolder()
  expect(host(['garba.local', '--venue', '--to', to]).status).toBe(0)
  const text = (name: string) => readFileSync(join(to, name), 'utf8')
  expect(text('Caddyfile').match(/tls internal/g)).toHaveLength(2)
  expect(text('Caddyfile')).toMatch(/^http:\/\/garba\.local \{[\s\S]*root\.crt/m)
  expect(text('README.txt')).toContain('http://garba.local/root.crt')
  expect(text('garba.env')).toMatch(/^NODE_EXTRA_CA_CERTS=\/etc\/caddy\/garba\/root\.crt$/m)
  expect(text('install.sh')).toMatch(/^Otherwise, while there is internet, put the three FIREBASE values/m)
  // Nothing of Firebase is to be filled in: these settings are complete.
  expect(text('garba.env')).not.toMatch(/^FIREBASE_\w+=$/m)
  expect(readSettings(parseEnv(text('garba.env')))).toMatchObject({ demo: false, firebase: { projectId: 'none' } })
})

test.each([[], ['--venue']])('install.sh is a script for any shell %s', (...options) => {
  const to = newFolder()
  host(['garba.local', '--to', to, ...options])
  const { status, stderr } = spawnSync('sh', ['-n', join(to, 'install.sh')], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})

test('wrong arguments print the usage, and a folder with files is left alone', () => {
  const to = newFolder()
  for (const args of [
    [],
    ['tickets.example.org'],
    ['no domain', '--to', to],
    ['a.org', 'b.org', '--to', to],
    ['a.org', '--too', to],
  ])
    expect(host(args)).toEqual({ status: 2, output: expect.stringMatching(/npm run host -- tickets\.example\.org/) })
  writeFileSync(join(to, 'notes.txt'), '')
  expect(host(['tickets.example.org', '--to', to])).toEqual({
    status: 1,
    output: `${to} is not empty: choose another folder.`,
  })
})

test('the containers have the same Caddyfile, with their own names', () => {
  const [, inContainers = ''] = readFileSync(join(ROOT, 'compose.yaml'), 'utf8').split('content: |\n')
  const [name = ''] = inContainers.trim().split(' {', 1)
  const here = buildCaddySite(name, { port: 8080, venue: false })
    .replace('127.0.0.1:8080', 'server:8080')
    .replaceAll('\t', '  ')
  expect(inContainers.replace(/^ {6}/gm, '')).toBe(here)
})
