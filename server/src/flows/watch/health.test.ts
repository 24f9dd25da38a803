import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Client, makeWorld, type World } from '../../testing/world.ts'

const healthOf = async (admin: Client) => (await admin.request('GET', '/api/admin/system/health')).body
const ask = (world: World) => world.nobody.request('GET', '/healthz')

test('a server that reads and writes its database is healthy', async () => {
  const world = await makeWorld()
  expect(await ask(world)).toMatchObject({ status: 200, body: { success: true } })
  expect(await healthOf(await world.as('admin'))).toMatchObject({ data: { database: { ok: true } } })
})

test('a server whose database file was replaced or removed reports that it is not healthy', async () => {
  const world = await makeWorld()
  const admin = await world.as('admin')
  const file = world.sqliteStore().sqlite.name
  copyFileSync(file, `${file}.other`)
  renameSync(`${file}.other`, file)
  for (const _ of ['replaced', 'removed']) {
    expect(await ask(world)).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
    expect(await healthOf(admin)).toMatchObject({ data: { database: { ok: false } } })
    rmSync(file, { force: true })
  }
  expect(world.log.some((line) => line.includes('the database file is gone'))).toBe(true)
})
