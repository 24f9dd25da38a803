import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { bought, codeOf, mark, putOnSale } from '../testing/scenes.ts'
import { type Client, makeWorld } from '../testing/world.ts'
import { HEARTBEAT_MS, STREAMS_PER_USER } from './sse.ts'

interface Event {
  event: string
  data: Record<string, unknown>
}

/** Reads server-sent events one by one; undefined at the end of the stream. */
async function listen(client: Client, path: string) {
  const response = await client.fetch('GET', path)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) throw new Error('no stream')
  onTestFinished(() => reader.cancel())
  let pending = ''
  const next = async (): Promise<Event | undefined> => {
    for (;;) {
      const end = pending.indexOf('\n\n')
      if (end >= 0) {
        const block = pending.slice(0, end)
        pending = pending.slice(end + 2)
        const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1] ?? ''
        return { event: field('event'), data: JSON.parse(field('data')) }
      }
      const { value, done } = await reader.read()
      if (done) return undefined
      pending += value
    }
  }
  return { next, close: () => reader.cancel() }
}

async function gate() {
  const world = await makeWorld()
  await putOnSale(world)
  const tickets = await bought(await world.as('guest'), 3)
  return { world, tickets, checker: await world.as('qrchecker') }
}

test('a ticket used at one gate is sent to every other gate as a delta', async () => {
  const { world, tickets, checker } = await gate()
  const { revision } = (await checker.request('GET', '/api/scanner/roster')).body
  const live = await listen(checker, `/api/scanner/live?since=${revision}`)
  expect(await live.next()).toMatchObject({ event: 'roster', data: { success: true, full: false, tickets: [] } })
  await mark(await world.as('admin'), { qrCode: codeOf(tickets[0]) })
  expect(await live.next()).toMatchObject({
    event: 'roster',
    data: { full: false, tickets: [{ id: tickets[0]._id, status: 'used' }] },
  })
})

test('a gate that a new device names is sent to every gate', async () => {
  const { world, checker } = await gate()
  const live = await listen(checker, '/api/scanner/live')
  await live.next()
  const admin = await world.as('admin')
  await admin.request('POST', '/api/admin/devices', { name: 'A', gates: ['North'] })
  expect((await live.next())?.data.gates).toEqual([{ name: 'North', kinds: [] }])
})

test('it starts with the changes since the requested revision, or with the whole roster', async () => {
  const { tickets, checker } = await gate()
  const { revision } = (await checker.request('GET', '/api/scanner/roster')).body
  await mark(checker, { qrCode: codeOf(tickets[0]) })
  const missed = await (await listen(checker, `/api/scanner/live?since=${revision}`)).next()
  expect(missed?.data.tickets).toMatchObject([{ id: tickets[0]._id, status: 'used' }])
  const whole = await (await listen(checker, '/api/scanner/live')).next()
  expect(whole?.data).toMatchObject({ full: true })
  expect(whole?.data.tickets).toHaveLength(3)
})

test('a rush is sent in a few complete deltas', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const tickets = await bought(await world.as('guest'), 40)
  const checker = await world.as('qrchecker')
  const { revision } = (await checker.request('GET', '/api/scanner/roster')).body
  const live = await listen(checker, `/api/scanner/live?since=${revision}`)
  await live.next()
  await Promise.all(tickets.map((ticket) => mark(checker, { qrCode: codeOf(ticket) })))
  const received = new Set<string>()
  let deltas = 0
  while (received.size < 40) {
    const message = await live.next()
    if (!message) throw new Error('the stream ended')
    for (const { id } of message.data.tickets as { id: string }[]) received.add(id)
    deltas++
  }
  expect(deltas).toBeLessThan(20)
})

test('a refused change is not sent', async () => {
  const { world, tickets, checker } = await gate()
  await mark(checker, { qrCode: codeOf(tickets[0]) })
  const { revision } = (await checker.request('GET', '/api/scanner/roster')).body
  const live = await listen(checker, `/api/scanner/live?since=${revision}`)
  await live.next()
  await mark(checker, { qrCode: codeOf(tickets[0]) })
  await mark(await world.as('admin'), { qrCode: codeOf(tickets[1] ?? tickets[0]) })
  expect((await live.next())?.data.tickets).toMatchObject([{ id: tickets[1]?._id }])
})

test('it sends a heartbeat every 15 s', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const { checker } = await gate()
  const live = await listen(checker, '/api/scanner/live')
  const { revision } = (await live.next())?.data ?? {}
  const beat = live.next()
  while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve))
  await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
  expect(await beat).toMatchObject({ event: 'heartbeat', data: { revision, serverTime: expect.any(String) } })
})

test('changes that send nothing do not put the heartbeat off', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const { world, checker } = await gate()
  const live = await listen(checker, '/api/scanner/live')
  await live.next()
  const times: number[] = []
  const beats = (async () => {
    while ((await live.next())?.event === 'heartbeat') times.push(performance.now())
  })()
  const from = performance.now()
  // Somebody's role changes every ten seconds for a minute.
  for (let at = 0; at < 61_000; at += 5_000) {
    if (at % 10_000 === 0) world.store.changes.publish('access')
    // Longer than changes are gathered, by the real clock.
    await sleep(150)
    await vi.advanceTimersByTimeAsync(5_000)
  }
  await vi.waitFor(() => expect(times).toHaveLength(4))
  await live.close()
  await beats
  expect(times.map((at) => Math.round((at - from) / 1_000))).toEqual([15, 30, 45, 60])
})

test('it ends when the role is taken away', async () => {
  const { world, checker } = await gate()
  const live = await listen(checker, '/api/scanner/live')
  await live.next()
  await world.sql("update users set role = 'guest' where id = ?", checker.user?.id)
  world.store.changes.publish('access')
  expect(await live.next()).toBeUndefined()
})

test('it ends when its token has expired', async () => {
  const { world, checker } = await gate()
  const live = await listen(checker, '/api/scanner/live')
  await live.next()
  world.clock.forward(61 * 60_000)
  world.store.changes.publish('roster')
  expect(await live.next()).toBeUndefined()
})

test('a failure inside it is logged without the statement’s values', async () => {
  const { world, checker } = await gate()
  const live = await listen(checker, '/api/scanner/live')
  await live.next()
  await world.sql('alter table events rename to lost')
  world.store.changes.publish('roster')
  expect(await live.next()).toBeUndefined()
  const line = JSON.parse(world.log.find((entry) => entry.includes('live view failed')) ?? '{}')
  expect(line).toMatchObject({ level: 50, call: 'scannerLive', err: { code: world.noSuchTable } })
})

test('it does not start for a HEAD request', async () => {
  const { world, checker } = await gate()
  expect((await checker.fetch('HEAD', '/api/scanner/live')).status).toBe(200)
  expect(world.store.changes.subscribers()).toBe(0)
})

test('proxies neither cache nor buffer it', async () => {
  const { checker } = await gate()
  const response = await checker.fetch('GET', '/api/scanner/live')
  expect(response.headers.get('cache-control')).toBe('no-store, no-transform')
  await response.body?.cancel()
})

test('it ends when the server stops, and does not start afterwards', async () => {
  const { world, checker } = await gate()
  const live = await listen(checker, '/api/scanner/live')
  await live.next()
  world.stopping.abort()
  expect(await live.next()).toBeUndefined()
  expect(await (await listen(checker, '/api/scanner/live')).next()).toBeUndefined()
})

test('a client that disconnects leaves nothing behind', async () => {
  const { world, checker } = await gate()
  const live = await listen(checker, '/api/scanner/live')
  await live.next()
  const before = world.store.changes.subscribers()
  await live.close()
  await vi.waitFor(() => expect(world.store.changes.subscribers()).toBe(before - 1), 30_000)
})

test('a user with too many streams loses the oldest one, and nobody else loses any', async () => {
  const { world, checker } = await gate()
  const path = '/api/scanner/live'
  const other = await listen(await world.as('admin'), path)
  await other.next()
  const mine: Awaited<ReturnType<typeof listen>>[] = []
  for (let i = 0; i <= STREAMS_PER_USER; i++) {
    const stream = await listen(checker, path)
    await stream.next()
    mine.push(stream)
  }
  expect(await mine[0]?.next()).toBeUndefined()
  await bought(await world.as('guest'), 1)
  for (const stream of [mine[1], mine.at(-1), other]) expect(await stream?.next()).toMatchObject({ event: 'roster' })
})

test('the oldest of too many streams ends although its client has stopped reading', async () => {
  const { world, checker } = await gate()
  const before = world.store.changes.subscribers()
  for (let i = 0; i <= STREAMS_PER_USER; i++) {
    const response = await checker.fetch('GET', '/api/scanner/live')
    onTestFinished(() => response.body?.cancel())
    // The client has room for the first message, and none for the second.
    if (i === 0) await bought(await world.as('guest'), 1)
  }
  await vi.waitFor(() => expect(world.store.changes.subscribers()).toBe(before + STREAMS_PER_USER))
})
