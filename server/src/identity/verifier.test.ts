import { generateKeyPair } from 'jose'
import { describe, expect, test } from 'vitest'
import { googleKeys, payloadOf, sign, TEST_PROJECT, unsigned } from '../testing/tokens.ts'
import { makeVerifier, type VerifierOptions } from './verifier.ts'

type Claims = Record<string, unknown>
const NOW = new Date('2025-08-08T12:00:00Z')
const SECONDS = NOW.getTime() / 1000
const RADHA = { uid: 'radha', email: 'Radha@Example.org', name: 'Radha' }

const verifier = (options: Partial<VerifierOptions> = {}) =>
  makeVerifier({
    projectId: TEST_PROJECT,
    emulatorHost: null,
    now: () => NOW,
    keys: async () => googleKeys.publicKey,
    ...options,
  })
const payload = (claims: Claims = {}) => payloadOf(RADHA, NOW, claims)

test('a valid token identifies its holder, with the email in lowercase', async () => {
  await expect(verifier()(await sign(payload()))).resolves.toEqual({
    uid: 'radha',
    email: 'radha@example.org',
    emailVerified: true,
    provider: 'google.com',
    name: 'Radha',
    photoUrl: null,
    expiresAt: new Date(NOW.getTime() + 3_540_000),
  })
})

test.each([
  ['x'.repeat(500), 'x'.repeat(80)],
  ['Radha\nadmitted at Gate A', 'Radha admitted at Gate A'],
  ['\u202e', 'radha'],
  [undefined, 'radha'],
])('the name %j from the provider becomes %j', async (name, counts) => {
  await expect(verifier()(await sign(payload({ name })))).resolves.toMatchObject({ name: counts })
})

test.each(['http://example.org/me.png', `https://example.org/${'x'.repeat(2_048)}`, 7])(
  'a photo at %j is ignored',
  async (picture) => {
    await expect(verifier()(await sign(payload({ picture })))).resolves.toMatchObject({ photoUrl: null })
  },
)

test.each<[string, Claims]>([
  ['for another project', { aud: 'another-project' }],
  ['from another issuer', { iss: 'https://securetoken.google.com/another-project' }],
  ['that has expired', { exp: SECONDS - 6 }],
  ['without an expiry', { exp: undefined }],
  ['issued in the future', { iat: SECONDS + 60 }],
  ['without an issue time', { iat: undefined }],
  ['with a sign-in in the future', { auth_time: SECONDS + 60 }],
  ['without a sign-in time', { auth_time: undefined }],
  ['with a sign-in time that is not a number', { auth_time: 'yesterday' }],
  ['without a subject', { sub: undefined }],
  ['with an empty subject', { sub: '' }],
  ['with a subject that is too long', { sub: 'x'.repeat(129) }],
])('a token %s is refused', async (_, claims) => {
  await expect(verifier()(await sign(payload(claims)))).rejects.toMatchObject({ name: 'TokenRefused' })
})

test('a clock that is a few seconds off is tolerated', async () => {
  await expect(verifier()(await sign(payload({ iat: SECONDS + 3, auth_time: SECONDS + 3 })))).resolves.toBeTruthy()
})

describe('the signature', () => {
  test('by another key is refused', async () => {
    const { privateKey } = await generateKeyPair('RS256')
    await expect(verifier()(await sign(payload(), privateKey))).rejects.toMatchObject({ name: 'TokenRefused' })
  })

  test('by another algorithm is refused, even with the right key', async () => {
    const pair = await generateKeyPair('ES256')
    const token = await sign(payload(), pair.privateKey, 'ES256')
    const verify = verifier({ keys: async () => pair.publicKey })
    await expect(verify(token)).rejects.toMatchObject({ name: 'TokenRefused', message: 'ERR_JOSE_ALG_NOT_ALLOWED' })
  })

  test('over a different payload is refused', async () => {
    const [head, , signature] = (await sign(payload())).split('.')
    const body = Buffer.from(JSON.stringify(payload({ sub: 'krishna' }))).toString('base64url')
    await expect(verifier()(`${head}.${body}.${signature}`)).rejects.toMatchObject({ name: 'TokenRefused' })
  })

  test.each(['', 'x', 'a.b.c', 'ey.ey.', '..'])('text that is not a token (%j) is refused', async (token) => {
    await expect(verifier()(token)).rejects.toMatchObject({ name: 'TokenRefused' })
  })
})

describe('an unsigned token', () => {
  const demo = { projectId: 'demo-garba', emulatorHost: '127.0.0.1:9099' }
  const ofDemo = { aud: 'demo-garba', iss: 'https://securetoken.google.com/demo-garba' }

  test('is accepted with an emulator and a demo project', async () => {
    await expect(verifier(demo)(unsigned(payload(ofDemo)))).resolves.toMatchObject({ uid: 'radha' })
  })

  test.each([
    ['without an emulator', { ...demo, emulatorHost: null }, ofDemo],
    ['for a project that is not a demo', { ...demo, projectId: TEST_PROJECT }, {}],
  ])('is refused %s', async (_, options, claims) => {
    await expect(verifier(options)(unsigned(payload(claims)))).rejects.toMatchObject({ name: 'TokenRefused' })
  })

  test.each<[string, Claims]>([
    ['for another project', { aud: 'demo-other' }],
    ['that has expired', { exp: SECONDS - 60 }],
    ['issued in the future', { iat: SECONDS + 60 }],
    ['without a sign-in time', { auth_time: undefined }],
  ])('%s is refused in the demo too', async (_, claims) => {
    await expect(verifier(demo)(unsigned(payload({ ...ofDemo, ...claims })))).rejects.toMatchObject({
      name: 'TokenRefused',
    })
  })
})

test('a failure to fetch keys does not refuse the token', async () => {
  const verify = verifier({
    keys: () => {
      throw new TypeError('fetch failed')
    },
  })
  await expect(verify(await sign(payload()))).rejects.toMatchObject({ name: 'KeysUnavailable' })
})
