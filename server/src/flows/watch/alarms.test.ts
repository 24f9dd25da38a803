import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { MINUTE_MS } from '@garba/shared/constants'
import { expect, onTestFinished, test, vi } from 'vitest'
import { buildFailure, type Check } from '../../doctor/check.ts'
import { makeAlertMailer } from '../../mail/mailer.ts'
import { BACKUP_FAILED, LAST_BACKUP, writeMeta } from '../../store/meta.ts'
import { must } from '../../testing/desk.ts'
import { eveningOf } from '../../testing/evening.ts'
import { makeMailServer } from '../../testing/mailServer.ts'
import { linkOf, ordered, orderOf, settleMoney } from '../../testing/money.ts'
import { pairedPhone } from '../../testing/phone.ts'
import { person, putOnSale } from '../../testing/scenes.ts'
import { makeWorld, PAYING } from '../../testing/world.ts'
import { type AlarmDeps, startAlarmRounds, updateAlarms } from './alarms.ts'
import { systemFigures } from './health.ts'

/** A site with a backup of just now, whose alarms go to Asha. */
async function watched(environment: Record<string, string> = {}) {
  const { smtpUrl, mails } = await makeMailServer()
  const world = await makeWorld({
    settings: {
      SMTP_URL: smtpUrl,
      MAIL_FROM: 'Garba <tickets@example.org>',
      ALERT_EMAIL: 'asha@example.org',
      BACKUP_DIR: '/never/used',
      ...environment,
    },
  })
  const note = (key: string, value: string) => world.store.write((tx) => writeMeta(tx, key, value))
  await note(LAST_BACKUP, world.clock.now().toISOString())
  const deps: AlarmDeps = { ...world.deps, alerts: makeAlertMailer(world.deps.settings) }
  const look = () => updateAlarms(deps)
  const shown = async () => (await eveningOf(await world.as('manager'))).system
  return { world, mails, note, look, shown, deps }
}

test('while all is well nobody is mailed, and Evening shows nothing', async () => {
  const { look, shown, mails } = await watched()
  await look()
  expect(await shown()).toEqual([])
  expect(mails).toEqual([])
})

test('a failed backup is on Evening at once, is mailed once, and so is its end', async () => {
  const { world, look, shown, note, mails } = await watched()
  await note(BACKUP_FAILED, JSON.stringify({ at: world.clock.now().toISOString(), reason: 'The disk is full.' }))
  await look()
  const since = world.clock.now().toISOString()
  const alarm = { name: 'Backups', detail: 'The latest one failed. The disk is full.', cure: expect.any(String), since }
  expect(await shown()).toEqual([alarm])
  world.clock.forward(MINUTE_MS)
  await look()
  expect(await shown()).toEqual([alarm])
  expect(mails).toHaveLength(1)
  expect(mails[0]).toMatchObject({
    subject: 'Garba Rass 2025: Needs attention: Backups',
    to: [{ address: 'asha@example.org' }],
    text: expect.stringContaining('The disk is full.'),
  })
  await note(BACKUP_FAILED, '')
  await look()
  expect(await shown()).toEqual([])
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Garba Rass 2025: Needs attention: Backups',
    'Garba Rass 2025: All is well again',
  ])
})

test('what only one of two servers sees stays an alarm, mailed once, until that server sees it no more or is gone', async () => {
  const { world, shown, note, mails, deps } = await watched()
  const full = buildFailure('Disk', 'Only 1 MB is free.', 'Make room.')
  const minute = async (one: Check | null, other: Check | null | 'gone' = null) => {
    world.clock.forward(MINUTE_MS)
    await note(LAST_BACKUP, world.clock.now().toISOString())
    await updateAlarms(deps, { found: one, server: 'one' })
    if (other !== 'gone') await updateAlarms(deps, { found: other, server: 'other' })
    return (await shown())?.map(({ name }) => name)
  }
  for (let n = 0; n < 3; n += 1) expect(await minute(full)).toEqual(['Disk'])
  expect(mails).toHaveLength(1)
  expect(await minute(full, full)).toEqual(['Disk'])
  expect(await minute(null, full)).toEqual(['Disk'])
  expect(mails).toHaveLength(1)
  // The other one has stopped, and nobody can say any more whether its disk is full.
  for (let n = 0; n < 4; n += 1) expect(await minute(null, 'gone')).toEqual(['Disk'])
  expect(await minute(null, 'gone')).toEqual([])
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Garba Rass 2025: Needs attention: Disk',
    'Garba Rass 2025: All is well again',
  ])
})

/** Made for this test, valid until 2126. */
const KEY =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgrm5GnxnjJmeySqTHvQ8mH0eVhmdxCC14eto2UVeyIh2hRANCAASCY0FWuZwiqWDl33gjcmmSRFLjdyjurYs+LoPnFKybHyD6HuSbfpVK/8RmHuMr4CtsradgRrVSWfcYq+xxendx'
const CERTIFICATE =
  'MIIBfzCCASWgAwIBAgIUNk82PHY7OBggwQpETTTVSMCSWfEwCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNzAzNTEyMloYDzIxMjYxMTAzMDM1MTIyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASCY0FWuZwiqWDl33gjcmmSRFLjdyjurYs+LoPnFKybHyD6HuSbfpVK/8RmHuMr4CtsradgRrVSWfcYq+xxendxo1MwUTAdBgNVHQ4EFgQUVzVoMTF8tDzWrf157YtJZVMwxc8wHwYDVR0jBBgwFoAUVzVoMTF8tDzWrf157YtJZVMwxc8wDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEA2NBTlfNL4oyNLKpIdLsVnipbxd5CTeJptZZyOE79rb0CIBGHMx8P16YHiqU4FAQ/3AWymS7+T6IQza6IPpTNWrVw'
const pem = (kind: string, text: string) => `-----BEGIN ${kind}-----\n${text}\n-----END ${kind}-----\n`

test('a certificate that could not be read is read again each minute; a good one once the clock was set back', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  let asked = 0
  const proxy = createServer({ key: pem('PRIVATE KEY', KEY), cert: pem('CERTIFICATE', CERTIFICATE) })
  proxy.on('connection', (socket) => {
    asked += 1
    if (asked === 1) socket.destroy()
  })
  proxy.listen(0, '127.0.0.1')
  onTestFinished(() => void proxy.close())
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  const { world, deps, shown } = await watched({ PUBLIC_URL: `https://localhost:${port}` })
  const idle = startAlarmRounds({ ...world.deps, ...deps })
  const minute = async () => {
    vi.advanceTimersByTime(MINUTE_MS)
    await idle()
    return [asked, (await shown())?.map(({ name }) => name)]
  }
  expect(await minute()).toEqual([1, ['Certificate']])
  expect(await minute()).toEqual([2, []])
  expect(await minute()).toEqual([2, []])
  world.clock.forward(-24 * 60 * MINUTE_MS)
  expect(await minute()).toEqual([3, []])
})

test('a mail that is not taken is sent a minute later, and the log says why', async () => {
  let busy = true
  const taken: string[] = []
  const { smtpUrl } = await makeMailServer({
    onRcptTo: (address, _session, done) => {
      if (busy) return done(Object.assign(new Error('later'), { responseCode: 451 }))
      taken.push(address.address)
      done()
    },
  })
  const { look, note, world } = await watched({ SMTP_URL: smtpUrl })
  await note(BACKUP_FAILED, JSON.stringify({ at: '2025-09-22T12:00:00Z', reason: 'No.' }))
  await look()
  expect(taken).toEqual([])
  expect(world.log.join('')).toMatch(/"why":"451","msg":"the mail about alarms was not taken"/)
  expect(world.log.join('')).not.toContain('asha@')
  busy = false
  world.clock.forward(MINUTE_MS)
  await look()
  await look()
  expect(taken).toEqual(['asha@example.org'])
})

test('an address that bounces is tried ever less often, at least once an hour', async () => {
  let asked = 0
  const { smtpUrl } = await makeMailServer({
    onRcptTo: (_address, _session, done) => {
      asked += 1
      done(Object.assign(new Error('no such mailbox'), { responseCode: 550 }))
    },
  })
  const { look, note, world } = await watched({ SMTP_URL: smtpUrl })
  const hour = async () => {
    const before = asked
    for (let minute = 0; minute < 60; minute += 1) {
      world.clock.forward(MINUTE_MS)
      await note(BACKUP_FAILED, JSON.stringify({ at: '2025-09-22T12:00:00Z', reason: 'No.' }))
      await look()
    }
    return asked - before
  }
  expect(await hour()).toBeLessThan(10)
  await hour()
  expect(await hour()).toBe(1)
})

test('backups that stop are an alarm after three were missed', async () => {
  const { world, look, shown } = await watched({ BACKUP_EVERY: '10' })
  world.clock.forward(29 * MINUTE_MS)
  await look()
  expect(await shown()).toEqual([])
  world.clock.forward(MINUTE_MS)
  await look()
  expect(await shown()).toMatchObject([{ name: 'Backups', detail: 'The last one is 30 min old.' }])
})

test('a webhook that comes later than the answer about a payment is no alarm, one that never comes is', async () => {
  const { world, look, shown, note } = await watched(PAYING)
  await putOnSale(world)
  const pay = async (name: string) => {
    const guest = await world.as('guest', person(name))
    const { code } = await ordered(guest)
    world.double.pay(linkOf(world, code))
    world.clock.forward(6_000)
    return orderOf(guest, code)
  }
  const later = async (minutes: number) => {
    world.clock.forward(minutes * MINUTE_MS)
    await note(LAST_BACKUP, world.clock.now().toISOString())
    await look()
    return (await shown())?.map(({ name }) => name)
  }
  await pay('Meera')
  await settleMoney(world)
  expect(await later(60)).toEqual([])
  world.double.setFaults({ lostEvent: 1 })
  expect(await pay('Radha')).toMatchObject({ state: 'paid' })
  expect(await later(1)).toEqual([])
  expect(await later(10)).toEqual(['Webhook'])
})

test('Books that do not balance are an alarm', async () => {
  const { world, look, shown } = await watched()
  await putOnSale(world)
  await world.sql('update events set taken_seats = 3')
  await look()
  expect(await shown()).toMatchObject([
    { name: 'Books', detail: expect.stringMatching(/^1 problem\. Garba Rass 2025: 3 of /) },
  ])
})

test('a scanner that falls silent while the event runs is an alarm, before the event it is none', async () => {
  const { world, look, shown, note } = await watched()
  await putOnSale(world)
  const call = async (at: string) => {
    world.clock.set(at)
    const path = '/api/scanner/roster?deviceId=a&deviceName=Gate%20A&unsent=0'
    expect((await (await world.as('qrchecker')).request('GET', path)).status).toBe(200)
  }
  const later = async (at: string) => {
    world.clock.set(at)
    await note(LAST_BACKUP, at)
    await look()
  }
  await call('2025-09-22T12:00:00.000Z')
  await later('2025-09-22T12:20:00.000Z')
  expect(await shown()).toEqual([])
  await call('2025-09-22T14:00:00.000Z')
  await later('2025-09-22T14:09:00.000Z')
  expect(await shown()).toEqual([])
  await later('2025-09-22T14:10:00.000Z')
  expect(await shown()).toMatchObject([{ name: 'Scanners', detail: 'No contact for ten minutes: Gate A.' }])
})

test('a revoked phone is not expected to call', async () => {
  const { world, look, shown, note } = await watched()
  await putOnSale(world)
  world.clock.set('2025-09-22T14:00:00.000Z')
  const phones = [await pairedPhone(world, { name: 'Gate A' }), await pairedPhone(world, { name: 'Gate B' })]
  for (const phone of phones) await must((await phone.client()).request('GET', '/api/scanner/roster?unsent=0'))
  const desk = await world.as('admin')
  await must(desk.request('PATCH', `/api/admin/devices/${phones[0]?.id}`, { revoked: true }))
  world.clock.forward(10 * MINUTE_MS)
  await note(LAST_BACKUP, world.clock.now().toISOString())
  await look()
  expect(await shown()).toMatchObject([{ name: 'Scanners', detail: 'No contact for ten minutes: Gate B.' }])
  const { devices } = await eveningOf(await world.as('admin'))
  expect(devices.map(({ deviceName, ended = false }) => [deviceName, ended]).toSorted()).toEqual([
    ['Gate A', true],
    ['Gate B', false],
  ])
  expect((await systemFigures(world.deps)).devices).toEqual({ calling: 0, silent: 1 })
})
