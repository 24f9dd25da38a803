import { READ_ONLY } from '@garba/shared/messages/codes'
import { expect, test, vi } from 'vitest'
import { createApp } from '../../app.ts'
import { checkTakeover } from '../../doctor/outside.ts'
import { testOnSqlite } from '../../testing/database.ts'
import { backupOf, takenOver } from '../../testing/epochs.ts'
import { buy, putOnSale } from '../../testing/scenes.ts'
import { makeWorld, type World } from '../../testing/world.ts'
import { watchAddress } from './address.ts'
import { ensureEpoch } from './epoch.ts'

const URL = 'https://tickets.example.org'

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

test.each([
  ['nothing answers', nobody],
  ['a stranger answers', hotel],
])('a server sells where %s at its address', async (_, answer) => {
  const world = await aWorld()
  await putOnSale(world)
  const { begin, epoch, deps, name } = await restarted(world, answer)
  begin()
  await deps.store.write(async () => undefined)
  expect(name.asked).toBe(1)
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

test('after a start, writes wait until the server has asked, and none is lost', async () => {
  const world = await aWorld()
  await putOnSale(world)
  const met = Promise.withResolvers<void>()
  const server = await restarted(world, nobody)
  server.name.leadsTo = (path) => met.promise.then(() => server.itself(path))
  server.begin()
  const began = vi.fn()
  server.epoch.onceWriting(began)
  let done = false
  const write = server.deps.store
    .write(async () => undefined)
    .then(() => {
      done = true
    })
  await server.itself('/api/event')
  expect([done, server.epoch.readOnly()]).toEqual([false, null])
  expect(began).not.toHaveBeenCalled()
  met.resolve()
  await write
  expect(server.epoch.readOnly()).toBeNull()
  expect(began).toHaveBeenCalledOnce()
})

test('a copy with the address of a running server is read-only until the name leads to it, and while nobody answers', async () => {
  const [world, running] = [await aWorld(), await aWorld()]
  const server = await restarted(world, (path) => running.app.request(path))
  server.begin()
  await expect(server.deps.store.write(async () => undefined)).rejects.toMatchObject({ code: 'READ_ONLY' })
  expect(await (await server.itself('/healthz')).json()).toMatchObject({ success: true, readOnly: READ_ONLY.replaced })
  const began = Promise.withResolvers<void>()
  server.epoch.onceWriting(began.resolve)
  const { asked } = server.name
  server.name.leadsTo = nobody
  await vi.waitFor(() => expect(server.name.asked).toBeGreaterThan(asked + 1), 30_000)
  expect(server.epoch.readOnly()).toBe(READ_ONLY.replaced)
  server.name.leadsTo = server.itself
  await began.promise
  await server.deps.store.write(async () => undefined)
})

test('the doctor says who answers at the address', async () => {
  const [world, running] = [await aWorld(), await aWorld()]
  const check = async (answer: Answering) => {
    vi.stubGlobal('fetch', (url: string) => Promise.resolve(answer(url.replace(URL, ''))))
    return checkTakeover(world.deps.settings, world.store).finally(() => vi.unstubAllGlobals())
  }
  expect(await check((path) => world.app.request(path))).toMatchObject({ status: 'ok' })
  expect(await check(nobody)).toMatchObject({ status: 'warning', detail: expect.stringContaining(URL) })
  expect(await check((path) => running.app.request(path))).toMatchObject({
    status: 'failure',
    detail: READ_ONLY.replaced,
  })
})

test('two servers of one database are one, whichever of them the name leads to', async () => {
  const world = await aWorld()
  const [first, second] = [await restarted(world, nobody), await restarted(world, nobody)]
  first.name.leadsTo = second.itself
  first.begin()
  await first.deps.store.write(async () => undefined)
  expect(first.epoch.readOnly()).toBeNull()
})

testOnSqlite(
  'a server that took over writes once the name leads to it, and the running one then not any more',
  async () => {
    const world = await aWorld()
    await putOnSale(world)
    const fresh = await takenOver(backupOf(world), world.deps)
    const { name, ask } = aName((path) => world.app.request(path))
    for (const deps of [world.deps, fresh.deps]) watchAddress(deps, { ask, urgentMs: 5 }).begin()
    await vi.waitFor(() => expect(fresh.epoch.readOnly()).toBe(READ_ONLY.replaced), 30_000)
    expect((await buy(await world.as('guest'), 1)).status).toBe(201)
    const began = Promise.withResolvers<void>()
    fresh.epoch.onceWriting(began.resolve)
    name.leadsTo = (path) => fresh.app.request(path)
    await began.promise
    // As at the next minute.
    watchAddress(world.deps, { ask, urgentMs: 5 }).begin()
    expect(await buy(await world.as('guest'), 1)).toMatchObject({ status: 503, body: { code: 'READ_ONLY' } })
  },
)
