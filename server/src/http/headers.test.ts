import { describe, expect, test } from 'vitest'
import { makeWorld } from '../testing/world.ts'

const policyOf = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    (headers.get('content-security-policy') ?? '').split('; ').map((line) => {
      const [name = '', ...values] = line.split(' ')
      return [name, values.join(' ')]
    }),
  )

test.each(['/api/config', '/api/nope', '/healthz', '/nowhere.txt'])('%s has every security header', async (path) => {
  const { nobody } = await makeWorld()
  const { headers } = await nobody.request('GET', path)
  expect(Object.fromEntries(headers)).toMatchObject({
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'permissions-policy': expect.stringContaining('camera=(self)'),
  })
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

describe('the content security policy', () => {
  test('allows no inline script, WebAssembly, and what Google sign-in loads', async () => {
    const { nobody } = await makeWorld()
    const policy = policyOf((await nobody.request('GET', '/api/config')).headers)
    expect(policy['script-src']).toBe("'self' 'wasm-unsafe-eval' https://apis.google.com")
    expect(policy['frame-src']).toContain('https://garba-live.firebaseapp.com')
    expect(policy['connect-src']).toContain('https://identitytoolkit.googleapis.com')
    for (const name of ['font-src', 'media-src', 'worker-src']) expect(policy[name]).toBe("'self'")
    expect(policy['connect-src']).not.toMatch(/data:|blob:/)
    expect(policy['img-src']).toBe("'self' data: https://googleusercontent.com https://*.googleusercontent.com")
    expect(policy['object-src']).toBe("'none'")
    expect(policy['frame-ancestors']).toBe("'none'")
  })

  test('of a demo allows no outside requests', async () => {
    const world = await makeWorld({ settings: { FIREBASE_PROJECT_ID: 'demo-garba' } })
    const policy = (await world.nobody.request('GET', '/api/config')).headers.get('content-security-policy')
    expect(policy).not.toMatch(/google/)
  })
})

test.each(['/healthz', '/metrics', '/nowhere.txt', '/robots.txt'])('no proxy may keep %s', async (path) => {
  const { nobody } = await makeWorld()
  expect((await nobody.request('GET', path)).headers.get('cache-control')).toBe('no-store')
})

test('API responses are not cached, and responses over https require https', async () => {
  const world = await makeWorld({ settings: { PUBLIC_URL: 'https://tickets.example.org/' } })
  const { headers } = await world.nobody.request('GET', '/api/event')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
  const plain = await (await makeWorld()).nobody.request('GET', '/api/event')
  expect(plain.headers.get('strict-transport-security')).toBeNull()
})

test('long JSON is compressed for clients that accept it; short JSON and streams are not', async () => {
  const { nobody } = await makeWorld()
  const accepting = { headers: { 'Accept-Encoding': 'gzip' } }
  expect((await nobody.fetch('GET', '/api/openapi.json', accepting)).headers.get('content-encoding')).toBe('gzip')
  expect((await nobody.fetch('GET', '/api/event', accepting)).headers.get('content-encoding')).toBeNull()
})
