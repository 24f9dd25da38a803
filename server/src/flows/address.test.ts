import { READ_ONLY } from '@garba/shared/messages/readOnly'
import { expect, test, vi } from 'vitest'
import { createApp } from '../app.ts'
import { testOnSqlite } from '../testing/database.ts'
import { backupOf, takenOver } from '../testing/epochs.ts'
import { bought, buy, putOnSale } from '../testing/scenes.ts'
import { makeWorld, type World } from '../testing/world.ts'
import { watchAddress } from './address.ts'
import { ensureEpoch } from './epoch.ts'

const URL = 'https://tickets.example.org'
const NOT_FOUND = READ_ONLY.unconfirmed(URL)

type Answering = (path: string) => Response | Promise<Response>
const nobody: Answering = () => Promise.reject(new TypeError('fetch failed'))
const hotel: Answering = () => new Response('<h1>Hotel Wi-Fi</h1>', { headers: { 'content-type': 'text/html' } })

/** What the name of the address leads to. */
function aName(first: Answering) {
  const name = { leadsTo: first, asked: 0 }
  const ask = async (url: string) => {
    name.asked += 1
    return name.leadsTo(url.replace(URL, ''))
  }
  return { name, ask }
}

const aWorld = (settings: Record<string, string> = {}) => makeWorld({ settings: { PUBLIC_URL: URL, ...settings } })

/** The server started anew on its database, asking at once. */
async function restarted(world: World, first: Answering) {
  const epoch = await ensureEpoch({ ...world.deps, store: world.store })
  const deps = { ...world.deps, store: epoch.guard(world.store), epoch }
  const app = createApp(deps)
  const { name, ask } = aName(first)
  const watch = watchAddress(deps, { ask, urgentMs: 5 })
  return { name, epoch, deps, app, itself: (path: string) => app.request(path), begin: watch.begin }
}

const settled = (world: World, key: string) =>
  vi.waitFor(async () => expect(await world.sql('select value from meta where key = ?', key)).toHaveLength(1))

/** A world whose server has met itself at its address. */
async function confirmedWorld(): Promise<World> {
  const world = await aWorld()
  await putOnSale(world)
  const server = await restarted(world, nobody)
  server.name.leadsTo = server.itself
  server.begin()
  await settled(world, 'confirmedAt')
  return world
}

test.each([
  ['nothing answers', nobody],
  ['a stranger answers', hotel],
])('a server that was never met at its address sells where %s', async (_, answer) => {
  const world = await aWorld()
  await putOnSale(world)
  const { begin, epoch, name } = await restarted(world, answer)
  begin()
  await vi.waitFor(() => expect(name.asked).toBe(1))
  await bought(await world.as('guest'))
  expect(epoch.readOnly()).toBeNull()
})

test.each([
  ['of a demo', { FIREBASE_PROJECT_ID: 'demo-garba' }],
  ['on this machine', { PUBLIC_URL: 'https://localhost' }],
  ['without HTTPS', { PUBLIC_URL: 'http://tickets.example.org' }],
  ['with SKIP_ADDRESS_CHECK', { SKIP_ADDRESS_CHECK: '1' }],
])('an address %s is not asked about', async (_, settings) => {
  const world = await aWorld(settings)
  const { begin, name } = await restarted(world, nobody)
  begin()
  await world.nobody.request('GET', '/api/config')
  expect(name.asked).toBe(0)
})

test('after a restart, writes wait until the server has found itself, and none is lost', async () => {
  const world = await confirmedWorld()
  const met = Promise.withResolvers<void>()
  const server = await restarted(world, nobody)
  server.name.leadsTo = (path) => met.promise.then(() => server.itself(path))
  server.begin()
  let done = false
  const write = server.deps.store
    .write(async () => undefined)
    .then(() => {
      done = true
    })
  await server.itself('/api/event')
  expect([done, server.epoch.readOnly()]).toEqual([false, null])
  met.resolve()
  await write
  expect(server.epoch.readOnly()).toBeNull()
  // What it hears later, as of a proxy that is being restarted, changes nothing.
  server.epoch.decide(false)
  expect(server.epoch.readOnly()).toBeNull()
})

test.each([
  ['nothing answers', nobody],
  ['a stranger answers', hotel],
])('where %s at an address that was its own, a server is read-only until it meets itself', async (_, answer) => {
  const world = await confirmedWorld()
  const server = await restarted(world, answer)
  server.begin()
  await expect(server.deps.store.write(async () => undefined)).rejects.toMatchObject({ code: 'READ_ONLY' })
  expect(server.epoch.readOnly()).toBe(NOT_FOUND)
  expect(await (await server.itself('/healthz')).json()).toMatchObject({ success: true, readOnly: NOT_FOUND })
  const began = Promise.withResolvers<void>()
  server.epoch.onceWriting(began.resolve)
  server.name.leadsTo = server.itself
  await began.promise
  await server.deps.store.write(async () => undefined)
})

test('two servers of one database are one, whichever of them the name leads to', async () => {
  const world = await confirmedWorld()
  const [first, second] = [await restarted(world, nobody), await restarted(world, nobody)]
  first.name.leadsTo = second.itself
  first.begin()
  await first.deps.store.write(async () => undefined)
  expect(first.epoch.readOnly()).toBeNull()
})

testOnSqlite(
  'a server that took over writes once the name leads to it, and the old one, started again, not any more',
  async () => {
    const world = await confirmedWorld()
    const backup = backupOf(world)
    const fresh = await takenOver(backup, world.deps)
    const { name, ask } = aName((path) => world.app.request(path))
    watchAddress(fresh.deps, { ask, urgentMs: 5 }).begin()
    await vi.waitFor(() => expect(fresh.epoch.readOnly()).toBe(NOT_FOUND))
    const began = Promise.withResolvers<void>()
    fresh.epoch.onceWriting(began.resolve)
    name.leadsTo = (path) => fresh.app.request(path)
    await began.promise

    const old = await restarted(world, name.leadsTo)
    old.begin()
    await expect(old.deps.store.write(async () => undefined)).rejects.toMatchObject({ code: 'READ_ONLY' })
    expect(old.epoch.readOnly()).toBe(READ_ONLY.replaced)
    // It keeps that, and a server that still runs hears it from the first client.
    const again = await restarted(world, nobody)
    expect(again.epoch.readOnly()).toBe(READ_ONLY.replaced)
    expect((await buy(await world.as('guest'), 1)).status).toBe(201)
  },
)
