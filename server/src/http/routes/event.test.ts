import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testOnSqlite } from '../../testing/database.ts'
import { bought, buy, eventForm, putOnSale } from '../../testing/scenes.ts'
import { makeWorld } from '../../testing/world.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const dataUrl = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`

describe('the event', () => {
  testOnSqlite('is null until an admin creates it; then everyone can read it', async () => {
    const world = await makeWorld()
    expect((await world.nobody.request('GET', '/api/event')).body).toEqual({ success: true, data: null })
    expect((await world.nobody.request('GET', '/api/event/exists')).body).toEqual({ success: true, exists: false })
    const created = await putOnSale(world)
    expect(created).toMatchObject({
      ticketPrice: 299,
      groupPrice4: 249,
      availableTickets: 500,
      startsAt: '2025-09-22T13:00:00.000Z',
      endsAt: '2025-09-22T17:00:00.000Z',
    })
    expect((await world.nobody.request('GET', '/api/event')).body.data).toEqual(created)
    expect((await world.nobody.request('GET', '/api/event/exists')).body.exists).toBe(true)
  })

  testOnSqlite('cannot be created twice', async () => {
    const world = await makeWorld()
    await putOnSale(world)
    const admin = await world.as('admin')
    expect(await admin.request('POST', '/api/event', eventForm())).toMatchObject({
      status: 409,
      body: { code: 'EVENT_EXISTS' },
    })
  })

  testOnSqlite('cannot be changed before it is created', async () => {
    const admin = await (await makeWorld()).as('admin')
    expect(await admin.request('PUT', '/api/event', eventForm())).toMatchObject({ status: 404 })
  })

  testOnSqlite('reports each invalid field with the form’s message', async () => {
    const admin = await (await makeWorld()).as('admin')
    const reply = await admin.request('POST', '/api/event', eventForm({ name: ' ', endTime: '18:00', ticketPrice: 0 }))
    expect(reply).toMatchObject({
      status: 400,
      body: {
        code: 'VALIDATION_FAILED',
        message: 'Please fix the validation errors before submitting',
        errors: [
          { field: 'name', message: 'Event name is required' },
          { field: 'endTime', message: 'End time must be after start time' },
          { field: 'ticketPrice', message: 'Valid ticket price is required (must be greater than 0)' },
        ],
      },
    })
  })

  testOnSqlite('may be today but not yesterday, in the event’s time zone', async () => {
    const world = await makeWorld()
    world.clock.set('2025-08-31T19:00:00Z') // 00:30 on 1 September in Kolkata
    const admin = await world.as('admin')
    expect(await admin.request('POST', '/api/event', eventForm({ date: '2025-08-31' }))).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'date', message: 'Event date cannot be in the past' }] },
    })
    expect((await admin.request('POST', '/api/event', eventForm({ date: '2025-09-01' }))).status).toBe(201)
  })

  testOnSqlite('cannot shrink below its active and used tickets', async () => {
    const world = await makeWorld()
    await putOnSale(world)
    await bought(await world.as('guest'), 5)
    const admin = await world.as('admin')
    expect(await admin.request('PUT', '/api/event', eventForm({ totalTickets: 4 }))).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'totalTickets', message: expect.stringContaining('5 tickets') }] },
    })
    const full = await admin.request('PUT', '/api/event', eventForm({ totalTickets: 5 }))
    expect(full.body.data).toMatchObject({ totalTickets: 5, availableTickets: 0 })
  })
})

describe('a date', () => {
  const dateError = (message: string) => ({ status: 400, body: { errors: [{ field: 'date', message }] } })

  testOnSqlite('more than five years ahead is refused and leaves the event as it was', async () => {
    const world = await makeWorld()
    const before = await putOnSale(world)
    const admin = await world.as('admin')
    for (const date of ['2030-08-09', '9999-12-31'])
      expect(await admin.request('PUT', '/api/event', eventForm({ date }))).toMatchObject(
        dateError('Event date must be within the next 5 years'),
      )
    expect((await world.nobody.request('GET', '/api/event')).body.data).toEqual(before)
    expect((await admin.request('PUT', '/api/event', eventForm({ date: '2030-08-08' }))).status).toBe(200)
  })

  test.each([
    ['Asia/Kolkata', '9999-12-31'],
    ['America/New_York', '9999-12-31'],
    ['Pacific/Kiritimati', '0000-01-01'],
  ])(
    'stored in %s as %s, before the limit existed, stays readable and can be repaired on the desk',
    async (zone, date) => {
      const world = await makeWorld({ settings: { EVENT_TIMEZONE: zone } })
      await putOnSale(world)
      await world.sql('update events set date = ?, start_time = ?, end_time = ?', date, '00:00', '23:59')
      const admin = await world.as('admin')
      const checker = await world.as('qrchecker')
      expect((await world.nobody.request('GET', '/api/event')).body.data).toMatchObject({ date })
      expect((await admin.request('GET', '/api/admin/analytics/dashboard')).status).toBe(200)
      expect((await checker.request('GET', '/api/scanner/roster')).status).toBe(200)
      expect((await buy(await world.as('guest'), 1)).status).toBe(date < '2025' ? 409 : 201)
      expect(await admin.request('POST', '/api/event', eventForm())).toMatchObject({ body: { code: 'EVENT_EXISTS' } })
      expect((await admin.request('PUT', '/api/event', eventForm())).body.data).toMatchObject({ date: '2025-09-22' })
    },
  )

  testOnSqlite('in the past may be saved unchanged but not moved to another past date', async () => {
    const world = await makeWorld()
    await putOnSale(world)
    world.clock.set('2025-10-01T12:00:00Z')
    const admin = await world.as('admin')
    const renamed = await admin.request('PUT', '/api/event', eventForm({ name: 'Garba Rass, the film' }))
    expect(renamed).toMatchObject({ status: 200, body: { data: { name: 'Garba Rass, the film' } } })
    expect(await admin.request('PUT', '/api/event', eventForm({ date: '2025-09-23' }))).toMatchObject(
      dateError('Event date cannot be in the past'),
    )
  })
})

describe('an event that cannot be read', () => {
  const unreadable = async () => {
    const world = await makeWorld()
    await putOnSale(world)
    await world.sql("update events set date = 'someday'")
    return world
  }

  testOnSqlite('is an error, not a missing event', async () => {
    const { nobody } = await unreadable()
    for (const path of ['/api/event', '/api/event/exists'])
      expect(await nobody.request('GET', path)).toMatchObject({ status: 500, body: { code: 'INTERNAL' } })
  })

  test('blocks creating another one, and can be repaired', async () => {
    const world = await unreadable()
    const admin = await world.as('admin')
    expect(await admin.request('POST', '/api/event', eventForm())).toMatchObject({
      status: 409,
      body: { code: 'EVENT_EXISTS' },
    })
    expect((await admin.request('PUT', '/api/event', eventForm())).status).toBe(200)
    expect((await world.nobody.request('GET', '/api/event')).body.data).toMatchObject({ date: '2025-09-22' })
  })
})

/** Milliseconds that no Date can hold. */
const NO_MOMENT = 9_000_000_000_000_000

describe('a change that cannot be shown afterwards is not saved', () => {
  test('to the event', async () => {
    const world = await makeWorld()
    await putOnSale(world)
    await world.sql('update events set created_at = ?', NO_MOMENT)
    const admin = await world.as('admin')
    expect((await admin.request('PUT', '/api/event', eventForm({ name: 'Unseen' }))).status).toBe(500)
    expect(await world.sql('select name from events')).toEqual([{ name: 'Garba Rass 2025' }])
  })

  test('to a user', async () => {
    const world = await makeWorld()
    const admin = await world.as('admin')
    const { user } = await world.as('guest')
    await world.sql('update users set created_at = ? where id = ?', NO_MOMENT, user?.id)
    expect((await admin.request('PATCH', `/api/admin/users/${user?.id}/role`, { role: 'manager' })).status).toBe(500)
    expect(await world.sql('select role from users where id = ?', user?.id)).toEqual([{ role: 'guest' }])
  })
})

describe('the event image', () => {
  test('is stored under its hash and served as immutable', async () => {
    const world = await makeWorld()
    const { eventImage } = await putOnSale(world, { eventImage: dataUrl(PNG) })
    expect(eventImage).toBe(`/api/event/image/${createHash('sha256').update(PNG).digest('hex')}`)
    const image = await world.nobody.fetch('GET', eventImage ?? '')
    expect(image.headers.get('content-type')).toBe('image/png')
    expect(image.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(Buffer.from(await image.arrayBuffer())).toEqual(PNG)
    const known = { 'If-None-Match': image.headers.get('etag') ?? '' }
    const again = await world.nobody.fetch('GET', eventImage ?? '', { headers: known })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  testOnSqlite('stays when its address is sent back, and is removed by null', async () => {
    const world = await makeWorld()
    const { eventImage } = await putOnSale(world, { eventImage: dataUrl(PNG) })
    const admin = await world.as('admin')
    const kept = await admin.request('PUT', '/api/event', eventForm({ eventImage }))
    expect(kept.body.data).toMatchObject({ eventImage })
    const without = await admin.request('PUT', '/api/event', eventForm({ eventImage: null }))
    expect(without.body.data).toMatchObject({ eventImage: null })
    expect(await world.nobody.request('GET', eventImage ?? '')).toMatchObject({
      status: 404,
      body: { code: 'IMAGE_NOT_FOUND' },
    })
  })

  test.each([
    ['a page in disguise', dataUrl(Buffer.from('<html><script>alert(1)</script></html>'))],
    ['an SVG', dataUrl(Buffer.from('<svg/>'), 'image/svg+xml')],
    ['an address of nothing', '/api/event/image/0000'],
  ])('%s is refused', async (_, eventImage) => {
    const admin = await (await makeWorld()).as('admin')
    expect(await admin.request('POST', '/api/event', eventForm({ eventImage }))).toMatchObject({
      status: 400,
      body: {
        errors: [{ field: 'eventImage', message: 'Invalid image format. Please upload a valid image file.' }],
      },
    })
    expect((await admin.request('GET', '/api/event')).body.data).toBeNull()
  })

  testOnSqlite('of 5 MB fits; a body above 8 MB is too large', async () => {
    const admin = await (await makeWorld()).as('admin')
    const large = Buffer.concat([PNG, Buffer.alloc(5_242_880 - PNG.length)])
    expect((await admin.request('POST', '/api/event', eventForm({ eventImage: dataUrl(large) }))).status).toBe(201)
    const huge = eventForm({ aboutText: 'x'.repeat(8_400_000) })
    expect(await admin.request('PUT', '/api/event', huge)).toMatchObject({
      status: 413,
      body: { success: false, code: 'PAYLOAD_TOO_LARGE' },
    })
  })
})
