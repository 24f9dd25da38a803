import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DOUBLE } from '../../../server/src/settings/paymentSettings.ts'
import { holdFolder } from '../../../server/src/store/engine/folder.ts'
import { type Child, freePort, isTaken, startNode } from '../../lib/children.ts'
import { ensureClient } from '../../lib/client.ts'
import { ROOT } from '../../setup.mjs'

let dataDir: string
const running: Child[] = []
beforeAll(() => ensureClient())
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'garba-start-'))
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((child) => child.stop()))
  rmSync(dataDir, { recursive: true, force: true })
})

/** `npm start` after its set-up. */
async function start({ port, env = {} }: { port: number; env?: Record<string, string> }) {
  const lines: string[] = []
  const ready = Promise.withResolvers<string>()
  const child = startNode({
    args: [join(ROOT, 'scripts', 'commands', 'run', 'start.ts')],
    env: { ...BARE, PORT: String(port), DATA_DIR: dataDir, npm_lifecycle_event: '', ...env },
    onLine: (line) => {
      lines.push(line)
      const url = /^Ready: (.*)/.exec(line)?.[1]
      if (url) ready.resolve(url)
    },
  })
  running.push(child)
  void child.ended.then(() => ready.reject(new Error(lines.join('\n'))))
  ready.promise.catch(() => undefined)
  return { child, lines, ready: ready.promise }
}
const BARE = { HOST: '', FIREBASE_PROJECT_ID: '', FIREBASE_AUTH_EMULATOR_HOST: '', NODE_ENV: '' }
/** Starting the identity process takes as long as all the rest. These tests do not sign in. */
const NO_IDENTITY = { FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9' }

interface Session {
  localId: string
  idToken: string
  refreshToken: string
}

const post = async (url: string, body: unknown) =>
  (await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).then((response) => response.json())) as Record<string, unknown>

/** Signs in as the SDK does, on the server's own origin: first the identity provider, then our server. */
async function signIn(url: string, person: { sub: string; email: string; name: string }) {
  const postBody = new URLSearchParams({
    providerId: 'google.com',
    id_token: JSON.stringify({ ...person, email_verified: true }),
  }).toString()
  const session = (await post(`${url}/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=demo`, {
    requestUri: url,
    returnSecureToken: true,
    postBody,
  })) as unknown as Session
  const { user } = (await post(`${url}/api/auth/google-signin`, { idToken: session.idToken })) as {
    user: { _id: string; role: string }
  }
  return { session, user }
}

const lookUp = async (url: string, idToken: string) =>
  (await post(`${url}/identitytoolkit.googleapis.com/v1/accounts:lookup?key=demo`, { idToken })) as {
    users?: { localId: string }[]
  }

const refresh = async (url: string, refreshToken: string) => {
  const response = await fetch(`${url}/securetoken.googleapis.com/v1/token?key=demo`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  })
  return (await response.json()) as { user_id?: string; id_token?: string }
}

const RADHA = { sub: 'radha@example.org', email: 'radha@example.org', name: 'Radha' }
const GUEST = { sub: 'demo-guest', email: 'guest@garba.test', name: 'Garima Guest' }

describe('npm start', () => {
  test('after SIGKILL and a restart everyone is still signed in under the same id', async () => {
    const port = await freePort()
    const first = await start({ port })
    const url = await first.ready
    const before = [await signIn(url, RADHA), await signIn(url, GUEST)]
    first.child.kill('SIGKILL')
    await first.child.ended
    await expect.poll(() => isTaken({ port, host: '127.0.0.1' }), { timeout: 10_000 }).toBe(false)

    const second = await start({ port })
    expect(await second.ready).toBe(url)
    for (const { session, user } of before) {
      // The SDK asks this first when a page opens. If the token were invalid here, it would sign the person out.
      expect((await lookUp(url, session.idToken)).users?.[0]?.localId).toBe(session.localId)
      const fresh = await refresh(url, session.refreshToken)
      expect(fresh.user_id).toBe(session.localId)
      const me = await fetch(`${url}/api/auth/me`, { headers: { authorization: `Bearer ${fresh.id_token}` } })
      expect(await me.json()).toMatchObject({ user: { _id: user._id } })
    }
    expect((await signIn(url, RADHA)).session.localId).toBe(before[0]?.session.localId)
    expect((await signIn(url, GUEST)).session.localId).toBe('demo-guest')
  })

  test('prints exactly one Ready line, keeps its port from a second start, and ends with 0 and a free port on SIGTERM', async () => {
    const port = await freePort()
    const { child, lines, ready } = await start({ port })
    expect(await ready).toBe(`http://localhost:${port}`)
    const second = await start({ port })
    expect((await second.child.ended).code).toBe(1)
    expect(second.lines).toEqual([expect.stringMatching(new RegExp(`^PORT ${port} is used by another program`))])
    expect((await fetch(`http://localhost:${port}/healthz`)).status).toBe(200)
    expect(await child.stop()).toEqual({ code: 0, signal: null })
    expect(lines.filter((line) => line.startsWith('Ready:'))).toEqual([`Ready: http://localhost:${port}`])
    expect(await isTaken({ port, host: '127.0.0.1' })).toBe(false)
  })

  test('with PAYMENTS=demo a payment provider runs beside the server, posts its webhooks there and ends with it', async () => {
    const port = await freePort()
    const { child, lines, ready } = await start({ port, env: { PAYMENTS: 'demo', ...NO_IDENTITY } })
    await ready
    const provider = /^Payments are a demo too, at (\S+): no money moves/m.exec(lines.join('\n'))?.[1] ?? ''
    const { keyId, keySecret } = DOUBLE
    const link = await fetch(`${provider}/v1/payment_links`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}` },
      body: JSON.stringify({
        amount: 39_900,
        currency: 'INR',
        reference_id: 'GR-7K2M',
        expire_by: Math.ceil(Date.now() / 1000) + 1000,
        callback_url: 'http://localhost/',
        callback_method: 'get',
      }),
    })
    const { short_url } = (await link.json()) as { short_url: string }
    const posts = () => readFileSync(join(dataDir, 'server.log'), 'utf8').match(/"method":"POST"/g)?.length ?? 0
    expect(posts()).toBe(0)
    await fetch(short_url, { method: 'POST', body: new URLSearchParams({ choice: 'failure' }) })
    await expect.poll(posts, { timeout: 20_000 }).toBeGreaterThan(0)

    expect(await child.stop()).toEqual({ code: 0, signal: null })
    expect(await isTaken({ port: Number(new URL(provider).port), host: '127.0.0.1' })).toBe(false)
  })

  test('says once what a setting seems to mean, and why the server does not start', async () => {
    const held = holdFolder(join(dataDir, 'garba.db'))
    held.at('http://localhost:8080')
    const { child, lines } = await start({ port: 0, env: { PROT: '8081' } })
    expect((await child.ended).code).toBe(1)
    held.release()
    expect(lines.filter((line) => line.includes('PROT'))).toEqual(['PROT is not a setting: did you mean PORT?'])
    expect(lines.filter((line) => line.includes('already'))).toEqual([
      `A server runs on the folder ${dataDir} already at http://localhost:8080 (process ${process.pid}): stop it first, or set DATA_DIR to another folder.`,
    ])
    expect(lines).toHaveLength(2)
  })

  test.each([
    [{ PORT: 'many' }, /^PORT must be/],
    [
      { HOST: '203.0.113.9', ALLOW_DEMO_ON_NETWORK: '1', PORT: '8080', ...NO_IDENTITY },
      /^HOST 203\.0\.113\.9 is not an address of this/,
    ],
    [{ HOST: '0.0.0.0' }, /^HOST would open the demo to the network/],
    [{ NODE_ENV: 'production' }, /^FIREBASE_PROJECT_ID must name/],
  ])('names the bad setting %o and does not start', async (env, sentence) => {
    const { child, lines } = await start({ port: 0, env })
    expect((await child.ended).code).toBe(1)
    expect(lines).toEqual([expect.stringMatching(sentence)])
  })
})
