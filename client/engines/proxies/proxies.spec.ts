import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test as base, expect } from '@playwright/test'
import { freePort } from '../../../scripts/lib/children.ts'
import { findProxy } from '../../../scripts/lib/engines.ts'
import { TestServer } from '../../e2e/support/server.ts'
import { DebianProxy, type OtherProxy, PROXY_NAMES } from '../support/proxy.ts'

const ALIVE_MS = 180_000
/** What a person at the gate still takes for at once. */
const AT_ONCE_MS = 2_000
const SALES = 60

/** One server behind all of them, set up as the operator's guide shows. */
const test = base.extend<{ server: TestServer; proxies: readonly { name: OtherProxy; proxy: DebianProxy }[] }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  server: async ({}, use) => {
    const env = { TRUST_PROXY: '1', ALLOW_DEMO_ON_NETWORK: '1', SKIP_ADDRESS_CHECK: '1' }
    const server = await TestServer.create({ env })
    await use(server)
    await server.dispose()
  },
  proxies: async ({ server }, use) => {
    const port = Number(new URL(server.url).port)
    const proxies: { name: OtherProxy; proxy: DebianProxy }[] = []
    for (const name of PROXY_NAMES) proxies.push({ name, proxy: await DebianProxy.start(name, port) })
    await use(proxies)
    for (const { proxy } of proxies) await proxy.dispose()
  },
})

test('live views pass entries on at once, and stay open for three quiet minutes', async ({ server, proxies }) => {
  const admin = await server.api('admin')
  const checker = await server.api('checker')
  const views = await Promise.all(
    proxies.map(async ({ name, proxy }) => {
      const headers = { authorization: `Bearer ${admin.token}` }
      const answer = await proxy.open({ path: '/api/admin/gate/live', headers })
      const view = { name, text: '', ended: false, at: [] as number[] }
      answer.on('data', (piece: Buffer) => {
        view.text += piece
        view.at.push(performance.now())
      })
      answer.on('close', () => (view.ended = true))
      return view
    }),
  )
  await expect.poll(() => views.every(({ text }) => text.includes('"admitted":0'))).toBe(true)
  const [ticket] = await (await server.api('guest')).buy(1)
  await sleep(1_500)
  const scannedAt = performance.now()
  await checker.call('markUsed', { body: { qrCode: ticket.qrCode, scanId: randomUUID() } })
  await expect.poll(() => views.every(({ text }) => text.includes('"admitted":1')), { timeout: AT_ONCE_MS }).toBe(true)
  console.log(`All showed the entry within ${Math.round(performance.now() - scannedAt)} ms.`)
  await sleep(ALIVE_MS)
  for (const { name, ended, at } of views) {
    const gaps = at.slice(1).map((time, n) => time - (at[n] ?? 0))
    const longest = Math.round(Math.max(...gaps))
    console.log(`${name}: ${at.length} pieces, at most ${longest} ms apart`)
    expect({ name, ended }).toEqual({ name, ended: false })
    expect(longest, name).toBeLessThan(20_000)
  }
})

test('a picture of 5 MB passes, a body that is too large gets 413, and figures stay inside', async ({
  server,
  proxies,
}) => {
  const admin = await server.api('admin')
  const { body } = await admin.call('event')
  const event = (body as { data: Record<string, unknown> }).data
  for (const { name, proxy } of proxies) {
    // A PNG as far as its first bytes tell, and as large as the form allows.
    const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(5_000_000 - 8)])
    const form = { ...event, eventImage: `data:image/png;base64,${png.toString('base64')}` }
    const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' }
    const send = (sent: string) => proxy.ask({ path: '/api/event', method: 'PUT', headers, body: sent })
    const saved = await send(JSON.stringify(form))
    expect({ name, status: saved.status, text: saved.text.slice(0, 300) }).toMatchObject({ name, status: 200 })
    expect({ name, status: (await send('x'.repeat(9_000_000))).status }).toEqual({ name, status: 413 })
    // Above a stranger's own limit, which the server itself says.
    const report = { path: '/api/log-error', method: 'POST', headers: { 'content-type': 'application/json' } }
    const early = await proxy.ask({ ...report, body: 'x'.repeat(900_000) })
    expect({ name, ...early, text: early.text.includes('PAYLOAD_TOO_LARGE') }).toEqual({
      name,
      status: 413,
      text: true,
    })
    expect([403, 404]).toContain((await proxy.ask({ path: '/metrics' })).status)
  }
})

test('calls are counted by the address they come from, whatever they claim', async ({ server, proxies }) => {
  const body = JSON.stringify({
    error: { message: 'test' },
    timestamp: '2025-09-22T13:00:00Z',
    url: 'https://garba.localhost/',
    userAgent: 'test',
  })
  for (const [n, { name, proxy }] of proxies.entries()) {
    const post = async (from: string, claims: string) => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': claims }
      return (await proxy.ask({ path: '/api/log-error', method: 'POST', headers, body, from })).status
    }
    const statuses: number[] = []
    for (let at = 0; at < 22; at += 1) statuses.push(await post(`127.0.1.${2 * n + 2}`, `10.${n}.0.${at}`))
    expect({ name, taken: statuses.filter((status) => status === 202).length }).toEqual({ name, taken: 20 })
    expect({ name, other: await post(`127.0.1.${2 * n + 3}`, `10.${n}.0.0`) }).toEqual({ name, other: 202 })
  }
  expect(server.isRunning).toBe(true)
})

test('a restart under load loses no sale and makes none twice', async ({ server, proxies }) => {
  for (const { name, proxy } of proxies) {
    const guest = await server.apiAs({ uid: `guest-${name}`, email: `${name}@example.org`, name: 'Radha' })
    const sold = () => server.rows<{ n: number }>('select count(*) as n from tickets')[0]?.n ?? 0
    const before = sold()
    const failures: number[] = []
    const buy = async () => {
      const headers = {
        ...{ authorization: `Bearer ${guest.token}`, 'content-type': 'application/json' },
        'idempotency-key': randomUUID(),
      }
      const sale = { path: '/api/tickets', method: 'POST', headers, body: JSON.stringify({ quantity: 1 }) }
      for (;;) {
        const status = await proxy.ask(sale).then(
          (answer) => answer.status,
          () => 0,
        )
        if (status === 201) return
        if (![0, 429, 500, 502, 503, 504].includes(status)) throw new Error(`${name}: ${status}`)
        failures.push(status)
        await sleep(300)
      }
    }
    const sales = Array.from({ length: SALES }, (_, n) => sleep(n * 50).then(buy))
    await sleep(700)
    const from = performance.now()
    await server.stop()
    await server.start()
    await Promise.all(sales)
    const [ms, tries] = [Math.round(performance.now() - from), failures.join()]
    console.log(`${name}: all ${SALES} sold ${ms} ms after the restart began; tried again after: ${tries || 'nothing'}`)
    expect({ name, sold: sold() - before }).toEqual({ name, sold: SALES })
  }
})

test('Varnish as it is keeps no answer, so that a stopped server is not said to be well', async ({ server }) => {
  const [port, folder] = [await freePort(), mkdtempSync(join(tmpdir(), 'garba-varnish-'))]
  const backend = new URL(server.url).host
  const args = ['-F', '-j', 'none', '-n', folder, '-a', `127.0.0.1:${port}`, '-b', backend]
  const varnish = spawn(findProxy('varnish') ?? 'varnishd', args, { stdio: 'ignore' })
  try {
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
    await expect
      .poll(() =>
        ask('/healthz').then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200)
    for (const path of ['/healthz', '/metrics', '/robots.txt', '/', '/api/config', '/api/nothing', '/nothing']) {
      await ask(path)
      const { headers } = await ask(path)
      // Two numbers would mean that an answer to an earlier call was sent.
      expect({ path, calls: headers.get('x-varnish') }).toEqual({ path, calls: expect.stringMatching(/^\d+$/) })
    }
    await server.stop()
    expect((await ask('/healthz')).status).toBe(503)
    await server.start()
  } finally {
    varnish.kill()
    await once(varnish, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
})
