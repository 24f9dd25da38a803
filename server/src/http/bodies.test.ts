import { createHmac } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type AppOptions, createApp } from '../app.ts'
import { closeServer, startListening } from '../listen.ts'
import { pairedPhone, phoneKeys, prepared } from '../testing/phone.ts'
import { makeWorld, PAYING, type WorldOptions } from '../testing/world.ts'
import { BOUNDS, type BodyBounds } from './bodies.ts'

const KB = 1024
const CHUNK = 16 * KB

/** Bounds for tests: by default no body is too slow. */
const bounds = (
  budgets: Partial<BodyBounds['budgets']>,
  patience: Partial<BodyBounds> = { pauseMs: 60_000, patienceMs: 60_000 },
): BodyBounds => ({ ...BOUNDS, ...patience, budgets: { ...BOUNDS.budgets, ...budgets } })

/** The server behind a real listener, because how bodies are buffered depends on sockets. */
async function serving({
  settings = {},
  ...options
}: Pick<AppOptions, 'bodyBounds' | 'limits'> & Pick<WorldOptions, 'settings'> = {}) {
  const world = await makeWorld({ settings })
  const app = createApp({ ...world.deps, ...options })
  const { server, port } = await startListening(app, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => closeServer(server, 0))

  /** Starts a request and sends the given part of it; `answer` is what has arrived so far. */
  function begin(
    method: string,
    path: string,
    { token = null, headers = [] }: { token?: string | null; headers?: string[] },
  ) {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    let open = true
    socket.setEncoding('utf8')
    socket.on('data', (text) => {
      answer += text
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      open = false
    })
    onTestFinished(() => void socket.destroy())
    const head = [
      `${method} ${path} HTTP/1.1`,
      'Host: localhost',
      ...(token === null ? [] : [`Authorization: Bearer ${token}`]),
      ...headers,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    return {
      socket,
      status: () => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0),
      answer: () => answer,
      open: () => open,
    }
  }

  /** Answers to later requests show that earlier ones have been let in by now. */
  const settled = async () => {
    for (let i = 0; i < 3; i += 1)
      await expect.poll(begin('GET', '/healthz', {}).status, { timeout: 10_000, interval: 10 }).toBe(200)
  }
  return { ...world, begin, settled }
}

const CHUNKED = ['Transfer-Encoding: chunked']
const sendChunk = (socket: Socket, size = CHUNK) => socket.write(`${size.toString(16)}\r\n${' '.repeat(size)}\r\n`)

describe('a body', () => {
  test.each([
    ['with its length', ['Content-Length: 8000000']],
    ['in chunks', CHUNKED],
  ])('announced %s without a token gets 401 before any of it is sent', async (_, headers) => {
    const { begin } = await serving()
    const request = begin('POST', '/api/event', { headers })
    await expect.poll(request.status).toBe(401)
    await expect.poll(request.open).toBe(false)
  })

  test('from a role that may not make the call is not awaited', async () => {
    const { begin, as } = await serving()
    const { token } = await as('guest')
    const request = begin('PUT', '/api/event', { token, headers: CHUNKED })
    await expect.poll(request.status).toBe(403)
  })

  test('above the rate limit is not awaited', async () => {
    const { begin } = await serving({ limits: { logError: 1 } })
    const send = async () => {
      const request = begin('POST', '/api/log-error', { headers: CHUNKED })
      request.socket.write('2\r\n{}\r\n0\r\n\r\n')
      await expect.poll(request.status).toBeGreaterThan(0)
      return request.status()
    }
    expect(await send()).toBe(400)
    const next = begin('POST', '/api/log-error', { headers: CHUNKED })
    await expect.poll(next.status).toBe(429)
  })

  test.each([
    ['demoted', "update users set role = 'guest' where id = ?", 403],
    ['deleted', 'delete from users where id = ?', 401],
  ])('of someone %s before the rest of it arrived is refused', async (_, change, status) => {
    const { begin, as, sql, settled } = await serving()
    const { token, user } = await as('qrchecker')
    const body = JSON.stringify({ qrCode: 'GR1:' })
    const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`]
    const request = begin('POST', '/api/tickets/verify-qr', { token, headers })
    request.socket.write(body.slice(0, 5))
    await settled()
    await sql(change, user?.id)
    request.socket.write(body.slice(5))
    await expect.poll(request.status).toBe(status)
  })

  test('above 64 KB is refused where no picture is expected, also in chunks', async () => {
    const { begin, as } = await serving()
    const { token } = await as('guest')
    const declared = begin('POST', '/api/tickets', { token, headers: [`Content-Length: ${64 * KB + 1}`] })
    await expect.poll(declared.status).toBe(413)
    const chunked = begin('POST', '/api/tickets', { token, headers: CHUNKED })
    for (let i = 0; i < 5; i++) sendChunk(chunked.socket)
    await expect.poll(chunked.status).toBe(413)
  })

  test('above its limit is read on before the answer, for at most a second, so that a proxy has sent it all', async () => {
    const { begin, as } = await serving()
    const { token } = await as('guest')
    const headers = [`Content-Length: ${900 * KB}`]
    const whole = begin('POST', '/api/tickets', { token, headers })
    whole.socket.write(Buffer.alloc(450 * KB))
    const from = performance.now()
    setTimeout(() => whole.socket.write(Buffer.alloc(450 * KB)), 300)
    await expect.poll(whole.status, { interval: 10 }).toBe(413)
    expect(performance.now() - from).toBeGreaterThan(290)
    expect(performance.now() - from).toBeLessThan(1_000)
    const half = begin('POST', '/api/tickets', { token, headers })
    const begun = performance.now()
    await expect.poll(half.status, { interval: 10 }).toBe(413)
    expect(performance.now() - begun).toBeGreaterThan(900)
  })

  test.each([
    ['too slowly', { pauseMs: 60_000, patienceMs: 300 }],
    ['with too long a pause', { pauseMs: 300, patienceMs: 60_000 }],
  ])('that arrives %s is ended along with its connection', async (_, patience) => {
    const { begin, as } = await serving({ bodyBounds: bounds({}, patience) })
    const { token } = await as('guest')
    const slow = [
      begin('POST', '/api/tickets', { token, headers: CHUNKED }),
      begin('POST', '/api/tickets', { token, headers: ['Content-Length: 20'] }),
      begin('POST', '/api/auth/google-signin', { headers: CHUNKED }),
    ]
    for (const request of slow) {
      await expect.poll(request.status).toBe(503)
      expect(request.answer()).toMatch(/^retry-after: \d+\r$/im)
      await expect.poll(request.open, { timeout: 5_000 }).toBe(false)
    }
  })

  test('that drips is read as long as it does not pause', async () => {
    const { begin, as } = await serving({ bodyBounds: bounds({}, { pauseMs: 1_000, patienceMs: 60_000 }) })
    const { token } = await as('guest')
    const body = JSON.stringify({ displayName: 'Garima' })
    const request = begin('PUT', '/api/auth/profile', { token, headers: [`Content-Length: ${body.length}`] })
    request.socket.setNoDelay(true)
    for (const sign of body) {
      request.socket.write(sign)
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
    await expect.poll(request.status).toBe(200)
  })
})

describe('bodies in progress', () => {
  const SILENT = 256

  /** What must answer at once, whatever others hold back. */
  async function answersAtOnce(world: Awaited<ReturnType<typeof serving>>, headers: string[] = []) {
    const guest = await world.as('guest')
    const { pairing } = await prepared(world)
    const { publicKey } = await phoneKeys()
    const webhook = JSON.stringify({ event: 'payment_link.paid', payload: {} })
    const signature = createHmac('sha256', PAYING.RAZORPAY_WEBHOOK_SECRET).update(webhook).digest('hex')
    const report = { error: { message: 'broken' }, timestamp: '2025-08-08T00:00:00Z', url: '/', userAgent: 'Chrome' }
    const calls = [
      { path: '/api/auth/google-signin', body: JSON.stringify({ idToken: guest.token }), status: 200 },
      { path: '/api/devices/pair', body: JSON.stringify({ code: pairing.code, publicKey }), status: 200 },
      { path: '/api/log-error', body: JSON.stringify(report), status: 202 },
      { path: '/api/webhooks/razorpay', body: webhook, status: 200, own: [`x-razorpay-signature: ${signature}`] },
    ]
    for (const { path, body, status, own = [] } of calls) {
      const sent = [...headers, ...own, 'Content-Type: application/json', `Content-Length: ${body.length}`]
      const request = world.begin('POST', path, { headers: sent })
      // In two parts, as on a real network: what is there at once is not held back by anything.
      request.socket.write(body.slice(0, 10))
      await world.settled()
      request.socket.write(body.slice(10))
      await expect.poll(request.status, { timeout: 8_000, interval: 10 }).toBeGreaterThan(0)
      expect({ path, status: request.status(), answer: request.answer() }).toMatchObject({ path, status })
    }
  }

  const open = { limits: { logError: 100_000, pairing: 100_000, address: 100_000 }, settings: PAYING }
  const LENGTH = ['Content-Length: 65536']
  const PATHS = ['/api/auth/google-signin', '/api/devices/pair', '/api/log-error', '/api/webhooks/razorpay']
  const declared = (path: string) => (path === '/api/auth/google-signin' ? ['Content-Length: 16384'] : LENGTH)

  test('hold nobody up while 256 sockets of each kind send nothing', async () => {
    const world = await serving(open)
    const silent = PATHS.flatMap((path) =>
      Array.from({ length: SILENT }, () => world.begin('POST', path, { headers: declared(path) })),
    )
    await world.settled()
    await answersAtOnce(world)
    expect(silent.filter(({ status }) => status() === 0).length).toBeGreaterThan(PATHS.length * (SILENT - 10))
  })

  test('make room, the oldest first, when an address sends all but the end of many', async () => {
    const world = await serving({ ...open, bodyBounds: bounds({}) })
    const slow = PATHS.flatMap((path) =>
      Array.from({ length: 150 }, () => world.begin('POST', path, { headers: declared(path) })),
    )
    for (const { socket } of slow) socket.write(' '.repeat(15 * KB))
    const ended = () => slow.filter(({ status }) => status() === 503).length
    await expect.poll(ended, { timeout: 10_000 }).toBeGreaterThan(50)
    expect(slow[0]?.status()).toBe(503)
    await answersAtOnce(world)
  })

  test('behind a proxy, take up only the share of the forwarded address', async () => {
    const small = { all: 20 * CHUNK, each: 4 * CHUNK }
    const world = await serving({
      ...open,
      settings: { ...PAYING, TRUST_PROXY: '1' },
      bodyBounds: bounds({ report: small }),
    })
    const from = (address: string) => [...CHUNKED, `X-Forwarded-For: ${address}`]
    const other = world.begin('POST', '/api/log-error', { headers: from('203.0.113.9') })
    sendChunk(other.socket)
    const flood = Array.from({ length: 30 }, () =>
      world.begin('POST', '/api/log-error', { headers: from('203.0.113.1') }),
    )
    for (const { socket } of flood) sendChunk(socket)
    const ended = () => flood.filter(({ status }) => status() === 503).length
    await expect.poll(ended, { timeout: 10_000 }).toBe(27)
    expect(other.status()).toBe(0)
    other.socket.write('0\r\n\r\n')
    await expect.poll(other.status).toBe(400)
  })

  test('of all addresses together are limited, and those of the one that holds most make room', async () => {
    const small = { all: 6 * CHUNK, each: 4 * CHUNK }
    const world = await serving({
      ...open,
      settings: { ...PAYING, TRUST_PROXY: '1' },
      bodyBounds: bounds({ report: small }),
    })
    const begun = (address: string) => {
      const request = world.begin('POST', '/api/log-error', { headers: [...CHUNKED, `X-Forwarded-For: ${address}`] })
      sendChunk(request.socket)
      return request
    }
    const greedy = [begun('203.0.113.1'), begun('203.0.113.1'), begun('203.0.113.1')]
    await world.settled()
    const modest = ['203.0.113.2', '203.0.113.3', '203.0.113.4'].map(begun)
    await expect.poll(() => greedy.filter(({ status }) => status() === 503).length).toBe(1)
    expect(modest.map(({ status }) => status())).toEqual([0, 0, 0])
  })

  test('of signed-in people and paired phones are unaffected by strangers and by each other', async () => {
    const small = { all: 40 * CHUNK, each: 4 * CHUNK }
    const world = await serving({ ...open, bodyBounds: bounds({ caller: small, report: small }) })
    const strangers = Array.from({ length: 60 }, () => world.begin('POST', '/api/log-error', { headers: CHUNKED }))
    for (const { socket } of strangers) sendChunk(socket)
    const greedy = await world.as('guest')
    const held = Array.from({ length: 60 }, () =>
      world.begin('PUT', '/api/auth/profile', { token: greedy.token, headers: CHUNKED }),
    )
    for (const { socket } of held) sendChunk(socket)
    const ended = () => held.filter(({ status }) => status() === 503).length
    await expect.poll(ended, { timeout: 10_000 }).toBeGreaterThanOrEqual(56)

    const checker = await world.as('qrchecker')
    const phone = await pairedPhone(world)
    for (const token of [checker.token, (await phone.client()).token]) {
      const body = JSON.stringify({ scans: [] }).padEnd(3 * CHUNK)
      const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`]
      const request = world.begin('POST', '/api/tickets/mark-used/batch', { token, headers })
      request.socket.write(body.slice(0, CHUNK))
      await world.settled()
      request.socket.write(body.slice(CHUNK))
      // It was read completely, so only its content is refused.
      await expect.poll(request.status).toBe(400)
    }
  })

  test('release their share however they end', async () => {
    const small = { all: 4 * CHUNK, each: 4 * CHUNK }
    const { begin, as, settled } = await serving({ bodyBounds: bounds({ caller: small }) })
    const { token } = await as('guest')
    const begun = () => begin('PUT', '/api/auth/profile', { token, headers: CHUNKED })
    const three = async () => {
      const requests = [begun(), begun(), begun()]
      for (const { socket } of requests) sendChunk(socket)
      await settled()
      expect(requests.map(({ status }) => status())).toEqual([0, 0, 0])
      return requests
    }
    for (const { socket } of await three()) socket.destroy()
    for (const { socket, status } of await three()) {
      socket.write('0\r\n\r\n')
      await expect.poll(status).toBe(400)
    }
    await three()
  })
})

test('a request that never ends is cut off', async () => {
  const world = await makeWorld()
  const patience = { headersTimeout: 100, requestTimeout: 300, connectionsCheckingInterval: 50 }
  const { server, port } = await startListening(world.app, { host: '127.0.0.1', port: 0 }, patience)
  onTestFinished(() => closeServer(server, 0))
  const cutOff = (text: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      let answer = ''
      socket.on('data', (data) => {
        answer += data
      })
      socket.on('close', () => resolve(answer))
    })
  expect(await cutOff('GET /healthz HTTP/1.1\r\nHost: local')).toMatch(/^HTTP\/1\.1 408/)
  // This call takes no body, so the body stays unread.
  expect(await cutOff('DELETE /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 404/,
  )
})
