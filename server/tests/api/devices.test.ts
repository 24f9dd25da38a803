import type { DeskDevice } from '@garba/shared/contracts/phones/device'
import { expect, test } from 'vitest'
import { must } from '../../src/testing/desk.ts'
import { deviceToken, pair, pairedPhone, phoneKeys, prepared } from '../../src/testing/phone.ts'
import { putOnSale } from '../../src/testing/scenes.ts'
import { type Client, makeWorld } from '../../src/testing/world.ts'

const MINUTE = 60_000

const devicesOf = async (admin: Client) => (await must(admin.request('GET', '/api/admin/devices'))).devices
const auditOf = async (admin: Client, action: string) =>
  (await must(admin.request('GET', `/api/admin/audit?action=${action}`))).rows

test('a new device has a code of 40 bits, once, and works until six hours after the event', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const admin = await world.as('admin')
  const { status, body } = await admin.request('POST', '/api/admin/devices', { name: ' Gate  A ', gates: ['Gate A'] })
  expect({ status, ...body }).toMatchObject({
    status: 201,
    device: {
      name: 'Gate A',
      gates: ['Gate A'],
      rights: ['scan', 'find', 'undo'],
      state: 'waiting',
      // 22:30 in Kolkata and six hours.
      until: null,
      endsAt: '2025-09-22T23:00:00.000Z',
      createdBy: 'Asha Admin',
      pairedAt: null,
      lastSeen: null,
    },
    pairing: {
      code: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/),
      expiresAt: '2025-08-08T12:10:00.000Z',
    },
  })
  const { code, url } = body.pairing as { code: string; url: string }
  const [page, link = ''] = url.split('#')
  expect(page).toBe(`${world.deps.publicUrl()}/dashboard/qrchecker/pair`)
  expect(link).toMatch(new RegExp(`^${code.replace('-', '')}[0-9A-HJKMNP-TV-Z]{26}$`))
  const listed = JSON.stringify(await devicesOf(admin))
  expect(listed).not.toContain(code.replace('-', ''))
  const stored = JSON.stringify(await world.sql('select * from paired_devices'))
  expect(stored).not.toContain(code.replace('-', ''))
  expect(await auditOf(admin, 'device.created')).toMatchObject([
    { actorName: 'Asha Admin', subjectName: 'Device Gate A' },
  ])
})

test('an end in the past or far away, and a device without rights are refused', async () => {
  const world = await makeWorld()
  const create = async (body: object) =>
    (await world.as('admin')).request('POST', '/api/admin/devices', { name: 'A', ...body })
  expect(await create({ until: '2025-08-08T11:59:59Z' })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'until', message: 'Choose a time in the future.' }] },
  })
  // In UTC this is another millennium, which no time in the API can say.
  expect(await create({ until: '9999-12-31T23:59:59-23:59' })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'until', message: 'Choose a time within ten years.' }] },
  })
  expect(await create({ rights: [] })).toMatchObject({ status: 400, body: { errors: [{ field: 'rights' }] } })
  expect(await create({ name: '\u200b' })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'name', message: 'Give the device a name of at most 40 characters' }] },
  })
  expect((await create({})).body).toMatchObject({ device: { until: null, endsAt: null } })
  await putOnSale(world)
  // The event is over: neither has it an end to come, nor does a phone that ends with it work.
  world.clock.set('2025-09-22T23:00:00Z')
  expect((await create({})).body).toMatchObject({ device: { until: '2025-09-23T23:00:00.000Z' } })
  expect(await create({ until: null })).toMatchObject({ status: 400, body: { errors: [{ field: 'until' }] } })
})

test('a phone gives its public key for the code, and is then a device', async () => {
  const world = await makeWorld()
  const { device, pairing } = await prepared(world, { name: 'Gate A', gates: ['Gate A'], rights: ['scan'] })
  const keys = await phoneKeys()
  const typed = pairing.code.toLowerCase().replace('-', ' ')
  expect(await pair(world, typed, { ...keys.publicKey, ext: true, key_ops: ['verify'] })).toMatchObject({
    status: 200,
    body: {
      device: { id: device.id, name: 'Gate A', gates: ['Gate A'], rights: ['scan'], until: device.until },
      serverTime: world.clock.now().toISOString(),
    },
  })
  const phone = world.client(await deviceToken(world, { id: device.id, ...keys }))
  expect((await phone.request('GET', '/api/devices/me')).body).toMatchObject({
    device: { id: device.id, shiftName: null },
  })
  const admin = await world.as('admin')
  expect(await devicesOf(admin)).toMatchObject([
    { state: 'paired', label: 'Chrome on Android', pairedAt: world.clock.now().toISOString(), codeExpiresAt: null },
  ])
  expect(await auditOf(admin, 'device.paired')).toMatchObject([
    { actorName: 'Gate A', subject: device.id, detail: 'Chrome on Android' },
  ])
})

test('a code works once; the phone that used it gets its answer again, another one does not', async () => {
  const world = await makeWorld()
  const { device, pairing } = await prepared(world)
  const [first, second] = [await phoneKeys(), await phoneKeys()]
  expect((await pair(world, pairing.code, first.publicKey)).status).toBe(200)
  world.clock.forward(11 * MINUTE)
  expect(await pair(world, pairing.code, first.publicKey)).toMatchObject({
    status: 200,
    body: { device: { id: device.id } },
  })
  expect(await pair(world, pairing.code, second.publicKey)).toMatchObject({
    status: 409,
    body: { code: 'PAIRING_USED' },
  })
  expect(await auditOf(await world.as('admin'), 'device.paired')).toHaveLength(1)
})

test('two phones that use a code at the same moment: one gets the place', async () => {
  const world = await makeWorld()
  const { pairing } = await prepared(world)
  const phones = await Promise.all(Array.from({ length: 6 }, phoneKeys))
  const answers = await Promise.all(phones.map(({ publicKey }) => pair(world, pairing.code, publicKey)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
})

test('a code that nobody used in ten minutes is void, as is a wrong or revoked one', async () => {
  const world = await makeWorld()
  const { publicKey } = await phoneKeys()
  const { pairing } = await prepared(world)
  expect(await pair(world, '0000-0000', publicKey)).toMatchObject({ status: 404, body: { code: 'PAIRING_INVALID' } })
  expect(await pair(world, 'nonsense', publicKey)).toMatchObject({ status: 404, body: { code: 'PAIRING_INVALID' } })
  world.clock.forward(10 * MINUTE)
  expect(await pair(world, pairing.code, publicKey)).toMatchObject({ status: 409, body: { code: 'PAIRING_EXPIRED' } })

  const other = await prepared(world)
  const admin = await world.as('admin')
  await must(admin.request('PATCH', `/api/admin/devices/${other.device.id}`, { revoked: true }))
  expect(await pair(world, other.pairing.code, publicKey)).toMatchObject({ status: 404 })
})

test.each([
  ['a point that is not on the curve', { x: 'A'.repeat(43), y: 'A'.repeat(43) }],
  ['another curve', { crv: 'P-384' }],
  ['a short coordinate', { x: 'AAAA' }],
])('%s is not a key', async (_, part) => {
  const world = await makeWorld()
  const { pairing } = await prepared(world)
  const { publicKey } = await phoneKeys()
  expect(await pair(world, pairing.code, { ...publicKey, ...part })).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_FAILED' },
  })
  // The code is not spent.
  expect((await pair(world, pairing.code, publicKey)).status).toBe(200)
})

test('a new code lets another phone take the place, and the old key is then worth nothing', async () => {
  const world = await makeWorld()
  const phone = await pairedPhone(world)
  const admin = await world.as('admin')
  const { pairing } = await must(admin.request('PATCH', `/api/admin/devices/${phone.id}`, { renewCode: true }))
  const old = await phone.client()
  // Until somebody uses the new code, the first phone keeps working.
  expect((await old.request('GET', '/api/devices/me')).status).toBe(200)
  expect(await devicesOf(admin)).toMatchObject([{ state: 'paired', codeExpiresAt: expect.any(String) }])
  const next = await phoneKeys()
  expect((await pair(world, (pairing as { code: string }).code, next.publicKey)).status).toBe(200)
  expect(await old.request('GET', '/api/devices/me')).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } })
  const anew = world.client(await deviceToken(world, { id: phone.id, ...next }))
  expect((await anew.request('GET', '/api/devices/me')).status).toBe(200)
})

test('changes of a device take effect at its next call, and are on record', async () => {
  const world = await makeWorld()
  const phone = await pairedPhone(world, { rights: ['scan'] })
  const client = await phone.client()
  const admin = await world.as('admin')
  expect((await client.request('GET', '/api/admin/gate')).status).toBe(403)
  const change = {
    name: 'Gate B phone',
    gates: ['Gate B'],
    rights: ['scan', 'supervise'],
    until: '2025-08-08T20:00:00Z',
  }
  const { device } = await must(admin.request('PATCH', `/api/admin/devices/${phone.id}`, change))
  expect(device).toMatchObject({ name: 'Gate B phone', gates: ['Gate B'], until: '2025-08-08T20:00:00.000Z' })
  expect((await client.request('GET', '/api/admin/gate')).status).toBe(200)
  expect(await auditOf(admin, 'device.changed')).toMatchObject([
    {
      subjectName: 'Device Gate B phone',
      detail:
        'Name Gate A phone -> Gate B phone; Any gate -> Gate B; Scan codes -> Scan codes, Supervise; Until with the event -> 2025-08-08T20:00:00.000Z',
    },
  ])
  expect(await admin.request('PATCH', '/api/admin/devices/01K0000000000000000000000Z', {})).toMatchObject({
    status: 404,
    body: { code: 'DEVICE_NOT_FOUND' },
  })
})

test('the name of the shift is the name of the person who uses the phone', async () => {
  const world = await makeWorld()
  const phone = await pairedPhone(world)
  const client = await phone.client()
  const shift = (name: string) => client.request('PUT', '/api/devices/shift', { name })
  expect((await shift('ભાવના')).body).toMatchObject({ device: { id: phone.id, shiftName: 'ભાવના' } })
  expect((await shift('  ભાવના ')).status).toBe(200)
  expect((await shift('Ravi')).body).toMatchObject({ device: { shiftName: 'Ravi' } })
  expect((await shift(' ')).status).toBe(400)
  expect((await shift('x'.repeat(41))).status).toBe(400)
  expect(await auditOf(await world.as('admin'), 'device.shift')).toMatchObject([
    { actorName: 'Ravi', detail: 'ભાવના -> Ravi' },
    { actorName: 'ભાવના', detail: 'ભાવના' },
  ])
})

test('a device shows the version of its phone only where it is not the server’s', async () => {
  const world = await makeWorld()
  const phone = await pairedPhone(world)
  const admin = await world.as('admin')
  const shown = async () => ((await devicesOf(admin)) as DeskDevice[]).map(({ olderVersion }) => olderVersion)
  expect(await shown()).toEqual([null])
  const client = await phone.client()
  const beats = (query: Record<string, string>) =>
    must(client.request('GET', `/api/scanner/roster?${new URLSearchParams({ since: '0', unsent: '0', ...query })}`))
  await beats({})
  expect(await shown()).toEqual([null])
  await beats({ appVersion: '0.9.0+4f9c2ab' })
  expect(await shown()).toEqual(['0.9.0+4f9c2ab'])
  const { device } = await must(admin.request('PATCH', `/api/admin/devices/${phone.id}`, { name: 'Gate B' }))
  expect(device).toMatchObject({ name: 'Gate B', olderVersion: '0.9.0+4f9c2ab' })
  await beats({ appVersion: world.deps.settings.version })
  expect(await shown()).toEqual([null])
})

test('wrong codes from the venue and from everywhere never block the link of a QR', async () => {
  const world = await makeWorld({ limits: { pairing: 20, pairingAll: 30, visitor: 40 } })
  const { pairing } = await prepared(world)
  const { publicKey } = await phoneKeys()
  const statuses: number[] = []
  for (let n = 0; n < 60; n += 1) statuses.push((await pair(world, '0000-0000', publicKey)).status)
  expect(statuses.filter((status) => status === 404)).toHaveLength(20)
  for (let n = 0; n < 50; n += 1) await world.nobody.request('GET', '/api/config')
  expect((await pair(world, pairing.code, publicKey)).status).toBe(429)
  expect((await pair(world, pairing.url, publicKey)).status).toBe(200)
})

test('correct codes never count as guesses, however many phones of a venue send theirs at once', async () => {
  const world = await makeWorld({ limits: { pairing: 2, pairingAll: 2 } })
  const codes: string[] = []
  while (codes.length < 6) codes.push((await prepared(world)).pairing.code)
  const { publicKey } = await phoneKeys()
  const paired = await Promise.all(codes.map((code) => pair(world, code, publicKey)))
  expect(paired.map(({ status }) => status)).toEqual(codes.map(() => 200))
  const wrong = await Promise.all(codes.map(() => pair(world, 'AAAA-0000', publicKey)))
  expect(wrong.map(({ status }) => status).toSorted()).toEqual([404, 404, 429, 429, 429, 429])
})

test('a link counts as a whole: the right code with another secret is not known', async () => {
  const world = await makeWorld()
  const { pairing } = await prepared(world)
  const { publicKey } = await phoneKeys()
  const forged = `${pairing.code.replace('-', '')}${'0'.repeat(26)}`
  expect(await pair(world, forged, publicKey)).toMatchObject({ status: 404, body: { code: 'PAIRING_INVALID' } })
  expect((await pair(world, pairing.url, publicKey)).status).toBe(200)
  // The same phone, its answer lost, may also type the code.
  expect((await pair(world, pairing.code, publicKey)).status).toBe(200)
  const stored = JSON.stringify(await world.sql('select * from paired_devices'))
  expect(stored).not.toContain(new URL(pairing.url).hash.slice(1))
})
