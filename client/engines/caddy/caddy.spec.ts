import { request } from 'node:https'
import { HOMES } from '@garba/shared/contracts/site/pages'
import { devices, expect, type Response } from '@playwright/test'
import { Gate } from '../../e2e/support/gate.ts'
import { workerReady } from '../../e2e/support/network.ts'
import { expectInstalls } from '../../e2e/support/pwa.ts'
import { enterByHand, signOutByMenu } from '../../e2e/support/session.ts'
import { type Caddy, test } from '../support/caddy.ts'

/** What a person at the gate still takes for at once (ms). */
const AT_ONCE_MS = 2_000

const phone = { ...devices['Pixel 7'] }

async function headersOf(response: Response | null): Promise<{ named: Record<string, string>; twice: string[] }> {
  const headers = (await response?.headersArray()) ?? []
  const names = headers.map(({ name }) => name.toLowerCase())
  return {
    named: Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value])),
    twice: names.filter((name, at) => name !== 'set-cookie' && names.indexOf(name) !== at),
  }
}

test('pages come over HTTP/2, compressed, every header once; both apps install and the camera opens', async ({
  caddy,
  server,
  playwright,
}, info) => {
  const page = await caddy.phone(playwright, info.outputPath('phone'))
  const answers: Response[] = []
  page.on('response', (response) => answers.push(response))
  const landing = await headersOf(await page.goto('/'))
  expect(landing.twice).toEqual([])
  expect(landing.named['content-encoding']).toMatch(/^(br|zstd|gzip)$/)
  expect(landing.named['content-security-policy']).toContain("default-src 'self'")
  expect(landing.named['strict-transport-security']).toMatch(/max-age=\d{6,}/)
  expect(landing.named.server).toBeUndefined()
  expect(await page.evaluate(() => window.isSecureContext)).toBe(true)
  const protocols = () =>
    page.evaluate(() =>
      ['navigation', 'resource'].flatMap((type) =>
        (performance.getEntriesByType(type) as PerformanceResourceTiming[]).map((entry) => entry.nextHopProtocol),
      ),
    )
  expect((await protocols()).filter((protocol) => protocol !== '')).not.toEqual([])
  expect((await protocols()).filter((protocol) => !['', 'h2'].includes(protocol))).toEqual([])
  for (const answer of answers.filter((one) => !one.fromServiceWorker()))
    expect({ url: answer.url(), twice: (await headersOf(answer)).twice }).toMatchObject({ twice: [] })
  const code = answers.find((one) => /\/assets\/.*\.js$/.test(new URL(one.url()).pathname))
  const { named } = await headersOf(code ?? null)
  expect(named['content-encoding']).toMatch(/^(br|zstd|gzip)$/)
  expect(named['cache-control']).toContain('immutable')

  await enterByHand(page, 'guest')
  await expectInstalls(page, HOMES.guest)
  await page.goto('/')
  await signOutByMenu(page)
  await enterByHand(page, 'checker')
  await expectInstalls(page, HOMES.qrchecker)
  await page.getByRole('button', { name: 'Start Scanner' }).click()
  await page.getByText('Scanning', { exact: true }).waitFor()
  const size = () => page.evaluate(() => document.querySelector('video')?.videoWidth ?? 0)
  await expect.poll(size).toBeGreaterThan(100)
  expect(server.isRunning).toBe(true)
  await page.context().close()
})

test('bought on one phone, let in on another, seen on the desk at once; offline and back', async ({
  caddy,
  server,
  playwright,
}, info) => {
  const guest = await caddy.phone(playwright, info.outputPath('guest'), phone)
  await enterByHand(guest, 'guest')
  await guest.goto('/dashboard/guest')
  await expect(guest.getByText('tickets remaining')).toBeVisible()
  await guest.getByRole('button', { name: 'Buy Tickets' }).first().click()
  const dialog = guest.getByRole('dialog')
  await dialog.getByRole('button', { name: 'One ticket more' }).click()
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('button', { name: /^(Get|Pay) / }).click()
  await expect(guest.getByText('🎉 2 ticket(s) purchased successfully!')).toBeVisible()
  const codes = server.rows<{ qr_code: string }>('select qr_code from tickets order by id').map((row) => row.qr_code)

  const desk = await caddy.phone(playwright, info.outputPath('desk'))
  await enterByHand(desk, 'admin')
  await desk.goto('/dashboard/admin/gate')
  const inside = desk.getByRole('region', { name: 'People let in' })
  await expect(inside).toContainText('0')

  const checker = await caddy.phone(playwright, info.outputPath('checker'), phone)
  await enterByHand(checker, 'checker')
  const gate = await Gate.on(checker)
  await checker.goto('/dashboard/qrchecker')
  await workerReady(checker)
  await gate.status.filter({ hasText: /Updated \d+ s ago/ }).waitFor()
  await gate.start()
  expect(await gate.scan(codes[0] ?? '')).toMatchObject({ look: 'allowed', by: 'server' })
  const [{ received } = { received: 0 }] = server.rows<{ received: number }>(
    'select received_at as received from scans',
  )
  await expect(inside).toContainText('1', { timeout: 20_000 })
  const seen = await desk.evaluate(() => Date.now())
  console.log(`The desk showed the entry within ${seen - received} ms.`)

  // The way to the server is gone, as with the venue's Wi-Fi.
  await caddy.stop()
  expect(await gate.scan(codes[1] ?? '')).toMatchObject({ look: 'pending', by: 'device' })
  await expect(gate.status).toContainText('1 unsent')
  await guest.reload()
  await expect(guest.getByRole('heading', { level: 1 })).toBeVisible()
  await caddy.start()
  await gate.says('All sent')
  expect(server.rows("select count(*) as used from tickets where status = 'used'")).toEqual([{ used: 2 }])
  await expect(inside).toContainText('2', { timeout: 60_000 })
  for (const page of [guest, desk, checker]) await page.context().close()
})

test('a live view passes each entry on within two seconds', async ({ caddy, server }) => {
  const admin = await server.api('admin')
  const [ticket] = await (await server.api('guest')).buy(1)
  const checker = await server.api('checker')
  const events = liveEvents(caddy, '/api/admin/gate/live', admin.token)
  await events.next()
  const scannedAt = Date.now()
  const { status } = await checker.call('markUsed', { body: { qrCode: ticket.qrCode, scanId: crypto.randomUUID() } })
  expect(status).toBe(200)
  for (;;) {
    const { value } = await events.next()
    if (value?.includes('"admitted":1')) break
  }
  const ms = Date.now() - scannedAt
  console.log(`The live view showed it after ${ms} ms.`)
  expect(ms).toBeLessThan(AT_ONCE_MS)
  await events.return(undefined)
})

test('a call that meets a restart waits for the server instead of failing', async ({ caddy, server }) => {
  expect(await statusOf(caddy, '/healthz')).toBe(200)
  await server.stop()
  const waiting = statusOf(caddy, '/healthz')
  await server.start()
  expect(await waiting).toBe(200)
})

test('calls are limited by the address they come from, whatever they say of themselves', async ({ caddy, server }) => {
  const report = JSON.stringify({
    error: { message: 'test' },
    timestamp: '2025-09-22T13:00:00Z',
    url: 'https://garba.localhost/',
    userAgent: 'test',
  })
  const statuses: number[] = []
  for (let at = 0; at < 22; at++)
    statuses.push(await post(caddy, report, { from: '127.0.0.2', claims: `10.0.0.${at}` }))
  expect(statuses.filter((status) => status === 202)).toHaveLength(20)
  expect(statuses.slice(-2)).toEqual([429, 429])
  expect(await post(caddy, report, { from: '127.0.0.3', claims: '10.0.0.1' })).toBe(202)
  expect(server.isRunning).toBe(true)
})

const about = (caddy: Caddy) => ({
  host: '127.0.0.1',
  port: caddy.port,
  servername: 'garba.localhost',
  ca: [caddy.certificate('root')],
})

function statusOf(caddy: Caddy, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({ ...about(caddy), path, headers: { host: new URL(caddy.url).host } })
    asked.on('response', (answer) => answer.resume().on('end', () => resolve(answer.statusCode ?? 0)))
    asked.on('error', reject).end()
  })
}

function post(caddy: Caddy, body: string, { from, claims }: { from: string; claims: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { host: new URL(caddy.url).host, 'content-type': 'application/json', 'x-forwarded-for': claims }
    const asked = request({ ...about(caddy), localAddress: from, path: '/api/log-error', method: 'POST', headers })
    asked.on('response', (answer) => answer.resume().on('end', () => resolve(answer.statusCode ?? 0)))
    asked.on('error', reject).end(body)
  })
}

async function* liveEvents(caddy: Caddy, path: string, token: string): AsyncGenerator<string, void> {
  const answer = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    const headers = { host: new URL(caddy.url).host, authorization: `Bearer ${token}` }
    request({ ...about(caddy), path, headers })
      .on('response', resolve)
      .on('error', reject)
      .end()
  })
  for await (const piece of answer) yield String(piece)
}
