import { describe, expect, test } from 'vitest'
import { payloadOf, sign } from '../../testing/tokens.ts'
import { makeWorld, type World } from '../../testing/world.ts'

const RADHA = { uid: 'radha-1', email: 'radha@example.org', name: 'Radha' }

const signIn = async ({ nobody, clock }: World, person: typeof RADHA, claims = {}) =>
  nobody.request('POST', '/api/auth/google-signin', { idToken: await sign(payloadOf(person, clock.now(), claims)) })

describe('signing in', () => {
  test('a new person is a guest, and known the second time', async () => {
    const world = await makeWorld()
    const first = await signIn(world, RADHA)
    expect(first).toMatchObject({ status: 200, body: { success: true, isNewUser: true } })
    expect(first.body.user).toMatchObject({ role: 'guest', name: 'Radha', email: 'radha@example.org' })
    world.clock.forward(5000)
    const second = await signIn(world, RADHA)
    expect(second.body).toMatchObject({ isNewUser: false, user: { lastLogin: world.clock.now().toISOString() } })
  })

  test('an unknown uid with the verified email of a known user is that user', async () => {
    const world = await makeWorld()
    const first = await signIn(world, RADHA)
    const again = await signIn(world, { ...RADHA, uid: 'radha-2', email: 'RADHA@example.org' })
    expect(again.body).toMatchObject({ isNewUser: false })
    expect(again.body.user).toMatchObject({ _id: (first.body.user as { _id: string })._id, firebaseUID: 'radha-2' })
  })

  test('an unverified email is nobody else, on either side', async () => {
    const world = await makeWorld()
    await signIn(world, RADHA)
    const thief = await signIn(world, { ...RADHA, uid: 'thief' }, { email_verified: false })
    expect(thief.body).toMatchObject({ isNewUser: true })
    const squatter = { uid: 'squatter', email: 'krishna@example.org', name: 'Squatter' }
    await signIn(world, squatter, { email_verified: false })
    const owner = await signIn(world, { ...squatter, uid: 'krishna', name: 'Krishna' })
    expect(owner.body).toMatchObject({ isNewUser: true, user: { name: 'Krishna' } })
  })

  test('a verified email of ADMIN_EMAILS is admin from then on', async () => {
    const world = await makeWorld({ settings: { ADMIN_EMAILS: ' Radha@example.org , other@example.org' } })
    expect((await signIn(world, RADHA, { email_verified: false })).body.user).toMatchObject({ role: 'guest' })
    expect((await signIn(world, RADHA)).body.user).toMatchObject({ role: 'admin' })
  })

  test.each([{}, { idToken: '' }, { idToken: 5 }, { idToken: 'x', role: 'admin' }])(
    '%j is no sign-in',
    async (body) => {
      const { nobody } = await makeWorld()
      expect(await nobody.request('POST', '/api/auth/google-signin', body)).toMatchObject({
        status: 400,
        body: { success: false, code: 'VALIDATION_FAILED' },
      })
    },
  )

  test('a token that proves nothing is 401', async () => {
    const { nobody } = await makeWorld()
    expect(await nobody.request('POST', '/api/auth/google-signin', { idToken: 'ey.ey.ey' })).toMatchObject({
      status: 401,
    })
  })

  test('signing out always succeeds', async () => {
    const { nobody } = await makeWorld()
    expect(await nobody.request('POST', '/api/auth/logout')).toMatchObject({ status: 200, body: { success: true } })
  })
})

describe('the profile', () => {
  test('name and photo are a user’s own to write', async () => {
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

  test.each([
    ['role', { role: 'admin' }],
    ['email', { email: 'x@example.org' }],
    ['_id', { displayName: 'Ok', _id: 'x' }],
    ['firebaseUID', { firebaseUID: 'x' }],
    ['displayName', { displayName: '   ' }],
    ['displayName', { displayName: 'x'.repeat(81) }],
    ['photoURL', { photoURL: 'http://example.org/me.png' }],
    ['photoURL', { photoURL: 'javascript:alert(1)' }],
  ])('%s is refused in %j and nothing changes', async (field, body) => {
    const world = await makeWorld()
    const guest = await world.as('guest')
    const before = (await guest.request('GET', '/api/auth/me')).body
    const refused = await guest.request('PUT', '/api/auth/profile', body)
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ field }] } })
    expect((await guest.request('GET', '/api/auth/me')).body).toEqual(before)
  })

  test('becoming admin needs a listed email that is verified', async () => {
    const world = await makeWorld({ settings: { ADMIN_EMAILS: 'guest@garba.test' } })
    const guest = await world.as('guest')
    const manager = await world.as('manager')
    expect(await manager.request('POST', '/api/auth/assign-admin')).toMatchObject({
      status: 403,
      body: { code: 'NOT_ADMIN_EMAIL' },
    })
    const unverified = { email_verified: false }
    const person = { uid: 'uid-guest', email: 'guest@garba.test' }
    const doubtful = world.client(await sign(payloadOf(person, world.clock.now(), unverified)))
    expect((await doubtful.request('POST', '/api/auth/assign-admin')).status).toBe(403)
    expect((await guest.request('POST', '/api/auth/assign-admin')).body.user).toMatchObject({ role: 'admin' })
  })
})
