import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { aUser } from '@garba/shared/testing/builders'
import { expect, onTestFinished, test, vi } from 'vitest'
import { call, mayRepeat } from './call.ts'

type Answering = (response: ServerResponse, request: IncomingMessage) => void

const json =
  (status: number, body: object): Answering =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const cutOff: Answering = (_, request) => void request.socket.destroy()
const silence: Answering = () => undefined
const half: Answering = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"success":tr')
}
const page: Answering = (response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hotel Wi-Fi</h1>')
}
const saved = { success: true, user: aUser() }
const done = json(200, saved)

const params = { id: '01K0000000000000000000000Z' }
const OWN_PATHS = new RegExp(`${params.id}|/api/auth/(profile|assign-admin)$`)

/** A server that answers each request in its turn; the last answer stays. Node has no page, so it is given an address. */
async function serving(...answers: Answering[]) {
  const asked: { at: number; line: string }[] = []
  const server = createServer((request, response) => {
    // What the pages of an earlier file still ask for is not counted.
    if (!OWN_PATHS.test(request.url ?? '')) return void request.socket.destroy()
    const answer = answers[Math.min(asked.length, answers.length - 1)]
    asked.push({ at: performance.now(), line: `${request.method} ${request.url}` })
    request.resume().on('end', () => answer?.(response, request))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const AtHome = class extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(typeof input === 'string' ? new URL(input, origin) : input, init)
    }
  }
  vi.stubGlobal('Request', AtHome)
  onTestFinished(() => {
    vi.unstubAllGlobals()
    server.closeAllConnections()
    server.close()
  })
  return asked
}

test.each([
  ['cut off', cutOff],
  ['never answered', silence],
  ['answered by half', half],
  ['answered by a page of somebody else', page],
])('a PATCH that was %s is sent again', async (_, first) => {
  const asked = await serving(first, done)
  const answer = await call('setRole', { params, body: { role: 'manager' }, timeoutMs: 3_000 })
  expect(answer).toEqual(saved)
  expect(asked.map(({ line }) => line)).toEqual(Array(2).fill(`PATCH /api/admin/users/${params.id}/role`))
})

test('PUT is sent again, too', async () => {
  const asked = await serving(cutOff, done)
  await call('saveProfile', { body: { displayName: 'Garima' } })
  expect(asked).toHaveLength(2)
})

test('after 1 s, 2 s and 4 s it is given up', async () => {
  const asked = await serving(cutOff)
  await expect(call('setRole', { params, body: { role: 'manager' } })).rejects.toMatchObject({ code: 'NETWORK' })
  const gaps = asked.slice(1).map(({ at }, index) => Math.round((at - (asked[index]?.at ?? 0)) / 1000))
  expect(gaps).toEqual([1, 2, 4])
}, 20_000)

test('a signal ends the waiting between two tries', async () => {
  const asked = await serving(cutOff)
  const leaving = new AbortController()
  const sent = call('setRole', { params, body: { role: 'manager' }, signal: leaving.signal })
  setTimeout(() => leaving.abort(new Error('left')), 300)
  await expect(sent).rejects.toThrow('left')
  expect(asked).toHaveLength(1)
})

test('a repeated DELETE succeeds if the first one, whose answer was lost, had deleted it', async () => {
  const gone = json(404, { success: false, code: 'USER_NOT_FOUND', message: 'This user does not exist.' })
  await serving(cutOff, gone)
  expect(await call('deleteUser', { params })).toEqual({ success: true })
  await expect(call('deleteUser', { params })).rejects.toMatchObject({ code: 'USER_NOT_FOUND', repeated: false })
})

test('a refusal says whether a try before it was lost', async () => {
  await serving(cutOff, json(409, { success: false, code: 'TICKET_NOT_ACTIVE', message: 'x' }))
  const sent = call('cancelTicket', { params, body: { reason: 'ill' } })
  await expect(sent).rejects.toMatchObject({ code: 'TICKET_NOT_ACTIVE', repeated: true })
})

test('a POST without a key is sent once, whatever becomes of it', async () => {
  const asked = await serving(cutOff)
  await expect(call('assignAdmin', { body: {} })).rejects.toMatchObject({ code: 'NETWORK' })
  expect(asked).toHaveLength(1)
})

test('a POST is repeated only where the server recognises the repetition', () => {
  expect(mayRepeat('POST', { body: { quantity: 2 } })).toBe(false)
  expect(mayRepeat('POST', { body: { quantity: 2 }, headers: { 'Idempotency-Key': 'k' } })).toBe(true)
  expect(mayRepeat('POST', { body: { qrCode: 'GR1:X', scanId: 'x' } })).toBe(true)
  expect(mayRepeat('POST', { body: { qrCode: 'GR1:X' } })).toBe(false)
  expect(mayRepeat('POST', { body: { scans: [] } })).toBe(true)
})
