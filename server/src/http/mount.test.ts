import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
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

describe.each(BODY_CALLS)('%s %s', (method, path, role) => {
  test.each(['{', '{"quantity":', 'quantity=1', '\u0000'])('reports that %j cannot be read', async (text) => {
    const client = await (await makeWorld()).as(role)
    const reply = await client.request(method, path, text)
    expect(reply).toMatchObject({ status: 400, body: { success: false, code: 'MALFORMED_JSON' } })
  })

  test.each([undefined, '""', '[]', 'null', '7', 'true'])('reports that %s is not a valid body', async (text) => {
    const client = await (await makeWorld()).as(role)
    const reply = await client.request(method, path, text)
    expect(reply).toMatchObject({ status: 400, body: { success: false, code: 'VALIDATION_FAILED' } })
  })

  test('reports that 9 MB is too large, with or without a declared length', async () => {
    const client = await (await makeWorld()).as(role)
    const huge = JSON.stringify({ x: 'x'.repeat(9_000_000) })
    expect(await client.request(method, path, huge)).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
    const declared = await client.request(method, path, huge, { 'Content-Length': String(huge.length) })
    expect(declared).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
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

test.each([
  ['GET', '/api'],
  ['GET', '/api/'],
  ['GET', '/api/nope'],
  ['POST', '/api/nope'],
  ['DELETE', '/api/event'],
  ['GET', '/api/tickets'],
  ['GET', '/api/auth/me/more'],
  ['GET', '/api/..%2fhealthz'],
])('%s %s answers JSON 404', async (method, path) => {
  const { nobody } = await makeWorld()
  expect(await nobody.request(method, path)).toMatchObject({ status: 404, body: { success: false, code: 'NOT_FOUND' } })
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
