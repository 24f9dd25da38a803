import { connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type AppOptions, createApp } from '../app.ts'
import { closeServer, listen } from '../listen.ts'
import { makeWorld } from '../testing/world.ts'

const KB = 1024
const CHUNK = 16 * KB

/** The server behind a real listener, because how bodies are buffered depends on sockets. */
async function serving(options: Pick<AppOptions, 'bodyBounds' | 'limits'> = {}) {
  const world = await makeWorld()
  const app = createApp({ ...world.deps, ...options })
  const { server, port } = await listen(app, { host: '127.0.0.1', port: 0 })
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
  return { ...world, begin }
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
    const { begin, as, sql } = await serving()
    const { token, user } = await as('qrchecker')
    const body = JSON.stringify({ qrCode: 'GR1:' })
    const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`]
    const request = begin('POST', '/api/tickets/verify-qr', { token, headers })
    request.socket.write(body.slice(0, 5))
    // Answers to later requests show that this one has been let in by now.
    for (let i = 0; i < 3; i += 1) await expect.poll(begin('GET', '/healthz', {}).status).toBe(200)
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

  test('that arrives too slowly is ended along with its connection', async () => {
    const { begin, as } = await serving({
      bodyBounds: { bytes: { stranger: 1e6, caller: 1e6 }, patienceMs: 200 },
    })
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
})

describe('bodies in progress', () => {
  test('are limited: further ones get 503, and signed-in people are not affected', async () => {
    const bytes = { stranger: 10 * CHUNK, caller: 10 * CHUNK }
    const { begin, as } = await serving({ bodyBounds: { bytes, patienceMs: 60_000 }, limits: { logError: 1_000 } })
    const strangers = Array.from({ length: 60 }, () => begin('POST', '/api/log-error', { headers: CHUNKED }))
    for (const { socket } of strangers) sendChunk(socket)
    const refused = () => strangers.filter(({ status }) => status() === 503)
    await expect.poll(() => refused().length, { timeout: 10_000 }).toBeGreaterThanOrEqual(50)

    const { token } = await as('guest')
    const body = JSON.stringify({ displayName: 'Garima' })
    const caller = begin('PUT', '/api/auth/profile', { token, headers: [`Content-Length: ${body.length}`] })
    caller.socket.write(body)
    await expect.poll(caller.status).toBe(200)
  })

  test('release their budget however they end', async () => {
    const bytes = { stranger: 4 * CHUNK, caller: 4 * CHUNK }
    const { begin, as } = await serving({ bodyBounds: { bytes, patienceMs: 60_000 } })
    const { token } = await as('guest')
    const begun = () => begin('PUT', '/api/auth/profile', { token, headers: CHUNKED })
    // Whichever arrives last is one too many.
    const cutOff = [begun(), begun(), begun(), begun(), begun()]
    for (const { socket } of cutOff) sendChunk(socket)
    const refused = () => cutOff.filter(({ status }) => status() === 503).length
    await expect.poll(refused, { timeout: 10_000 }).toBe(1)
    for (const { socket } of cutOff) socket.destroy()
    // It was read completely, so only its content is refused.
    const whole = async () => {
      const request = begin('PUT', '/api/auth/profile', { token, headers: [`Content-Length: ${3 * CHUNK}`] })
      request.socket.write(' '.repeat(3 * CHUNK))
      await expect.poll(request.status).toBeGreaterThan(0)
      return request.status()
    }
    await expect.poll(whole).toBe(400)
    expect(await whole()).toBe(400)
  })
})

test('a request that never ends is cut off', async () => {
  const world = await makeWorld()
  const patience = { headersTimeout: 100, requestTimeout: 300, connectionsCheckingInterval: 50 }
  const { server, port } = await listen(world.app, { host: '127.0.0.1', port: 0 }, patience)
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
