import { join } from 'node:path'
import { EVENT_LIMITS } from '@garba/shared/constants'
import type { PublicKey } from '@garba/shared/contracts/phones/scan'
import { readGroupQr } from '@garba/shared/rules/groupQr'
import { readQr } from '@garba/shared/rules/qr'
import { expect, test } from 'vitest'
import { restoreDatabase } from '../../store/engine/backup.ts'
import { openStore } from '../../store/engine/open.ts'
import { findEvent } from '../../store/events.ts'
import { testOnSqlite } from '../../testing/database.ts'
import { must } from '../../testing/desk.ts'
import { deviceToken, pairedPhone } from '../../testing/phone.ts'
import { temporaryFolder } from '../../testing/process.ts'
import { bought, codeOf, eventForm, mark, putOnSale } from '../../testing/scenes.ts'
import { makeWorld, PAYING, type World } from '../../testing/world.ts'
import { fillRehearsal, isRehearsal } from './rehearsal.ts'

const REAL = { PUBLIC_URL: 'https://garba.example' }

/** A real evening with a guest, a ticket and a phone. */
async function realWorld(event: Record<string, unknown> = {}): Promise<World> {
  const world = await makeWorld({ settings: REAL })
  await putOnSale(world, event)
  for (const role of ['manager', 'qrchecker'] as const) await world.as(role)
  return world
}

/** The file of a rehearsal of that evening, as the command makes it. */
async function rehearsalFile({ store: from, clock }: World): Promise<string> {
  const file = join(temporaryFolder(), 'garba.db')
  const to = openStore(file)
  await fillRehearsal({ from, to, now: clock.now(), timezone: 'Asia/Kolkata', codes: 300 })
  await to.close()
  return file
}

const rehearsalOf = async (real: World, settings: Record<string, string> = {}): Promise<World> =>
  makeWorld({
    database: await rehearsalFile(real),
    settings: { PUBLIC_URL: 'https://garba.example:8443', ...settings },
  })

test('a rehearsal holds the event, its gates and the crew, and nothing of guests, tickets, phones or keys', async () => {
  const real = await realWorld({ endTime: '01:30', endsNextDay: true })
  await bought(await real.as('guest'), 2)
  await pairedPhone(real)
  await (await real.as('admin')).request('PUT', '/api/admin/gates', { gates: [{ name: 'North', kinds: [] }] })
  const store = openStore(await rehearsalFile(real))
  const all = (table: string) => store.sqlite.prepare(`select * from ${table}`).all() as Record<string, unknown>[]
  const [event] = await real.sql('select id, name from events')
  expect(all('events')).toMatchObject([{ name: `REHEARSAL: ${event?.name}`, taken_seats: 0, closed_at: null }])
  expect(all('events')).toMatchObject([{ start_time: '00:00', end_time: '23:59', ends_next_day: 0 }])
  expect(all('events')[0]?.id).not.toBe(event?.id)
  expect(all('users').map(({ role }) => role)).toEqual(expect.arrayContaining(['admin', 'manager', 'qrchecker']))
  expect(all('users').map(({ role }) => role)).not.toContain('guest')
  expect(all('gates')).toMatchObject([{ name: 'North' }])
  const tables = store.sqlite.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[]
  const filled = tables.filter((table) => !table.startsWith('__') && all(table).length > 0)
  expect(filled.sort()).toEqual(['events', 'gates', 'meta', 'users'])
  const facts = all('meta').map(({ key }) => key)
  expect(facts).toContain('rehearsal')
  expect(await isRehearsal(store)).toBe(true)
  expect(await isRehearsal(real.store)).toBe(false)
  await store.close()
})

/** How a gate without a network judges a code: it has the roster's keys, but no list of the other server's tickets. */
async function offline(world: World, text: string): Promise<string> {
  const event = await world.store.read(findEvent)
  const roster = await must((await world.as('qrchecker')).request('GET', '/api/scanner/roster?since=0'))
  const given = { text, keys: roster.keys as PublicKey[], eventId: event?.id ?? '' }
  return (text.startsWith('GG1:') ? await readGroupQr(given) : await readQr(given)).type
}

testOnSqlite('codes of one are forged at the other, online, offline and in a batch admitted offline', async () => {
  const real = await realWorld()
  const rehearsal = await rehearsalOf(real)
  const crew = await rehearsal.as('admin')
  const practised = await bought(crew, 2)
  const sold = await bought(await real.as('guest'), 2)
  const groupOf = async (client: typeof crew) =>
    ((await must(client.request('GET', '/api/tickets/group-codes'))).groups as { qrCode: string }[])[0]?.qrCode ?? ''
  const codes = {
    rehearsal: [...practised.map(codeOf), await groupOf(crew)],
    real: [...sold.map(codeOf), await groupOf(await real.as('guest'))],
  }
  for (const [gate, its, others] of [
    [real, codes.real, codes.rehearsal],
    [rehearsal, codes.rehearsal, codes.real],
  ] as const) {
    expect(await Promise.all(its.map((text) => offline(gate, text)))).toEqual(Array(3).fill('genuine'))
    expect(await Promise.all(others.map((text) => offline(gate, text)))).toEqual(Array(3).fill('forged'))
    const checker = await gate.as('qrchecker')
    for (const qrCode of others.slice(0, 2)) {
      expect((await mark(checker, { qrCode })).body).toMatchObject({ success: false, code: 'QR_FORGED' })
      const scan = { scanId: crypto.randomUUID(), qrCode, scannedAt: gate.clock.now().toISOString(), deviceId: 'd1' }
      const { body } = await checker.request('POST', '/api/tickets/mark-used/batch', {
        scans: [{ ...scan, admittedOffline: true }],
      })
      expect(body.results).toMatchObject([{ code: 'QR_FORGED' }])
    }
    expect(await gate.sql("select * from tickets where status = 'used'")).toEqual([])
    expect(await gate.sql('select * from conflicts')).toEqual([])
  }
})

testOnSqlite('only the crew signs in: a guest and a stranger are refused, and nothing is sold to them', async () => {
  const real = await realWorld()
  await bought(await real.as('guest'), 1)
  const rehearsal = await rehearsalOf(real, { ADMIN_EMAILS: 'boss@example.org' })
  const people = [
    await real.as('guest'),
    await real.as('guest', { uid: 'uid-stranger', email: 'stranger@example.org', name: 'Stranger' }),
  ]
  const before = await rehearsal.sql('select id from users')
  for (const { token } of people) {
    const client = rehearsal.client(token)
    expect(await client.request('POST', '/api/auth/google-signin', { idToken: token })).toMatchObject({
      status: 403,
      body: { code: 'REHEARSAL_CREW_ONLY', message: expect.stringMatching(/only the crew/) },
    })
    const sale = await client.request('POST', '/api/tickets', { quantity: 1 }, { 'Idempotency-Key': 'a' })
    expect(sale.status).toBe(401)
  }
  expect(await rehearsal.sql('select id from users')).toEqual(before)
  expect(await rehearsal.sql('select * from tickets')).toEqual([])
  const boss = await real.as('guest', { uid: 'uid-boss', email: 'boss@example.org', name: 'Boss' })
  expect(await rehearsal.nobody.request('POST', '/api/auth/google-signin', { idToken: boss.token })).toMatchObject({
    status: 200,
    body: { user: { role: 'admin' } },
  })

  const manager = await rehearsal.as('manager')
  await must(manager.request('POST', '/api/auth/google-signin', { idToken: manager.token }))
  const admin = await rehearsal.as('admin')
  await must(admin.request('PATCH', `/api/admin/users/${manager.user?.id}/role`, { role: 'guest' }))
  expect(await manager.request('GET', '/api/auth/me')).toMatchObject({
    status: 403,
    body: { code: 'REHEARSAL_CREW_ONLY' },
  })
})

testOnSqlite('a phone paired with one is unknown to the other, whatever address its tokens name', async () => {
  const real = await realWorld()
  const rehearsal = await rehearsalOf(real)
  for (const [home, other] of [
    [real, rehearsal],
    [rehearsal, real],
  ] as const) {
    const phone = await pairedPhone(home)
    expect((await (await phone.client()).request('GET', '/api/devices/me')).status).toBe(200)
    for (const aud of [REAL.PUBLIC_URL, 'https://garba.example:8443']) {
      const client = other.client(await deviceToken(home, { ...phone, claims: { aud } }))
      expect((await client.request('GET', '/api/devices/me')).status).toBe(401)
      expect((await client.request('GET', '/api/scanner/roster')).status).toBe(401)
    }
  }
})

testOnSqlite('whatever the settings say, a rehearsal takes no money, sends no mails and makes no backups', async () => {
  const real = await realWorld()
  const rehearsal = await rehearsalOf(real, {
    ...PAYING,
    ...{ SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'Garba <garba@mail.example>', ALERT_EMAIL: 'asha@mail.example' },
    ...{ BACKUP_DIR: temporaryFolder() },
  })
  expect(rehearsal.deps.settings).toMatchObject({
    rehearsal: true,
    payments: { on: false, guest: [], desk: false, razorpay: null, upi: null },
    ...{ mail: null, alertEmail: null, backups: null, checksAddress: false },
  })
  expect(rehearsal.deps).toMatchObject({ providers: {}, mailer: null })
  expect((await rehearsal.nobody.request('GET', '/api/config')).body).toMatchObject({ rehearsal: true, mail: 'off' })
})

testOnSqlite('a rehearsal never takes the place of a database', async () => {
  const file = await rehearsalFile(await realWorld())
  const database = join(temporaryFolder(), 'garba.db')
  const restoring = restoreDatabase({ database, file, now: new Date(), prepare: async () => undefined })
  await expect(restoring).rejects.toThrow(/is a rehearsal and holds no real ticket/)
})

testOnSqlite('the event keeps its mark when it is changed or made again', async () => {
  const rehearsal = await rehearsalOf(await realWorld())
  const admin = await rehearsal.as('admin')
  const date = '2026-10-10'
  const saved = await must(admin.request('PUT', '/api/event', eventForm({ name: 'Practice', date })))
  expect(saved.data).toMatchObject({ name: 'REHEARSAL: Practice' })
  const again = await must(admin.request('PUT', '/api/event', eventForm({ name: 'REHEARSAL: Practice', date })))
  expect(again.data).toMatchObject({ name: 'REHEARSAL: Practice' })
  const long = await must(admin.request('PUT', '/api/event', eventForm({ name: '🪔'.repeat(EVENT_LIMITS.name), date })))
  expect(long.data).toMatchObject({ name: `REHEARSAL: ${'🪔'.repeat(EVENT_LIMITS.name - 11)}` })
})
