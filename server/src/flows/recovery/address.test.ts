import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EPOCH_HEADER } from '@garba/shared/constants'
import { READ_ONLY } from '@garba/shared/messages/codes'
import { expect, test, vi } from 'vitest'
import { createApp } from '../../app.ts'
import { backUp } from '../../store/engine/backup.ts'
import { BEGINNING } from '../../testing/clock.ts'
import { testOnSqlite } from '../../testing/database.ts'
import { backupOf, serverOn, takenOver } from '../../testing/epochs.ts'
import { temporaryFolder } from '../../testing/process.ts'
import { bought, buy, putOnSale } from '../../testing/scenes.ts'
import { makeWorld, type World } from '../../testing/world.ts'
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
  vi.waitFor(async () => expect(await world.sql('select value from meta where key = ?', key)).toHaveLength(1), 30_000)

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
  await vi.waitFor(() => expect(name.asked).toBe(1), 30_000)
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
    await vi.waitFor(() => expect(fresh.epoch.readOnly()).toBe(NOT_FOUND), 30_000)
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

const PEER = 'https://standby.example.org'
const later = (ms: number) => `${BEGINNING.getTime() + ms}.${'A'.repeat(22)}`

/** A world with an event on sale. The test decides which servers answer at the names that it asks, and their epochs. */
async function aServer({ settings = {}, places = {} }: { settings?: Record<string, string>; places?: Places } = {}) {
  const world = await makeWorld({ settings: { PUBLIC_URL: URL, SKIP_ADDRESS_CHECK: '1', ...settings } })
  await putOnSale(world)
  const asked: string[] = []
  const ask = async (url: string) => {
    const { origin, pathname, search } = new globalThis.URL(url)
    asked.push(origin)
    return (places[origin] ?? nobody)(`${pathname}${search}`)
  }
  const watch = watchAddress(world.deps, { ask, urgentMs: 5, restMs: 20 })
  watch.begin()
  const guest = await world.as('guest')
  /** A client shows a token, and whatever the server asks is answered. */
  const shown = async (token: string) => {
    await world.nobody.request('GET', '/api/config', undefined, { [EPOCH_HEADER]: token })
    await sleep(60)
  }
  return { ...world, places, asked, guest, shown }
}
type Places = Record<string, Answering>

test.each([
  ['far in the future', later(5 * 60_000 + 1)],
  ['as far as a number can be', `${'9'.repeat(15)}.${'A'.repeat(22)}`],
  ['that is no token', 'x'.repeat(5_000)],
  ['before its own', `0.${'A'.repeat(22)}`],
])('an epoch %s is ignored', async (_, token) => {
  const { asked, shown, guest } = await aServer()
  await shown(token)
  expect(asked).toEqual([])
  await bought(guest)
})

test('a later epoch that no server proves changes nothing, and clients cannot make it ask often', async () => {
  const { asked, shown, guest, places, app, deps } = await aServer({ settings: { PEERS: PEER } })
  const stranger = await makeWorld({ settings: { PUBLIC_URL: URL } })
  const itself: Answering = (path) => app.request(path)
  for (const answer of [nobody, hotel, (path: string) => stranger.app.request(path), itself]) {
    places[URL] = answer
    places[PEER] = answer
    asked.splice(0)
    await shown(later(1_000))
    expect(asked.toSorted()).toEqual([PEER, URL])
  }
  asked.splice(0)
  await Promise.all(Array.from({ length: 50 }, () => shown(later(2_000))))
  expect(asked.length).toBeLessThanOrEqual(8)
  await bought(guest)
  expect(deps.epoch.readOnly()).toBeNull()
})

testOnSqlite('a copy of the database proves nothing: neither as it is nor with an invented proof', async () => {
  const world = await aServer()
  const old = await serverOn(backupOf(world), world.deps)
  world.places[URL] = (path) => old.app.request(path)
  await world.shown(later(1_000))
  expect(world.deps.epoch.readOnly()).toBeNull()

  world.places[URL] = async (path) => {
    const answer = (await (await old.app.request(path)).json()) as object
    const epoch = BEGINNING.getTime() + 1_000
    return Response.json({ ...answer, succession: { epoch, proof: old.epoch.token.split('.')[1] } })
  }
  await world.shown(later(1_000))
  expect(world.deps.epoch.readOnly()).toBeNull()
  await bought(world.guest)
})

testOnSqlite(
  'a copy from before a restore cannot take over from the restored server, nor one with another address',
  async () => {
    const world = await aServer()
    const copy = backupOf(world)
    world.clock.forward(1_000)
    const restored = await takenOver(copy, world.deps)
    const places: Places = {}
    const ask = (url: string) => (places[new globalThis.URL(url).origin] ?? nobody)(url.replace(URL, ''))
    const watch = watchAddress(restored.deps, { ask: async (url) => ask(url), restMs: 0 })
    watch.begin()
    const shown = async () => {
      await restored.app.request('/api/config', { headers: { [EPOCH_HEADER]: later(120_000) } })
      await watch.idle()
      await sleep(5)
      return restored.epoch.readOnly()
    }
    world.clock.forward(60_000)
    const forged = await takenOver(copy, world.deps)
    places[URL] = (path) => forged.app.request(path)
    expect(await shown()).toBeNull()

    const elsewhere = { ...world.deps, settings: { ...world.deps.settings, publicUrl: 'https://copy.example.org' } }
    const backup = join(temporaryFolder(), 'backup.db')
    backUp({ database: restored.file, file: backup, now: world.clock.now() })
    const tryOut = await takenOver(backup, elsewhere)
    places[URL] = (path) => tryOut.app.request(path)
    expect(await shown()).toBeNull()

    // The successor of the restored server can.
    world.clock.forward(10_000)
    const next = await takenOver(backup, world.deps)
    places[URL] = (path) => next.app.request(path)
    expect(await shown()).toBe(READ_ONLY.replaced)
  },
)

testOnSqlite('a peer that took over is found without any client', async () => {
  const world = await confirmedPeers()
  expect(world.deps.epoch.readOnly()).toBe(READ_ONLY.replaced)
})

/** A server whose peer has taken over with its backup. */
async function confirmedPeers() {
  const world = await makeWorld({ settings: { PUBLIC_URL: 'http://localhost:8080', PEERS: PEER } })
  world.clock.forward(1_000)
  const peer = await takenOver(backupOf(world), world.deps)
  const watch = watchAddress(world.deps, { ask: async (url) => peer.app.request(url.replace(PEER, '')), urgentMs: 5 })
  watch.begin()
  await vi.waitFor(() => expect(world.deps.epoch.readOnly()).not.toBeNull(), 30_000)
  return world
}

test('what an earlier version kept of a forged epoch silences no restart; the server asks once', async () => {
  const world = await aWorld({ SKIP_ADDRESS_CHECK: '1' })
  await putOnSale(world)
  await world.sql("insert into meta (key, value) values ('replacedBy', ?)", `${'9'.repeat(15)}.${'A'.repeat(22)}`)
  const server = await restarted(world, nobody)
  server.begin()
  await vi.waitFor(() => expect(server.name.asked).toBe(1), 30_000)
  expect(server.epoch.readOnly()).toBeNull()
  await server.deps.store.write(async () => undefined)
  expect(await world.sql("select * from meta where key = 'replacedBy'")).toEqual([])
})
