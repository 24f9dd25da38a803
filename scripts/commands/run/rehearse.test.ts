import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toLocalDay } from '@garba/shared/rules/event/calendar'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Deps } from '../../../server/src/flows/deps.ts'
import { verifyQr } from '../../../server/src/flows/gate/verifyQr.ts'
import { ensureSigningKey } from '../../../server/src/flows/signingKeys.ts'
import { listBlockCodes, listOpenBlocks } from '../../../server/src/store/codeBlocks.ts'
import { openStore } from '../../../server/src/store/engine/open.ts'
import { findEvent } from '../../../server/src/store/events.ts'
import { AFTERWARDS, close, LATER_YEAR } from '../../../server/src/testing/closing.ts'
import { must } from '../../../server/src/testing/desk.ts'
import { evening } from '../../../server/src/testing/evening.ts'
import { backedUp } from '../../../server/src/testing/restored.ts'
import { codeOf, mark, putOnSale } from '../../../server/src/testing/scenes.ts'
import { seedDemo } from '../../demo/seed.ts'
import { startNode } from '../../lib/children.ts'
import { ensureClient } from '../../lib/client.ts'
import { rehearsalUrl } from '../../lib/database.ts'
import { ROOT } from '../../setup.mjs'
import { lastLineOf, runScript } from '../../testing/runScript.ts'

let dataDir: string
beforeAll(() => ensureClient())
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'garba-rehearse-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

/** Runs the command as npm does. */
function rehearse(...args: string[]) {
  const { status, stdout, stderr } = runScript('rehearse', args, { DATA_DIR: dataDir })
  return { status, last: lastLineOf(stdout), stderr }
}

/** Ends the command with Ctrl-C while it makes the test codes. */
async function interrupted(): Promise<void> {
  const child = startNode({
    args: [join(ROOT, 'scripts', 'commands', 'run', 'rehearse.ts')],
    env: { DATA_DIR: dataDir },
    onLine: (line) => line.startsWith('Making ') && child.kill('SIGINT'),
  })
  expect(await child.ended).not.toMatchObject({ code: 0 })
}

/** What a gate of this database answers to a code. */
async function gateOf(database: string) {
  const store = openStore(database)
  const now = () => new Date()
  const epoch = { number: 0 } as Deps['epoch']
  const used: Partial<Deps> = { store, now, epoch, signer: await ensureSigningKey({ store, now }) }
  const deps = used as Deps
  const user = { id: '01K50000000000000000000001', name: 'Chetan' } as Parameters<typeof verifyQr>[1]['user']
  return {
    store,
    ask: (qrCode: string) =>
      verifyQr(deps, { user, qrCode }).then(
        ({ status }) => status,
        (error: { code?: string }) => error.code,
      ),
  }
}

test('a rehearsal says how far off the last evening was about when all would be in', async () => {
  const { world, tickets, gateA } = await evening({ quantity: 40 })
  const waiting = [...tickets]
  for (const pace of [...Array(15).fill(2), ...Array(10).fill(1)]) {
    for (const ticket of waiting.splice(0, pace)) await mark(gateA, { qrCode: codeOf(ticket) })
    world.clock.forward(60_000)
  }
  world.clock.set(AFTERWARDS)
  const [event] = await world.sql('select id from events')
  await must(close(await world.as('admin'), String(event?.id)))
  await putOnSale(world, LATER_YEAR)
  copyFileSync(await backedUp(world), join(dataDir, 'garba.db'))
  const { stdout } = runScript('rehearse', [], { DATA_DIR: dataDir })
  expect(stdout).toContain('When all would be in, as Garba Rass 2025 said it at 6:45')
  expect(stdout).toMatch(/6:45.pm: 5 min too early\n/i)
})

test('a rehearsal takes the place of a copy with the real keys; --start sets it to today and runs its server until a signal ends it; its codes admit there alone', async () => {
  await seedDemo({ dataDir, now: new Date() })
  const real = join(dataDir, 'garba.db')
  // The server made its signing key at its first start.
  await (await gateOf(real)).store.close()
  const before = readFileSync(real)
  const folder = join(dataDir, 'rehearsal')
  await seedDemo({ dataDir: folder, now: new Date() })
  await interrupted()
  expect(readdirSync(dataDir).filter((name) => name.startsWith('rehearsal'))).toEqual(['rehearsal'])
  expect(rehearse()).toMatchObject({ status: 0, stderr: '' })
  // It was made some days ago.
  const made = openStore(join(folder, 'garba.db'))
  made.sqlite.exec("update events set date = '2025-01-01'")
  await made.close()
  const lines: string[] = []
  const ready = Promise.withResolvers<string>()
  const child = startNode({
    args: [join(ROOT, 'scripts', 'commands', 'run', 'rehearse.ts'), '--start'],
    env: {
      ...{ HOST: '', NODE_ENV: '', FIREBASE_PROJECT_ID: '', npm_lifecycle_event: '', DATA_DIR: dataDir, PORT: '0' },
      // No identity process is needed here, and the address of the real server is not the rehearsal's.
      ...{ FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9', PUBLIC_URL: 'https://garba.example' },
      // A real server's mails and backups are not the rehearsal's either.
      ...{ SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'garba@mail.example', ALERT_EMAIL: 'asha@mail.example' },
      ...{ BACKUP_DIR: join(dataDir, 'backups'), BACKUP_EVERY: '5', BACKUP_HOOK: 'false' },
      ...{ PAYMENTS: 'upi', UPI_ID: 'garba@bank', UPI_NAME: 'Garba' },
    },
    onLine: (line) => {
      lines.push(line)
      const url = /^Ready: (.*)/.exec(line)?.[1]
      if (url) ready.resolve(url)
    },
  })
  void child.ended.then(() => ready.reject(new Error(lines.join('\n'))))
  try {
    const url = await ready.promise
    const { data } = (await (await fetch(`${url}/api/event`)).json()) as { data: { name: string; date: string } }
    expect(data).toMatchObject({
      name: expect.stringMatching(/^REHEARSAL: /),
      date: toLocalDay(new Date(), 'Asia/Kolkata'),
    })
    expect(rehearse('--reset')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^A server runs on the folder /),
    })
    // The connection that was kept open may have ended while the command blocked this process.
    expect(await vi.waitFor(async () => (await fetch(`${url}/healthz`)).status)).toBe(200)
  } finally {
    expect(await child.stop()).toMatchObject({ code: 0 })
  }
  expect(lines.filter((line) => line.includes('UPI'))).toEqual([])
  expect(lines.at(-1)).toBe('The rehearsal has ended; the real database is as it was.')
  expect(readFileSync(real).equals(before)).toBe(true)
  for (const file of ['test-codes.pdf', 'training-card.pdf'])
    expect(readFileSync(join(folder, file)).subarray(0, 5).toString()).toBe('%PDF-')

  const copy = await gateOf(join(folder, 'garba.db'))
  const codes = await copy.store.read(async (tx) => {
    const event = await findEvent(tx)
    const [block] = await listOpenBlocks(tx, event?.id ?? '')
    return listBlockCodes(tx, block?.id ?? '')
  })
  expect(codes).toHaveLength(300)
  const qrCode = codes[0]?.qrCode ?? ''
  expect(await copy.ask(qrCode)).toBe('active')
  await copy.store.close()
  const gate = await gateOf(real)
  expect(await gate.ask(qrCode)).toBe('QR_FORGED')
  await gate.store.close()

  expect(rehearse()).toMatchObject({ status: 1, stderr: expect.stringMatching(/--reset$/) })
  const asked = readFileSync(real)
  expect(rehearse('--reset')).toMatchObject({
    status: 0,
    stderr: '',
    last: expect.stringMatching(/^The rehearsal is ready in /),
  })
  expect(readFileSync(real).equals(asked)).toBe(true)
}, 120_000)

test('wrong arguments print the usage and exit with 2; without a database nothing is made', () => {
  expect(rehearse('--url', 'https://rehearsal.example')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/npm run rehearse/),
  })
  for (const address of ['nonsense', 'https://garba.example/rehearsal', ''])
    expect(rehearse('--start', '--url', address)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^--url must be an address /),
    })
  expect(rehearse()).toMatchObject({ status: 1, stderr: expect.stringMatching(/^There is no database at /) })
  expect(existsSync(join(dataDir, 'rehearsal'))).toBe(false)
})

test.each([
  ['https://garba.example', false, 'https://garba.example:8443'],
  ['https://garba.example:444', false, 'https://garba.example:8443'],
  ['http://192.168.1.5:8080', false, ''],
  ['https://garba.example', true, ''],
  [null, false, ''],
])('with PUBLIC_URL %s, demo %s, the crew opens "%s"', (publicUrl, demo, expected) => {
  expect(rehearsalUrl({ publicUrl, demo })).toBe(expected)
})
