import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
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

const NAMES = ['Caddyfile', 'README.txt', 'garba-backup.service', 'garba-backup.timer', 'garba.service']

test('writes what a server needs, from the settings, without their secrets, and prints five commands', () => {
  const to = newFolder()
  const environment = {
    PORT: '9090',
    ADMIN_EMAILS: 'asha@example.org',
    SMTP_URL: 'smtps://garba:hidden-password@mail.example.org',
    MAIL_FROM: 'tickets@example.org',
  }
  const { status, output } = host(['tickets.example.org', '--to', to], environment)
  expect(status).toBe(0)
  expect(output.split('\n')).toHaveLength(6)
  expect(readdirSync(to).sort()).toEqual(NAMES)
  const text = (name: string) => readFileSync(join(to, name), 'utf8')
  expect(text('Caddyfile')).toMatch(/^tickets\.example\.org \{$/m)
  expect(text('Caddyfile')).toContain('reverse_proxy 127.0.0.1:9090')
  expect(text('Caddyfile')).not.toContain('tls internal')
  expect(text('README.txt')).toContain(
    'PUBLIC_URL=https://tickets.example.org\nPORT=9090\nTRUST_PROXY=1\nADMIN_EMAILS=asha@example.org',
  )
  for (const name of NAMES) expect(text(name)).not.toContain('hidden-password')
})

test('in the venue Caddy signs the certificate itself, and README.txt says how phones come to trust it', () => {
  const to = newFolder()
  expect(host(['garba.local', '--venue', '--to', to]).status).toBe(0)
  expect(readFileSync(join(to, 'Caddyfile'), 'utf8')).toContain('tls internal')
  expect(readFileSync(join(to, 'README.txt'), 'utf8')).toMatch(/root\.crt/)
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
