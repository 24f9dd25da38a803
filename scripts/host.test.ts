import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { readSettings } from '../server/src/config.ts'
import { runScript } from './lib/runScript.ts'

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
const NAMES = ['Caddyfile', 'README.txt', ...UNITS, 'garba.env', 'install.sh'].sort()

test('writes what a server needs, from the settings, without their secrets, and prints the next steps', () => {
  const to = newFolder()
  const environment = {
    PORT: '9090',
    ADMIN_EMAILS: 'asha@example.org',
    EVENT_TITLE: 'Garba Night',
    SMTP_URL: 'smtps://garba:hidden-password@mail.example.org',
    MAIL_FROM: 'tickets@example.org',
  }
  const { status, output } = host(['tickets.example.org', '--to', to], environment)
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
