import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { makeWorld } from '../../src/testing/world.ts'

/** A process that echoes each request. */
async function echo(): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (data) => {
      body += data
    })
    request.on('end', () => {
      response.writeHead(418, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }))
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const demo = (host: string) => ({ FIREBASE_PROJECT_ID: 'demo-garba', FIREBASE_AUTH_EMULATOR_HOST: host })
const CALL = '/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=demo'

test('the emulator answers on the server’s own origin, and never gets an Authorization header', async () => {
  const world = await makeWorld({ settings: demo(await echo()) })
  const reply = await world.nobody.request('POST', CALL, { a: 1 }, { Authorization: 'Bearer owner', Cookie: 'x=1' })
  expect(reply).toMatchObject({ status: 418, body: { method: 'POST', url: CALL, body: '{"a":1}' } })
  expect(reply.body.headers).not.toHaveProperty('authorization')
  expect(reply.body.headers).not.toHaveProperty('cookie')
})

test('an emulator that does not answer is reported as unavailable', async () => {
  const world = await makeWorld({ settings: demo('127.0.0.1:9') })
  expect(await world.nobody.request('POST', CALL, {})).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
})

test('a live project proxies nothing', async () => {
  const world = await makeWorld({ settings: { FIREBASE_AUTH_EMULATOR_HOST: await echo() } })
  expect((await world.nobody.request('POST', CALL, {})).status).toBe(404)
})
