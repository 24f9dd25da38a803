import type { User } from '@garba/shared/contracts/people/user'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { describe, expect, test } from 'vitest'
import { testOnSqlite } from '../../src/testing/database.ts'
import { bought, codeOf, mark, putOnSale } from '../../src/testing/scenes.ts'
import { payloadOf, sign } from '../../src/testing/tokens.ts'
import { type Client, makeWorld, type World } from '../../src/testing/world.ts'

const RADHA = { uid: 'radha-1', email: 'radha@example.org', name: 'Radha' }

const signIn = async ({ nobody, clock }: World, person: typeof RADHA, claims = {}) =>
  nobody.request('POST', '/api/auth/google-signin', { idToken: await sign(payloadOf(person, clock.now(), claims)) })

describe('signing in', () => {
  testOnSqlite('a new person becomes a guest and is recognised the second time', async () => {
    const world = await makeWorld()
    const first = await signIn(world, RADHA)
    expect(first).toMatchObject({ status: 200, body: { success: true, isNewUser: true } })
    expect(first.body.user).toMatchObject({ role: 'guest', name: 'Radha', email: 'radha@example.org' })
    world.clock.forward(5000)
    const second = await signIn(world, RADHA)
    expect(second.body).toMatchObject({ isNewUser: false, user: { lastLogin: world.clock.now().toISOString() } })
  })

  testOnSqlite('an unknown uid with the verified email of a known user is that user', async () => {
    const world = await makeWorld()
    const first = await signIn(world, RADHA)
    const again = await signIn(world, { ...RADHA, uid: 'radha-2', email: 'RADHA@example.org' })
    expect(again.body).toMatchObject({ isNewUser: false })
    expect(again.body.user).toMatchObject({ _id: (first.body.user as { _id: string })._id, firebaseUID: 'radha-2' })
  })

  testOnSqlite('an unverified email does not get in, even if another user has it', async () => {
    const world = await makeWorld()
    await signIn(world, RADHA)
    const thief = await signIn(world, { ...RADHA, uid: 'thief' }, { email_verified: false })
    expect(thief).toMatchObject({ status: 403, body: { code: 'EMAIL_UNVERIFIED' } })
    expect(thief.body.message).toMatch(/Verify it with Google/)
  })

  test.each([{ sign_in_provider: 'password' }, { sign_in_provider: 'anonymous' }, {}, undefined])(
    'an account that does not come from Google is refused: %j',
    async (firebase) => {
      const reply = await signIn(await makeWorld(), RADHA, { firebase })
      expect(reply).toMatchObject({ status: 403, body: { code: 'PROVIDER_NOT_GOOGLE' } })
    },
  )

  testOnSqlite('every call makes the same demands on its token', async () => {
    const world = await makeWorld()
    await signIn(world, RADHA)
    const me = async (claims: object) => {
      const { status, body } = await world
        .client(await sign(payloadOf(RADHA, world.clock.now(), { ...claims })))
        .request('GET', '/api/auth/me')
      return [status, body.code]
    }
    expect(await me({})).toEqual([200, undefined])
    expect(await me({ email_verified: false })).toEqual([403, 'EMAIL_UNVERIFIED'])
    expect(await me({ firebase: { sign_in_provider: 'password' } })).toEqual([403, 'PROVIDER_NOT_GOOGLE'])
  })

  testOnSqlite('a demo’s token need not name its provider, but its email is verified too', async () => {
    const world = await makeWorld({ settings: { FIREBASE_PROJECT_ID: 'demo-garba' } })
    const demo = { aud: 'demo-garba', iss: 'https://securetoken.google.com/demo-garba', firebase: undefined }
    expect((await signIn(world, RADHA, demo)).status).toBe(200)
    expect((await signIn(world, RADHA, { ...demo, email_verified: false })).body.code).toBe('EMAIL_UNVERIFIED')
    const anonymous = { ...demo, firebase: { sign_in_provider: 'anonymous' } }
    expect((await signIn(world, RADHA, anonymous)).body.code).toBe('PROVIDER_NOT_GOOGLE')
  })

  test('an existing user with an unverified email gets in, with their tickets, once it is verified', async () => {
    const world = await makeWorld()
    await putOnSale(world)
    const guest = await world.as('guest', RADHA)
    const [ticket] = await bought(guest)
    await world.sql("update users set email_verified = 0 where firebase_uid = 'radha-1'")
    expect((await signIn(world, RADHA, { email_verified: false })).status).toBe(403)
    expect((await signIn(world, RADHA)).body.isNewUser).toBe(false)
    const mine = await guest.request('GET', '/api/tickets/my-tickets')
    expect(mine.body.tickets).toMatchObject([{ _id: ticket._id }])
  })

  testOnSqlite('a deleted person who signs in with the same email gets their tickets back', async () => {
    const world = await makeWorld()
    await putOnSale(world)
    const [ticket] = await bought(await world.as('guest', RADHA))
    await bought(await world.as('guest'))
    const admin = await world.as('admin')
    const { user: deleted } = await world.as('guest', RADHA)
    expect((await admin.request('DELETE', `/api/admin/users/${deleted?.id}`)).status).toBe(200)
    const again = { ...RADHA, uid: 'radha-2', email: 'RADHA@example.org' }
    expect((await signIn(world, again)).body.isNewUser).toBe(true)
    const back = await world.as('guest', again)
    const mine = await back.request('GET', '/api/tickets/my-tickets')
    expect(mine.body.tickets).toMatchObject([{ _id: ticket._id, status: 'active', qrCode: ticket.qrCode }])
    const trail = await admin.request('GET', '/api/admin/audit?action=ticket.adopted')
    expect(trail.body.rows).toMatchObject([{ actorName: 'Radha', detail: expect.stringMatching(/^1 ticket /) }])
  })

  testOnSqlite('a verified email from ADMIN_EMAILS becomes admin', async () => {
    const world = await makeWorld({ settings: { ADMIN_EMAILS: ' Radha@Example.org , other@example.org' } })
    expect((await signIn(world, RADHA)).body.user).toMatchObject({ role: 'admin' })
  })

  testOnSqlite('an email that matches the list only after Unicode case folding does not count', async () => {
    const world = await makeWorld({ settings: { ADMIN_EMAILS: 'krishna@example.org' } })
    const kelvin = { uid: 'kelvin', email: '\u212Arishna@example.org', name: 'Kelvin' }
    expect((await signIn(world, kelvin)).body.user).toMatchObject({ role: 'guest', email: kelvin.email })
    const krishna = { uid: 'krishna', email: 'KRISHNA@example.org', name: 'Krishna' }
    expect((await signIn(world, krishna)).body).toMatchObject({ isNewUser: true, user: { role: 'admin' } })
  })

  test.each([{}, { idToken: '' }, { idToken: 5 }, { idToken: 'x', role: 'admin' }])(
    '%j is not a valid sign-in',
    async (body) => {
      const { nobody } = await makeWorld()
      expect(await nobody.request('POST', '/api/auth/google-signin', body)).toMatchObject({
        status: 400,
        body: { success: false, code: 'VALIDATION_FAILED' },
      })
    },
  )

  testOnSqlite('an invalid token gets 401', async () => {
    const { nobody } = await makeWorld()
    expect(await nobody.request('POST', '/api/auth/google-signin', { idToken: 'ey.ey.ey' })).toMatchObject({
      status: 401,
    })
  })

  testOnSqlite('signing out always succeeds', async () => {
    const { nobody } = await makeWorld()
    expect(await nobody.request('POST', '/api/auth/logout')).toMatchObject({ status: 200, body: { success: true } })
  })
})

describe('the profile', () => {
  testOnSqlite('users can change their own name and photo', async () => {
    const world = await makeWorld()
    const guest = await world.as('guest')
    const saved = await guest.request('PUT', '/api/auth/profile', {
      displayName: '  ગરિમા \n ',
      photoURL: 'https://example.org/me.png',
    })
    expect(saved.body.user).toMatchObject({
      name: 'ગરિમા',
      displayName: 'ગરિમા',
      photoURL: 'https://example.org/me.png',
    })
    expect((await guest.request('GET', '/api/auth/me')).body.user).toEqual(saved.body.user)
    expect((await guest.request('GET', '/api/auth/profile')).body.user).toEqual(saved.body.user)
  })

  testOnSqlite(
    'a new name is on active tickets without a name of their own: at the gate, on the desk and for the owner',
    async () => {
      const world = await makeWorld()
      await putOnSale(world)
      const guest = await world.as('guest')
      const [admin, checker] = [await world.as('admin'), await world.as('qrchecker')]
      const [used] = await bought(guest)
      await mark(checker, { qrCode: codeOf(used) })
      const [plain, named] = await bought(guest, 2)
      await guest.request('PATCH', `/api/tickets/${named?._id}/name`, { name: 'Meera' })
      const body = async (client: Client, path: string) => (await client.request('GET', path)).body
      const { revision } = await body(checker, '/api/scanner/roster')

      await guest.request('PUT', '/api/auth/profile', { displayName: 'Garima Joshi' })

      const { tickets: entries } = await body(checker, `/api/scanner/roster?since=${revision}`)
      const onRoster = new Map((entries as { id: string; name: string }[]).map(({ id, name }) => [id, name]))
      expect(onRoster.get(plain._id)).toBe('Garima Joshi')
      expect(onRoster.get(named?._id ?? '')).toBe('Meera')
      expect(onRoster.has(used._id)).toBe(false)
      const seen = await checker.request('POST', '/api/tickets/verify-qr', { qrCode: plain.qrCode })
      expect(seen.body).toMatchObject({ ticket: { user: { name: 'Garima Joshi' } } })
      const found = await body(admin, '/api/admin/tickets/management?search=joshi')
      // The desk finds all tickets of the account, also one that keeps its old name.
      expect((found.tickets as Ticket[]).map(({ _id }) => _id).toSorted()).toEqual(
        [used._id, plain._id, named?._id].toSorted(),
      )
      expect((await body(guest, '/api/tickets/my-tickets')).tickets).toMatchObject([
        { user: { name: 'Garima Joshi' } },
        { user: { name: 'Garima Joshi' } },
        { _id: used._id, user: { name: 'Garima Guest' } },
      ])
      const [next] = await bought(guest)
      expect(next.user.name).toBe('Garima Joshi')
      expect((await body(admin, '/api/admin/audit?action=user.renamed')).rows).toMatchObject([
        { actorName: 'Garima Joshi', detail: 'Name Garima Guest -> Garima Joshi; active tickets: 2' },
      ])
      await guest.request('PUT', '/api/auth/profile', { displayName: 'Garima Joshi', photoURL: null })
      expect((await body(admin, '/api/admin/audit?action=user.renamed')).rows).toHaveLength(1)
    },
  )

  test('only a photo from Google is shown', async () => {
    const world = await makeWorld()
    const guest = await world.as('guest')
    const admin = await world.as('admin')
    const shownAfter = async (photoURL: string | null) => {
      await guest.request('PUT', '/api/auth/profile', { photoURL })
      const { users } = (await admin.request('GET', '/api/admin/users?role=guest')).body as { users: User[] }
      return users[0]?.profilePicture
    }
    const google = 'https://lh3.googleusercontent.com/a/garima=s96-c'
    expect(await shownAfter(google)).toBe(google)
    expect(await shownAfter('https://example.org/who-looks-at-me.png')).toBeNull()
  })

  test.each([
    ['role', { role: 'admin' }],
    ['email', { email: 'x@example.org' }],
    ['_id', { displayName: 'Ok', _id: 'x' }],
    ['firebaseUID', { firebaseUID: 'x' }],
    ['displayName', { displayName: '   ' }],
    ['displayName', { displayName: 'x'.repeat(81) }],
    ['photoURL', { photoURL: 'http://example.org/me.png' }],
    ['photoURL', { photoURL: 'javascript:alert(1)' }],
  ])('%s in %j is refused and nothing changes', async (field, body) => {
    const world = await makeWorld()
    const guest = await world.as('guest')
    const before = (await guest.request('GET', '/api/auth/me')).body
    const refused = await guest.request('PUT', '/api/auth/profile', body)
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ field }] } })
    expect((await guest.request('GET', '/api/auth/me')).body).toEqual(before)
  })

  testOnSqlite('becoming an admin requires a listed, verified email', async () => {
    const world = await makeWorld({ settings: { ADMIN_EMAILS: 'guest@garba.test' } })
    const guest = await world.as('guest')
    const manager = await world.as('manager')
    expect(await manager.request('POST', '/api/auth/assign-admin')).toMatchObject({
      status: 403,
      body: { code: 'NOT_ADMIN_EMAIL' },
    })
    const person = { uid: 'uid-guest', email: 'guest@garba.test' }
    const doubtful = world.client(await sign(payloadOf(person, world.clock.now(), { email_verified: false })))
    expect((await doubtful.request('POST', '/api/auth/assign-admin')).status).toBe(403)
    expect((await guest.request('POST', '/api/auth/assign-admin')).body.user).toMatchObject({ role: 'admin' })
  })

  testOnSqlite(
    'someone added to the list becomes admin at the next sync, on whatever page, and nobody else does',
    async () => {
      const world = await makeWorld({ settings: { ADMIN_EMAILS: 'guest@garba.test' } })
      const guest = await world.as('guest')
      const manager = await world.as('manager')
      expect((await manager.request('GET', '/api/auth/profile')).body.user).toMatchObject({ role: 'manager' })
      expect((await guest.request('GET', '/api/auth/profile')).body.user).toMatchObject({ role: 'admin' })
      expect((await guest.request('GET', '/api/auth/me')).body.user).toMatchObject({ role: 'admin' })
    },
  )
})
