import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOUR_MS } from '@garba/shared/constants'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readSettings } from '../config.ts'
import { putDevice } from '../store/devices.ts'
import { openStore } from '../store/engine/open.ts'
import { LAST_BACKUP, LAST_DRILL, writeMeta } from '../store/meta.ts'
import { makeMailServer } from '../testing/mailServer.ts'
import { linkOf, ordered, orderOf, payingWorld, settleMoney } from '../testing/money.ts'
import type { Check } from './check.ts'
import { certificateCheck, type Outside } from './outside.ts'
import { runDoctor } from './runDoctor.ts'

const FIREBASE = {
  FIREBASE_PROJECT_ID: 'garba-live',
  FIREBASE_API_KEY: 'key',
  FIREBASE_AUTH_DOMAIN: 'garba-live.firebaseapp.com',
  PAYMENTS: 'none',
}

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A web server whose clock is off. */
const clockOff = (ms: number) =>
  serving((_, response) => {
    response.sendDate = false
    response.setHeader('Date', new Date(Date.now() + ms).toUTCString()).end()
  })

const NOBODY = 'http://127.0.0.1:2'
const CUT_OFF: Outside = { projectConfig: `${NOBODY}/?key=`, clocks: [NOBODY] }

function folder(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'garba-doctor-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  return dataDir
}

async function lines(environment: Record<string, string> = {}, outside: Outside = CUT_OFF) {
  const dataDir = environment.DATA_DIR ?? folder()
  const checks = await runDoctor(readSettings({ ...environment, DATA_DIR: dataDir }), outside)
  return (name: string): Check | undefined => checks.find((check) => check.name === name)
}

async function database(fill: (store: ReturnType<typeof openStore>) => Promise<unknown>): Promise<string> {
  const dataDir = folder()
  const store = openStore(join(dataDir, 'garba.db'))
  await fill(store)
  await store.close()
  return dataDir
}

test('names the scanners of the last hours that run another version, and those that do not say theirs', async () => {
  const { version } = readSettings({})
  const phone = { checkerId: null, checkerName: 'Chetan', unsent: 0, oldestUnsent: null, rosterRevision: 1 }
  const phones = [
    { ...phone, id: 'a', name: 'Gate A', appVersion: version, lastSeen: new Date() },
    { ...phone, id: 'b', name: 'Gate B', appVersion: '0.9.0', lastSeen: new Date() },
    { ...phone, id: 'first-release', name: null, appVersion: null, lastSeen: new Date() },
    { ...phone, id: 'd', name: 'Last year', appVersion: null, lastSeen: new Date(Date.now() - 400 * 24 * HOUR_MS) },
  ]
  const DATA_DIR = await database((store) =>
    store.write(async (tx) => {
      for (const row of phones) await putDevice(tx, row)
    }),
  )
  const checks = await runDoctor(readSettings({ DATA_DIR }), CUT_OFF)
  expect(checks.filter(({ name }) => name === 'Scanners')).toEqual([
    { name: 'Scanners', status: 'ok', detail: '3 scanners connected in the last 12 hours; all scans are sent.' },
    {
      name: 'Scanners',
      status: 'warning',
      detail: expect.stringMatching(/^2 scanners run an older version: .*\bGate B\b/),
      cure: expect.stringContaining('Update now'),
    },
  ])
})

test('on a laptop without anything it warns, fails nothing, and leaves nothing behind', async () => {
  const dataDir = folder()
  const checks = await runDoctor(readSettings({ DATA_DIR: dataDir }), CUT_OFF)
  expect(checks.filter(({ status }) => status === 'failure')).toEqual([])
  expect(checks.find(({ name }) => name === 'Settings')).toMatchObject({ status: 'warning', cure: expect.any(String) })
  expect(readdirSync(dataDir)).toEqual([])
})

describe('sign-in', () => {
  const project = (body: object, status = 200) =>
    serving((_, response) => response.writeHead(status).end(JSON.stringify(body)))
  const at = async (url: string) =>
    (
      await lines(
        { ...FIREBASE, PUBLIC_URL: 'https://tickets.example.org' },
        { ...CUT_OFF, projectConfig: `${url}/?key=` },
      )
    )('Google sign-in')

  test('works where the project knows the host, and not where it does not', async () => {
    expect(await at(await project({ authorizedDomains: ['tickets.example.org'] }))).toMatchObject({ status: 'ok' })
    expect(await at(await project({ authorizedDomains: ['localhost'] }))).toMatchObject({
      status: 'failure',
      detail: expect.stringContaining('tickets.example.org is not an authorised domain'),
    })
  })

  test('fails with a wrong key, and only warns when Google is out of reach', async () => {
    expect(await at(await project({ error: {} }, 400))).toMatchObject({ status: 'failure' })
    expect(await at(NOBODY)).toMatchObject({
      status: 'warning',
      detail: 'Google does not answer (nothing listens there).',
    })
  })
})

test('sign-in by mail needs both domains in the project', async () => {
  const SITE = { ...FIREBASE, PUBLIC_URL: 'https://tickets.example.org', SIGN_IN: 'google,email' }
  const statusWith = async (...authorizedDomains: string[]) => {
    const project = await serving((_, response) => void response.end(JSON.stringify({ authorizedDomains })))
    return (await lines(SITE, { ...CUT_OFF, projectConfig: `${project}/?key=` }))('Google sign-in')
  }
  expect(await statusWith('tickets.example.org', 'garba-live.firebaseapp.com')).toMatchObject({ status: 'ok' })
  expect(await statusWith('tickets.example.org')).toMatchObject({
    status: 'failure',
    detail: expect.stringContaining('garba-live.firebaseapp.com is not an authorised domain'),
  })
})

describe('the clock', () => {
  const at = async (...offs: number[]) =>
    (await lines({}, { ...CUT_OFF, clocks: await Promise.all(offs.map(clockOff)) }))('Clock')

  test.each([
    [[0, 0], 'ok'],
    [[20_000, 20_000], 'warning'],
    [[-900_000, -900_000], 'failure'],
    [[0, 900_000], 'warning'],
  ] as const)('against clocks that are %j ms off is %s', async (offs, status) => {
    expect(await at(...offs)).toMatchObject({ status })
  })

  test('cannot be checked without the internet', async () => {
    expect((await lines())('Clock')).toMatchObject({ status: 'warning', detail: 'No clock on the internet answers.' })
  })
})

describe('the public address', () => {
  const at = async (url: string) => (await lines({ ...FIREBASE, PUBLIC_URL: url }))('Public address')

  test('is this machine only where PUBLIC_URL says so, a failure unless it is a demo', async () => {
    expect(await at('http://localhost:8080')).toMatchObject({ status: 'failure' })
    expect((await lines())('Public address')).toMatchObject({ status: 'warning' })
  })

  test('that does not answer is a failure, and so is its certificate', async () => {
    const lineOf = await lines({ ...FIREBASE, PUBLIC_URL: 'https://garba.invalid' })
    expect(lineOf('Public address')).toMatchObject({
      status: 'failure',
      detail: expect.stringMatching(/does not answer/),
    })
    expect(lineOf('Certificate')).toMatchObject({ status: 'failure' })
  })

  test.each([
    { whole: 90 * 24, left: 80 * 24, status: 'ok', detail: 'Valid for 80 days.' },
    { whole: 90 * 24, left: 13 * 24, status: 'warning', detail: 'Expires in 13 days.' },
    { whole: 90 * 24, left: 24, status: 'failure', detail: 'Expires in 1 day.' },
    { whole: 90 * 24, left: -72, status: 'failure', detail: 'It has expired.' },
    // Caddy's own authority, in a venue.
    { whole: 12, left: 5, status: 'ok', detail: 'Valid for 5 h.' },
    { whole: 12, left: 1.5, status: 'warning', detail: 'Expires in 1 h.' },
    { whole: 12, left: 0.5, status: 'failure', detail: 'Expires in 30 min.' },
  ] as const)(
    'with a certificate of $whole hours, $left before its end, is $status',
    ({ whole, left, ...expected }) => {
      const now = new Date('2025-09-22T12:00:00Z')
      const to = new Date(now.getTime() + left * HOUR_MS)
      expect(certificateCheck({ from: new Date(to.getTime() - whole * HOUR_MS), to }, now)).toMatchObject(expected)
    },
  )
})

test('the mail server must accept us', async () => {
  const { smtpUrl, mails } = await makeMailServer()
  const paying = { PAYMENTS: 'desk', MAIL_FROM: 'tickets@example.org' }
  expect((await lines({ ...paying, SMTP_URL: smtpUrl }))('Email')).toMatchObject({ status: 'ok' })
  expect((await lines({ ...paying, SMTP_URL: 'smtp://127.0.0.1:1' }))('Email')).toMatchObject({
    status: 'failure',
    detail: 'The mail server does not answer (ESOCKET).',
  })
  expect((await lines({ ...FIREBASE, PAYMENTS: 'desk' }))('Email')).toMatchObject({ status: 'warning' })
  expect(mails).toEqual([])
})

describe('the database', () => {
  test('tells how old backups and drills are', async () => {
    const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString()
    const dataDir = await database((store) =>
      store.write(async (tx) => {
        await writeMeta(tx, LAST_BACKUP, ago(3))
        await writeMeta(tx, LAST_DRILL, ago(24 * 40))
      }),
    )
    const lineOf = await lines({ DATA_DIR: dataDir, BACKUP_DIR: join(dataDir, 'backups') })
    expect(lineOf('Database')).toMatchObject({ status: 'ok', detail: expect.stringMatching(/^Intact, /) })
    expect(lineOf('Backups')).toMatchObject({ status: 'ok', detail: 'The last one is 3 h old.' })
    expect(lineOf('Drill')).toMatchObject({ status: 'warning', cure: 'Run npm run drill.' })
    expect((await lines({ DATA_DIR: dataDir }))('Backups')).toMatchObject({ status: 'warning' })
  })

  test('of an earlier version is not touched', async () => {
    const dataDir = await database(async (store) =>
      store.sqlite.exec('update __drizzle_migrations set created_at = created_at - 1'),
    )
    expect((await lines({ DATA_DIR: dataDir }))('Database')).toMatchObject({
      status: 'warning',
      detail: expect.stringMatching(/earlier version/),
    })
  })

  test('that is damaged is a failure', async () => {
    const dataDir = await database(async () => undefined)
    const file = join(dataDir, 'garba.db')
    writeFileSync(file, readFileSync(file).fill(7, 4_096 * 3, 4_096 * 6))
    expect((await lines({ DATA_DIR: dataDir }))('Database')).toMatchObject({
      status: 'failure',
      detail: expect.stringMatching(/damaged|malformed/),
    })
  })
})

test('a webhook that is silent while orders are paid is a failure', async () => {
  const world = await payingWorld()
  const settings = { ...world.deps.settings, databaseFile: world.sqliteStore().sqlite.name }
  const webhook = async () => (await runDoctor(settings, CUT_OFF)).find(({ name }) => name === 'Webhook')
  expect(await webhook()).toMatchObject({ status: 'warning', detail: 'Razorpay has never called.' })
  const guest = await world.as('guest')
  const { code } = await ordered(guest)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  expect(await orderOf(guest, code)).toMatchObject({ state: 'paid' })
  expect(await webhook()).toMatchObject({ status: 'ok' })
  await world.sql('update provider_events set received_at = received_at - ?', HOUR_MS)
  expect(await webhook()).toMatchObject({
    status: 'failure',
    detail: expect.stringMatching(/but orders have been paid since/),
  })
})

test('payments of a demo are called so, and without sign-in nobody is asked about Google', async () => {
  const demo = await lines({ PAYMENTS: 'demo' })
  expect(demo('Payments')).toEqual({
    name: 'Payments',
    status: 'ok',
    detail: 'Payments are a demo: the provider is a stand-in that npm start runs, and no money moves.',
  })
  const none = { FIREBASE_PROJECT_ID: 'none', FIREBASE_API_KEY: 'none', FIREBASE_AUTH_DOMAIN: 'none' }
  const venue = await lines({ ...FIREBASE, ...none, SUPPORT_EMAIL: 'help@example.org' })
  expect(venue('Google sign-in')).toMatchObject({ status: 'ok' })
  expect(venue('Settings')?.detail).not.toContain('ADMIN_EMAILS')
})
