import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hasPassword, sendMailLink } from '../../src/identity/toolkit.ts'
import { writtenMails } from '../../src/mail/folder.ts'
import { everyRow } from '../../src/testing/everyRow.ts'
import { bought, putOnSale } from '../../src/testing/scenes.ts'
import { payloadOf, unsigned } from '../../src/testing/tokens.ts'
import { makeWorld, testSettings, type World, type WorldOptions } from '../../src/testing/world.ts'

interface LinkRequest {
  url: string
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
}
interface Answer {
  status: number
  body: object
}
const LINK =
  'http://127.0.0.1:9099/emulator/action?mode=signIn&lang=en&oobCode=once&apiKey=demo&continueUrl=http%3A%2F%2Fx'
const refusal = (message: string): Answer => ({ status: 400, body: { error: { code: 400, message } } })

/** An identity provider that answers as told. */
async function provider(answer: (asked: LinkRequest) => Answer = () => ({ status: 200, body: { oobLink: LINK } })) {
  const asked: LinkRequest[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const one = { url: request.url ?? '', headers: request.headers, body: JSON.parse(text) }
    asked.push(one)
    const { status, body } = answer(one)
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { asked, host: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function demo(host: string, options: WorldOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'garba-mail-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const settings = { FIREBASE_PROJECT_ID: 'demo-garba', FIREBASE_AUTH_EMULATOR_HOST: host, DATA_DIR: folder }
  return makeWorld({ ...options, settings: { ...settings, ...options.settings } })
}
const ask = ({ nobody }: World, body: object) => nobody.request('POST', '/api/auth/mail-link', body)
const SENT = { status: 200, body: { success: true } }

test('a demo writes the mail, whose link leads to the page with the choice and the code', async () => {
  const { asked, host } = await provider()
  const world = await demo(host)
  expect(await ask(world, { email: ' Meera@Example.org ', language: 'gu', tickets: 4 })).toMatchObject(SENT)
  expect(asked).toMatchObject([
    {
      url: '/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=key',
      headers: { 'x-firebase-locale': 'gu' },
      body: {
        requestType: 'EMAIL_SIGNIN',
        email: 'Meera@Example.org',
        canHandleCodeInApp: true,
        continueUrl: 'http://localhost:8080/dashboard/guest/sign-in?tickets=4',
      },
    },
  ])
  const [mail] = await writtenMails(world.deps.settings.mailDir, { limit: 2 })
  expect(mail?.to).toBe('Meera@example.org')
  expect(mail?.text).toContain(
    'http://localhost:8080/dashboard/guest/sign-in?tickets=4&mode=signIn&lang=en&oobCode=once&apiKey=demo',
  )
  expect(world.log.join() + (await everyRow(world))).not.toMatch(/meera|once/i)
})

test('a live site sends by the provider, with the public key alone, and nothing of the link comes here', async () => {
  const { asked, host } = await provider(() => ({ status: 200, body: { kind: 'x', email: 'meera@example.org' } }))
  const live = { address: `http://${host}`, settings: testSettings() }
  const page = 'https://garba.example/dashboard/guest/sign-in'
  expect(await sendMailLink(live, { email: 'meera@example.org', page, language: 'hi' })).toBeNull()
  expect(asked).toMatchObject([{ headers: { referer: page }, body: { returnOobLink: false } }])
  expect(asked[0]?.headers.authorization).toBeUndefined()
})

test('the answer is the same for known, unknown and disabled accounts', async () => {
  const { host } = await provider(({ body }) =>
    body.email === 'disabled@x.test'
      ? refusal('USER_DISABLED')
      : body.email === 'unknown@x.test'
        ? refusal('EMAIL_NOT_FOUND')
        : { status: 200, body: { oobLink: LINK } },
  )
  const world = await demo(host)
  const { user } = await world.as('guest')
  for (const email of [user?.email, 'new@x.test', 'disabled@x.test', 'unknown@x.test'])
    expect(await ask(world, { email })).toMatchObject(SENT)
})

test('a mailbox gets five links an hour, however its address is written', async () => {
  const { asked, host } = await provider()
  const world = await demo(host)
  const spellings = [
    'radha.k@gmail.com',
    'RADHAK@gmail.com',
    'radhak+a@gmail.com',
    'r.a.dhak@googlemail.com',
    'radhak+b@gmail.com',
  ]
  for (const email of spellings) expect(await ask(world, { email })).toMatchObject(SENT)
  const sixth = await ask(world, { email: 'radhak@gmail.com' })
  expect(sixth).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) } })
  expect(Number(sixth.body.retryAfterSeconds)).toBeGreaterThan(60)
  expect(asked).toHaveLength(5)
  expect(await ask(world, { email: 'radha.k@other.test' })).toMatchObject(SENT)
  expect(await ask(world, { email: 'radhak@other.test' })).toMatchObject(SENT)
})

test('an address is limited over all mailboxes', async () => {
  const { asked, host } = await provider()
  const world = await demo(host, { limits: { mailLinks: 2 } })
  for (const n of [1, 2]) expect(await ask(world, { email: `m${n}@x.test` })).toMatchObject(SENT)
  expect((await ask(world, { email: 'm3@x.test' })).status).toBe(429)
  expect(asked).toHaveLength(2)
})

test('a link refused for a mailbox does not count for the address', async () => {
  const { host } = await provider()
  const world = await demo(host, { limits: { mailLinks: 3, mailLinksTo: 2 } })
  for (let n = 0; n < 6; n += 1) await ask(world, { email: 'eager@x.test' })
  expect(await ask(world, { email: 'neighbour@x.test' })).toMatchObject(SENT)
})

test.each([
  ['QUOTA_EXCEEDED : Exceeded daily quota for email sign-in.', 429, 'RATE_LIMITED'],
  ['TOO_MANY_ATTEMPTS_TRY_LATER', 429, 'RATE_LIMITED'],
  ['INVALID_EMAIL', 400, 'VALIDATION_FAILED'],
  ['OPERATION_NOT_ALLOWED', 503, 'UNAVAILABLE'],
  ['UNAUTHORIZED_DOMAIN : DOMAIN_NOT_WHITELISTED', 503, 'UNAVAILABLE'],
])('the provider answers %s', async (message, status, code) => {
  const { host } = await provider(() => refusal(message))
  const world = await demo(host)
  expect(await ask(world, { email: 'a@x.test' })).toMatchObject({ status, body: { code } })
  if (status === 503) expect(world.log.join()).toContain(message.split(' ')[0])
})

test('a provider out of reach, and one that answers nonsense', async () => {
  expect(await ask(await demo('127.0.0.1:1'), { email: 'a@x.test' })).toMatchObject({ status: 503 })
  const { host } = await provider(() => ({ status: 502, body: [] }))
  expect(await ask(await demo(host), { email: 'a@x.test' })).toMatchObject({ status: 503 })
})

test.each([
  { email: 'nothing' },
  { email: '' },
  {},
  { email: `${'a'.repeat(250)}@x.test` },
  { email: 'a@x.test', tickets: 0 },
  { email: 'a@x.test', tickets: '4' },
  { email: 'a@x.test', order: '../../x' },
  { email: 'a@x.test', page: 'https://elsewhere.test' },
])('refuses %j before anything is asked', async (body) => {
  const { asked, host } = await provider()
  expect(await ask(await demo(host), body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  expect(asked).toEqual([])
})

test('a site with Google alone has no such call, and takes no token of a link', async () => {
  const { asked, host } = await provider()
  const world = await demo(host, { settings: { SIGN_IN: 'google' } })
  expect(await ask(world, { email: 'a@x.test' })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  expect(asked).toEqual([])
  expect(await byLink(world, RADHA)).toMatchObject({ status: 403, body: { code: 'PROVIDER_NOT_GOOGLE' } })
})

const RADHA = { uid: 'radha-mail', email: 'radha@example.org', name: '' }
const DEMO = { iss: 'https://securetoken.google.com/demo-garba', aud: 'demo-garba' }
const tokenOf = ({ clock }: World, person: typeof RADHA, claims: object = {}) =>
  unsigned(payloadOf(person, clock.now(), { ...DEMO, firebase: { sign_in_provider: 'password' }, ...claims }))
const byLink = (world: World, person: typeof RADHA, claims: object = {}) =>
  world.nobody.request('POST', '/api/auth/google-signin', { idToken: tokenOf(world, person, claims) })
const account =
  (fields: object = {}) =>
  () => ({ status: 200, body: { users: [{ localId: 'x', ...fields }] } })

test('the same verified email is the same account, by Google and by link', async () => {
  const { host } = await provider(account())
  const world = await demo(host)
  const google = { firebase: { sign_in_provider: 'google.com' } }
  const { user } = await world.as('admin')
  const admin = { uid: user?.firebaseUid ?? '', email: user?.email ?? '', name: '' }
  await putOnSale({ ...world, as: async () => world.client(tokenOf(world, admin, google)) })
  const first = await byLink(world, { ...RADHA, uid: 'radha-google', name: 'Radha' }, google)
  const { _id } = first.body.user as { _id: string }
  const [ticket] = await bought(world.client(tokenOf(world, { ...RADHA, uid: 'radha-google' }, google)))
  const again = await byLink(world, { ...RADHA, email: 'RADHA@example.org' })
  expect(again.body).toMatchObject({ isNewUser: false, user: { _id, name: 'Radha', firebaseUID: 'radha-mail' } })
  const mine = await world.client(tokenOf(world, RADHA)).request('GET', '/api/tickets/my-tickets')
  expect(mine.body.tickets).toMatchObject([{ _id: ticket._id }])
})

test('an unverified email and an account that somebody gave a password do not get in, and change nothing', async () => {
  const { host } = await provider(account({ passwordHash: 'UkVEQUNURUQ=' }))
  const world = await demo(host)
  const google = { firebase: { sign_in_provider: 'google.com' } }
  await byLink(world, { ...RADHA, uid: 'radha-google', name: 'Radha' }, google)
  const before = await world.sql('select * from users')
  const unverified = await byLink(world, { ...RADHA, uid: 'thief' }, { email_verified: false })
  expect(unverified).toMatchObject({ status: 403, body: { code: 'EMAIL_UNVERIFIED' } })
  const password = await byLink(world, { ...RADHA, uid: 'thief' })
  expect(password).toMatchObject({ status: 403, body: { code: 'PROVIDER_NOT_GOOGLE' } })
  expect(await world.sql('select * from users')).toEqual(before)
  const thief = world.client(tokenOf(world, { ...RADHA, uid: 'thief' }))
  expect((await thief.request('GET', '/api/auth/me')).status).toBe(401)
})

test('a provider that cannot be asked about a password signs nobody new in, and leaves those it knows', async () => {
  let up = true
  const { host } = await provider(() => (up ? account()() : { status: 503, body: {} }))
  const world = await demo(host)
  expect((await byLink(world, RADHA)).status).toBe(200)
  up = false
  expect((await byLink(world, RADHA)).status).toBe(200)
  expect(await byLink(world, { ...RADHA, uid: 'other', email: 'other@example.org' })).toMatchObject({ status: 503 })
})

test('an account that the provider no longer has is no account', async () => {
  const { host } = await provider(() => ({ status: 200, body: { users: [] } }))
  expect(await byLink(await demo(host), RADHA)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } })
  const gone = await provider(() => refusal('USER_NOT_FOUND'))
  expect((await byLink(await demo(gone.host), RADHA)).status).not.toBe(200)
  const live = { address: `http://${host}`, settings: testSettings() }
  await expect(hasPassword(live, 'x')).rejects.toMatchObject({ name: 'TokenRefused' })
})
