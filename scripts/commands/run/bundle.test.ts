import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { eventForm } from '../../../server/src/testing/scenes.ts'
import { demoToken } from '../../../server/src/testing/tokens.ts'
import { ROOT } from '../../setup.mjs'
import { runScript } from '../../testing/runScript.ts'

const UNPACKED_MAX_BYTES = 150_000_000

let folder: string
let garba: string
let bundle: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'garba-bundle-test-'))
  const file = join(folder, 'garba.tar')
  expect(runScript('bundle', [file], {}).stderr).toBe('')
  expect(spawnSync('tar', ['--extract', '--file', file, '--directory', folder]).status).toBe(0)
  rmSync(file)
  const [name = ''] = readdirSync(folder)
  bundle = join(folder, name)
  garba = join(bundle, 'garba')
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs it as on a machine with nothing but a shell and coreutils. */
const run = (environment: Record<string, string>, ...args: string[]) => {
  const env = { PATH: '/usr/bin:/bin', GARBA_ENV: '/none', ...environment }
  const { status, stdout, stderr } = spawnSync(garba, args, { env, cwd: '/', encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}`.trim() }
}

function newDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'garba-bundled-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  return dataDir
}

async function serve(dataDir: string): Promise<string> {
  const child = spawn(garba, ['serve'], {
    env: {
      PATH: '',
      GARBA_ENV: '/none',
      DATA_DIR: dataDir,
      PORT: '0',
      FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9',
      ADMIN_EMAILS: 'asha@garba.test',
    },
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^Ready: (\S+)/.exec(line)?.[1]
    if (url) return url
  }
  throw new Error('The server ended before it was ready')
}

test('the bundle is whole, small, and names its version', () => {
  const check = spawnSync('sha256sum', ['--quiet', '--check', 'SHA256SUMS'], { cwd: bundle, encoding: 'utf8' })
  expect([check.status, check.stdout]).toEqual([0, ''])
  const names = readdirSync(bundle, { recursive: true, encoding: 'utf8' })
  // Files only: what a folder itself takes depends on the machine's file system.
  const sizes = names.map((name) => lstatSync(join(bundle, name))).map((stat) => (stat.isFile() ? stat.size : 0))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(UNPACKED_MAX_BYTES)
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(readFileSync(join(bundle, 'VERSION'), 'utf8')).toMatch(`${version}`)
  expect(names.filter((name) => name.endsWith('.test.ts'))).toEqual([])
})

test('from the bundle alone, without a PATH, an event is made, tickets are sold and somebody is let in', async () => {
  const dataDir = newDataDir()
  const url = await serve(dataDir)
  const as = async (email: string) => {
    const idToken = demoToken(email)
    const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${url}/api${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${idToken}`, ...headers },
        body: JSON.stringify(body),
      })
      return { status: answer.status, body: await answer.json() }
    }
    expect(await post('/auth/google-signin', { idToken })).toMatchObject({ status: 200 })
    return post
  }
  const inThirtyDays = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  const admin = await as('asha@garba.test')
  expect(await admin('/event', { ...eventForm(), date: inThirtyDays })).toMatchObject({ status: 201 })
  const guest = await as('radha@garba.test')
  const sold = await guest('/tickets', { quantity: 2 }, { 'Idempotency-Key': crypto.randomUUID() })
  expect(sold).toMatchObject({ status: 201 })
  const { qrCode } = sold.body.tickets[0]
  expect(await admin('/tickets/mark-used', { qrCode })).toMatchObject({ status: 200, body: { outcome: 'admitted' } })
  expect(await (await fetch(url)).text()).toContain('Garba Rass')

  const copy = join(dataDir, 'copy.db')
  expect(run({ DATA_DIR: dataDir }, 'backup', copy)).toEqual({ status: 0, output: expect.stringMatching(/2 tickets/) })
  expect(run({ DATA_DIR: dataDir }, 'drill', copy)).toEqual({
    status: 0,
    output: expect.stringMatching(/Books balance\.$/),
  })
  expect(run({ DATA_DIR: dataDir }, 'rehearse')).toEqual({
    status: 0,
    output: expect.stringMatching(/Start the rehearsal beside the real server with garba rehearse --start\n/),
  })
  expect(run({ DATA_DIR: newDataDir() }, 'takeover', copy)).toEqual({
    status: 0,
    output: expect.stringMatching(/has taken over\.$/),
  })
})

test('anything but its verbs prints the usage', () => {
  expect(run({}, 'sell')).toEqual({ status: 2, output: expect.stringMatching(/^Usage: garba serve \| backup/) })
  expect(run({ DATA_DIR: newDataDir() }, 'doctor', '--quickly')).toEqual({
    status: 2,
    output: expect.stringMatching(/ garba doctor --json /),
  })
})

test('each verb of the bundle runs: those that no other test here runs say how they are used', () => {
  const verbs = /garba (.*);/.exec(run({}, '--help').output)?.[1]?.split(' | ') ?? []
  const others = verbs.filter((verb) => !['serve', 'backup', 'drill', 'rehearse', 'takeover', 'doctor'].includes(verb))
  expect(others).toContain('pair')
  for (const verb of others) {
    expect(run({}, verb, '--help')).toEqual({ status: 0, output: expect.stringContaining(`  garba ${verb}`) })
  }
})

test('settings that this user cannot read are not passed over', () => {
  const open = newDataDir()
  chmodSync(open, 0o755)
  copyFileSync(garba, join(open, 'garba'))
  const settings = join(open, 'garba.env')
  writeFileSync(settings, 'PORT=1\n', { mode: 0 })
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const env = { PATH: '/usr/bin:/bin', GARBA_ENV: settings }
  const { status, stderr } = spawnSync(join(open, 'garba'), ['doctor'], { env, cwd: '/', encoding: 'utf8', ...user })
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: `This user cannot read the settings in ${settings}: run this as root.\n`,
  })
})

test("a certificate of the venue's own is known to every command, though Node itself looks for it before the settings", () => {
  const place = newDataDir()
  copyFileSync(garba, join(place, 'garba'))
  writeFileSync(join(place, 'node'), '#!/bin/sh\necho "$NODE_EXTRA_CA_CERTS"\n', { mode: 0o755 })
  const settings = join(place, 'garba.env')
  writeFileSync(settings, 'PORT=8080\r\nNODE_EXTRA_CA_CERTS=/etc/caddy/garba/root.crt\r\n')
  const env = { PATH: '/usr/bin:/bin', GARBA_ENV: settings }
  for (const verb of ['doctor', 'serve'])
    expect(spawnSync(join(place, 'garba'), [verb], { env, encoding: 'utf8' }).stdout).toBe(
      '/etc/caddy/garba/root.crt\n',
    )
})
