import { expect, test } from 'vitest'
import { deviceToken, pairedPhone, phoneKeys } from '../../src/testing/phone.ts'
import { makeWorld } from '../../src/testing/world.ts'

const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

test.each<[string, number, Record<string, (iat: number) => unknown>]>([
  ['signed now', 200, {}],
  ['by a clock a minute ahead', 200, { iat: (now) => now + 60, exp: (now) => now + 360 }],
  ['expired less than a minute ago', 200, { iat: (now) => now - 350, exp: (now) => now - 50 }],
  ['by a clock two minutes ahead', 401, { iat: (now) => now + 120, exp: (now) => now + 420 }],
  ['expired two minutes ago', 401, { iat: (now) => now - 420, exp: (now) => now - 120 }],
  ['that lives longer than five minutes', 401, { exp: (now) => now + 301 }],
  ['for another server', 401, { aud: () => 'https://elsewhere.example.org' }],
  ['of another issuer', 401, { iss: () => 'garba' }],
  ['about another device', 401, { sub: () => '01K0000000000000000000000Z' }],
  ['without an end', 401, { exp: () => undefined }],
  ['without a time', 401, { iat: () => undefined }],
  ['without an id of its own', 401, { jti: () => undefined }],
])('a token %s: %i', async (_, status, claims) => {
  const world = await makeWorld()
  const phone = await pairedPhone(world)
  const now = seconds(world.clock.now())
  const given = Object.fromEntries(Object.entries(claims).map(([claim, of]) => [claim, of(now)]))
  const client = world.client(await deviceToken(world, { ...phone, claims: given }))
  expect((await client.request('GET', '/api/devices/me')).status).toBe(status)
})

test('a token may be used again until it expires', async () => {
  const world = await makeWorld()
  const client = await (await pairedPhone(world)).client()
  const ask = async () => (await client.request('GET', '/api/devices/me')).status
  expect([await ask(), await ask()]).toEqual([200, 200])
  world.clock.forward(5 * 60_000)
  expect(await ask()).toBe(200)
  world.clock.forward(61_000)
  expect(await ask()).toBe(401)
})

test("only the device's own key counts, in its own algorithm", async () => {
  const world = await makeWorld()
  const [phone, other] = [await pairedPhone(world), await pairedPhone(world)]
  const ask = async (signing: Parameters<typeof deviceToken>[1]) =>
    (await world.client(await deviceToken(world, signing)).request('GET', '/api/devices/me')).status
  expect(await ask({ ...phone, privateKey: other.privateKey })).toBe(401)
  expect(await ask({ ...other, header: { alg: 'ES256', kid: phone.id } })).toBe(401)
  expect(await ask({ ...(await phoneKeys()), id: '01K0000000000000000000000Z' })).toBe(401)
  const payload = Buffer.from(JSON.stringify({ sub: phone.id })).toString('base64url')
  const forged = ['none', 'HS256'].map((alg) => ({ alg, kid: phone.id }))
  for (const header of [...forged, { alg: 'ES256' }, { alg: 'ES256', kid: {} }, 'x']) {
    const token = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${payload}.`
    expect((await world.client(token).request('GET', '/api/devices/me')).status).toBe(401)
  }
  expect(await ask(phone)).toBe(200)
})
