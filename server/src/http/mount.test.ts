import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { putOnSale } from '../testing/scenes.ts'
import { makeWorld } from '../testing/world.ts'

const BODY_CALLS = [
  ['POST', '/api/tickets', 'guest'],
  ['PATCH', '/api/tickets/cancel/x', 'guest'],
  ['PUT', '/api/auth/profile', 'guest'],
  ['POST', '/api/event', 'admin'],
  ['PUT', '/api/event', 'admin'],
  ['POST', '/api/tickets/verify-qr', 'qrchecker'],
  ['POST', '/api/tickets/mark-used', 'qrchecker'],
  ['POST', '/api/tickets/mark-used/batch', 'qrchecker'],
  ['POST', '/api/tickets/mark-used/undo', 'qrchecker'],
  ['POST', '/api/auth/google-signin', 'guest'],
  ['POST', '/api/log-error', 'guest'],
] as const

const HUGE = JSON.stringify({ x: 'x'.repeat(9_000_000) })

test.each(BODY_CALLS)('%s %s says what is wrong with a body', async (method, path, role) => {
  const client = await (await makeWorld()).as(role)
  for (const text of ['{', '{"quantity":', 'quantity=1', '\u0000']) {
    const { status, body } = await client.request(method, path, text)
    expect({ text, status, ...body }).toMatchObject({ text, status: 400, success: false, code: 'MALFORMED_JSON' })
  }
  for (const text of [undefined, '""', '[]', 'null', '7', 'true']) {
    const { status, body } = await client.request(method, path, text)
    expect({ text, status, ...body }).toMatchObject({ text, status: 400, success: false, code: 'VALIDATION_FAILED' })
  }
  // Too large, without and with a declared length.
  for (const headers of [{}, { 'Content-Length': String(HUGE.length) }])
    expect(await client.request(method, path, HUGE, headers)).toMatchObject({
      status: 413,
      body: { code: 'PAYLOAD_TOO_LARGE' },
    })
})

test.each([
  ['/api/admin/users?page=0', 'page', 'This field is not valid'],
  ['/api/admin/users?role=king', 'role', 'This field is not valid'],
])('%s is refused with a message fit for people', async (path, field, message) => {
  const admin = await (await makeWorld()).as('admin')
  const reply = await admin.request('GET', path)
  expect(reply.body).toMatchObject({ code: 'VALIDATION_FAILED', message, errors: [{ field, message }] })
})

test('whatever is no call answers JSON 404', async () => {
  const { nobody } = await makeWorld()
  for (const [method, path] of [
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/nope'],
    ['POST', '/api/nope'],
    ['DELETE', '/api/event'],
    ['GET', '/api/tickets'],
    ['GET', '/api/auth/me/more'],
    ['GET', '/api/..%2fhealthz'],
  ] as const) {
    const { status, body } = await nobody.request(method, path)
    expect({ path, status, ...body }).toMatchObject({ path, status: 404, success: false, code: 'NOT_FOUND' })
  }
})

test('a body far above the call’s own limit is refused even if other calls accept it', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const guest = await world.as('guest')
  const reply = await guest.request('POST', '/api/tickets', { quantity: 1, note: 'x'.repeat(70_000) })
  expect(reply).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
})

test('a key named __proto__ is refused like any other unknown field', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const guest = await world.as('guest')
  const reply = await guest.request('POST', '/api/tickets', '{"quantity":1,"__proto__":{"quantity":5}}', {
    'Idempotency-Key': randomUUID(),
  })
  expect(reply).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  expect((await guest.request('GET', '/api/tickets/my-tickets')).body.tickets).toEqual([])
})
