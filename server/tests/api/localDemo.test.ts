import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { runServer, temporaryFolder } from '../../src/testing/process.ts'
import { makeWorld } from '../../src/testing/world.ts'

const DEMO = { FIREBASE_PROJECT_ID: 'demo-garba' }
const ask = async (settings: Record<string, string>, url: string, headers: Record<string, string> = {}) => {
  const { app } = await makeWorld({ settings })
  const response = await app.request(url, { headers })
  return { status: response.status, text: await response.text() }
}

describe('a demo', () => {
  test.each(['http://localhost:8080/api/event', 'http://127.0.0.1:8080/healthz', 'http://[::1]:8080/api/config'])(
    'answers this machine: %s',
    async (url) => {
      expect((await ask(DEMO, url)).status).toBe(200)
    },
  )

  test.each([
    'http://evil.example:8080/api/event',
    'http://192.168.1.5:8080/api/config',
    'http://localhost.evil.example/healthz',
    'http://evil.example/identitytoolkit.googleapis.com/v1/projects',
  ])('refuses another host name: %s', async (url) => {
    const { status, text } = await ask(DEMO, url)
    expect(status).toBe(403)
    expect(text).toContain('"code":"DEMO_LOCAL_ONLY"')
  })

  test.each([{}, { TRUST_PROXY: '1' }])('refuses requests through a proxy or tunnel, with %j', async (settings) => {
    for (const header of [{ 'X-Forwarded-For': '127.0.0.1' }, { Forwarded: 'for=203.0.113.9' }])
      expect((await ask({ ...DEMO, ...settings }, 'http://localhost/api/event', header)).status).toBe(403)
  })

  test.each([
    { Origin: 'https://tickets.example.org' },
    { Referer: 'https://tickets.example.org/dashboard/admin' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { Via: '1.1 varnish' },
    { 'X-Real-IP': '203.0.113.9' },
  ])('refuses what a plain proxy_pass lets through, with %j', async (header) => {
    const from = await ask(DEMO, 'http://127.0.0.1:8080/api/event', { ...header, 'Sec-Fetch-Mode': 'navigate' })
    expect(from.status).toBe(403)
    expect((await ask(DEMO, 'http://127.0.0.1:8080/metrics', header)).status).toBe(403)
  })

  test('answers its own pages, and a link on another site that opens one', async () => {
    const own = { Origin: 'http://localhost:8080', Referer: 'http://localhost:8080/', 'Sec-Fetch-Site': 'same-origin' }
    expect((await ask(DEMO, 'http://localhost:8080/api/event', own)).status).toBe(200)
    const link = { Referer: 'https://example.org/', 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }
    expect((await ask(DEMO, 'http://localhost:8080/healthz', link)).status).toBe(200)
  })

  test('refuses HTTP/1.0, which only proxies speak', async () => {
    const server = await runServer({ FIREBASE_PROJECT_ID: 'demo-garba', DATA_DIR: temporaryFolder() })
    const asked = async (version: string) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      socket.end(`GET /healthz HTTP/${version}\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`)
      return (await text(socket)).slice(0, 12)
    }
    expect(await asked('1.1')).toBe('HTTP/1.1 200')
    expect(await asked('1.0')).toBe('HTTP/1.1 403')
  })

  test('answers everybody with ALLOW_DEMO_ON_NETWORK=1', async () => {
    const open = { ...DEMO, ALLOW_DEMO_ON_NETWORK: '1' }
    expect((await ask(open, 'http://tunnel.example/api/event', { 'X-Forwarded-For': '10.0.0.9' })).status).toBe(200)
  })
})

test('a server with Firebase answers under its public name', async () => {
  expect((await ask({}, 'https://tickets.example.org/api/event', { 'X-Forwarded-For': '10.0.0.9' })).status).toBe(200)
})
