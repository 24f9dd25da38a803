import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { aUser } from '@garba/shared/testing/builders'
import { expect, onTestFinished, test } from 'vitest'
import { markSignedIn } from '../store/local.ts'
import { stubLocalStorage } from '../testing/localStorage.ts'
import { buildApiUrl, callServer, handleRefusal, mayRepeat } from './call.ts'
import { onSessionEnd, setTokenSource } from './tokens.ts'

stubLocalStorage()

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
  const asked: { at: number; line: string; token?: string | undefined }[] = []
  const server = createServer((request, response) => {
    // What the pages of an earlier file still ask for is not counted.
    if (!OWN_PATHS.test(request.url ?? '')) return void request.socket.destroy()
    const answer = answers[Math.min(asked.length, answers.length - 1)]
    asked.push({
      at: performance.now(),
      line: `${request.method} ${request.url}`,
      token: request.headers.authorization,
    })
    request.resume().on('end', () => answer?.(response, request))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const AtHome = class extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(typeof input === 'string' ? new URL(input, origin) : input, init)
    }
  }
  const { Request: OwnRequest } = globalThis
  globalThis.Request = AtHome
  onTestFinished(() => {
    globalThis.Request = OwnRequest
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
  const answer = await callServer('setRole', { params, body: { role: 'manager' }, timeoutMs: 3_000 })
  expect(answer).toEqual(saved)
  expect(asked.map(({ line }) => line)).toEqual(Array(2).fill(`PATCH /api/admin/users/${params.id}/role`))
})

test('PUT is sent again, too', async () => {
  const asked = await serving(cutOff, done)
  await callServer('saveProfile', { body: { displayName: 'Garima' } })
  expect(asked).toHaveLength(2)
})

test('after 1 s, 2 s and 4 s it is given up', async () => {
  const asked = await serving(cutOff)
  await expect(callServer('setRole', { params, body: { role: 'manager' } })).rejects.toMatchObject({ code: 'NETWORK' })
  const gaps = asked.slice(1).map(({ at }, index) => Math.round((at - (asked[index]?.at ?? 0)) / 1000))
  expect(gaps).toEqual([1, 2, 4])
}, 20_000)

test('a signal ends the waiting between two tries', async () => {
  const asked = await serving(cutOff)
  const leaving = new AbortController()
  const sent = callServer('setRole', { params, body: { role: 'manager' }, signal: leaving.signal })
  setTimeout(() => leaving.abort(new Error('left')), 300)
  await expect(sent).rejects.toThrow('left')
  expect(asked).toHaveLength(1)
})

test('a repeated DELETE succeeds if the first one, whose answer was lost, had deleted it', async () => {
  const gone = json(404, { success: false, code: 'USER_NOT_FOUND', message: 'This user does not exist.' })
  await serving(cutOff, gone)
  expect(await callServer('deleteUser', { params })).toEqual({ success: true })
  await expect(callServer('deleteUser', { params })).rejects.toMatchObject({ code: 'USER_NOT_FOUND', repeated: false })
})

test('a refusal says whether a try before it was lost', async () => {
  await serving(cutOff, json(409, { success: false, code: 'TICKET_NOT_ACTIVE', message: 'x' }))
  const sent = callServer('cancelTicket', { params, body: { reason: 'ill' } })
  await expect(sent).rejects.toMatchObject({ code: 'TICKET_NOT_ACTIVE', repeated: true })
})

test('a POST without a key is sent once, whatever becomes of it', async () => {
  const asked = await serving(cutOff)
  await expect(callServer('assignAdmin', { body: {} })).rejects.toMatchObject({ code: 'NETWORK' })
  expect(asked).toHaveLength(1)
})

test('a POST is repeated only where the server recognises the repetition', () => {
  expect(mayRepeat('POST', { body: { quantity: 2 } })).toBe(false)
  expect(mayRepeat('POST', { body: { quantity: 2 }, headers: { 'Idempotency-Key': 'k' } })).toBe(true)
  expect(mayRepeat('POST', { body: { qrCode: 'GR1:X', scanId: 'x' } })).toBe(true)
  expect(mayRepeat('POST', { body: { qrCode: 'GR1:X' } })).toBe(false)
  expect(mayRepeat('POST', { body: { scans: [] } })).toBe(true)
})

const refused = json(401, { success: false, code: 'UNAUTHENTICATED', message: 'Sign in again.' })

/** Somebody with a token, and further ones from `fresh`. Returns the codes that ended the session. */
function signedInWith(fresh: () => Promise<string | null>, kept = 'kept'): string[] {
  const ends: string[] = []
  markSignedIn(true)
  onSessionEnd((code) => void ends.push(code))
  setTokenSource(async () => ({ token: async ({ force }) => (force ? fresh() : kept) }))
  onTestFinished(() => markSignedIn(false))
  return ends
}

test('a 401 is asked again once with a fresh token, even where nothing else is repeated', async () => {
  signedInWith(async () => 'fresh')
  const asked = await serving(refused, done)
  expect(await callServer('assignAdmin', { body: {} })).toEqual(saved)
  expect(asked.map(({ token }) => token)).toEqual(['Bearer kept', 'Bearer fresh'])
})

test('a second 401 counts', async () => {
  signedInWith(async () => 'fresh')
  const asked = await serving(refused)
  await expect(callServer('assignAdmin', { body: {} })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  expect(asked.map(({ token }) => token)).toEqual(['Bearer kept', 'Bearer fresh'])
})

test('with a fresh token a request is still repeated as often as before', async () => {
  signedInWith(async () => 'fresh')
  const asked = await serving(refused, cutOff, done)
  expect(await callServer('setRole', { params, body: { role: 'manager' } })).toEqual(saved)
  expect(asked.map(({ token }) => token)).toEqual(['Bearer kept', 'Bearer fresh', 'Bearer fresh'])
})

test('a visitor is not asked to refresh anything, and neither is anybody twice without a fresh token', async () => {
  const asked = await serving(refused)
  await expect(callServer('assignAdmin', { body: {} })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  signedInWith(async () => null, 'old')
  await expect(callServer('assignAdmin', { body: {} })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  expect(asked.map(({ token }) => token)).toEqual([undefined, 'Bearer old'])
})

test('a provider that does not answer in time is a network failure', async () => {
  signedInWith(() => new Promise(() => undefined), 'other')
  const asked = await serving(refused)
  await expect(callServer('assignAdmin', { body: {}, timeoutMs: 500 })).rejects.toMatchObject({ code: 'NETWORK' })
  expect(asked).toHaveLength(1)
})

test("only our own server's 401 ends the session", () => {
  const ended = signedInWith(async () => null)
  handleRefusal({ status: 401, headers: new Headers(), body: { hotel: 'please pay' } }, 'token')
  expect(ended).toEqual([])
  handleRefusal({ status: 401, headers: new Headers(), body: { success: false, code: 'UNAUTHENTICATED' } }, null)
  expect(ended).toEqual([])
  const failure = handleRefusal(
    { status: 401, headers: new Headers(), body: { success: false, code: 'UNAUTHENTICATED' } },
    'token',
  )
  expect(ended).toEqual(['UNAUTHENTICATED'])
  expect(failure.code).toBe('UNAUTHENTICATED')
})

test('holes are filled and escaped', () => {
  expect(buildApiUrl('/tickets/cancel/{id}', { id: 'A/B ?' })).toBe('/api/tickets/cancel/A%2FB%20%3F')
})

test('empty query values are left out, zero and false are not', () => {
  expect(buildApiUrl('/x', {}, { a: '', b: null, c: undefined, d: 0, e: false, f: 'é&' })).toBe(
    '/api/x?d=0&e=false&f=%C3%A9%26',
  )
})

test('a call without the value of its hole is not sent', () => {
  expect(() => buildApiUrl('/tickets/{id}', {})).toThrow('needs id')
  expect(() => buildApiUrl('/tickets/{id}', { id: '' })).toThrow('needs id')
})
