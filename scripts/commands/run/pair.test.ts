import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readPairingCode } from '@garba/shared/rules/phones/pairingCode'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSettings } from '../../../server/src/config.ts'
import { listPairedDevices } from '../../../server/src/store/devices.ts'
import { openDatabase } from '../../../server/src/store/engine/open.ts'
import { seedDemo } from '../../demo/seed.ts'
import { runScript } from '../../testing/runScript.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'garba-pair-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

/** Runs the command as npm does. */
function pair(...args: string[]) {
  const environment = { DATA_DIR: dataDir, PUBLIC_URL: 'https://tickets.example.org' }
  const { status, stdout, stderr } = runScript('pair', args, environment)
  return { status, stdout, stderr, lines: stdout.trim().split('\n') }
}

test('a device is made and its code shown as QR, as address and as text', async () => {
  await seedDemo({ dataDir, now: new Date() })
  const { status, lines, stdout } = pair('First  gate')
  expect(status).toBe(0)
  const code = /^The code for First gate is (\w{4}-\w{4})\. It works once, within 10 minutes\.$/.exec(
    lines.at(-1) ?? '',
  )
  const plain = readPairingCode(code?.[1] ?? '')
  expect(plain).not.toBeNull()
  const link = lines.find((line) => line.startsWith('https:')) ?? ''
  expect(link).toMatch(
    new RegExp(`^https://tickets.example.org/dashboard/qrchecker/pair#${plain}[0-9A-HJKMNP-TV-Z]{26}$`),
  )
  expect(stdout).toContain('█')
  const store = await openDatabase(readSettings({ DATA_DIR: dataDir }))
  const [device] = await store.read(listPairedDevices)
  await store.close()
  expect(device).toMatchObject({ name: 'First gate', gates: [], createdByName: 'Command line', createdById: null })
})

test('for the rehearsal the device is made there, and the code leads to its address', async () => {
  await seedDemo({ dataDir: join(dataDir, 'rehearsal'), now: new Date() })
  const firebase = { FIREBASE_PROJECT_ID: 'garba', FIREBASE_API_KEY: 'key', FIREBASE_AUTH_DOMAIN: 'garba.example' }
  const environment = { DATA_DIR: dataDir, PUBLIC_URL: 'https://tickets.example.org', PAYMENTS: 'none' }
  const { status, stdout } = runScript('pair', ['--rehearsal', '🪔'.repeat(40)], { ...environment, ...firebase })
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: expect.stringContaining('https://tickets.example.org:8443/dashboard/qrchecker/pair#'),
  })
  const store = await openDatabase(readSettings({ DATA_DIR: join(dataDir, 'rehearsal') }))
  expect(await store.read(listPairedDevices)).toMatchObject([{ name: '🪔'.repeat(40) }])
  await store.close()
})

test.each([[['--rehearsal']], [[]], [['']], [['A', 'B']], [['x'.repeat(41)]]])(
  'wrong arguments %j print the usage',
  (args) => {
    expect(pair(...args)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(/npm run pair/) })
  },
)

test('a missing database is reported and not created', () => {
  expect(pair('A')).toMatchObject({ status: 1, stderr: expect.stringMatching(/^There is no database at /) })
  expect(pair('--rehearsal', 'A')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^There is no rehearsal yet: make it with npm run rehearse$/m),
  })
})
