import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeWorld } from '../testing/world.ts'

test('a server whose database file was removed is not well, and says so', async () => {
  const world = await makeWorld()
  const admin = await world.as('admin')
  const health = async () => (await admin.request('GET', '/api/admin/system/health')).body
  expect(await world.nobody.request('GET', '/healthz')).toMatchObject({ status: 200, body: { success: true } })
  expect(await health()).toMatchObject({ data: { database: { ok: true } } })
  rmSync(world.file)
  expect(await world.nobody.request('GET', '/healthz')).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
  expect(await health()).toMatchObject({ data: { database: { ok: false } } })
  expect(world.log.some((line) => line.includes('the database file is gone'))).toBe(true)
})
