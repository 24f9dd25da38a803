import { hash } from 'node:crypto'
import { NAME_MAX, PHOTO_URL_MAX } from '@garba/shared/constants'
import { plainName } from '@garba/shared/contracts/people/personName'
import { foldEmail } from '@garba/shared/rules/search'
import { errors, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify, UnsecuredJWT } from 'jose'
import { type Claims, KeysUnavailable, TokenRefused, type Verify } from './claims.ts'

const TOLERANCE_SECONDS = 5
const UID_MAX = 128

export interface VerifierOptions {
  projectId: string
  emulatorHost: string | null
  now: () => Date
  keys: JWTVerifyGetKey
}

/**
 * Verifies Firebase identity tokens: RS256 with Google's keys, and iss, aud, sub, exp, iat and auth_time all checked.
 * The emulator's unsigned tokens are valid only with an emulator host and a project id that starts with demo-.
 */
export function makeVerifier({ projectId, emulatorHost, now, keys }: VerifierOptions): Verify {
  const emulated = emulatorHost !== null && projectId.startsWith('demo-')
  const optionsNow = (): JWTVerifyOptions => ({
    issuer: `https://securetoken.google.com/${projectId}`,
    audience: projectId,
    algorithms: ['RS256'],
    clockTolerance: TOLERANCE_SECONDS,
    currentDate: now(),
    requiredClaims: ['sub', 'exp', 'iat', 'auth_time'],
  })
  const payloadOf = async (token: string): Promise<JWTPayload> =>
    // An unsecured JWT ends with the dot before the missing signature.
    emulated && token.endsWith('.')
      ? UnsecuredJWT.decode(token, optionsNow()).payload
      : (await jwtVerify(token, keys, optionsNow())).payload

  return async (token) => {
    try {
      return parseClaims(await payloadOf(token), now())
    } catch (error) {
      throw asRefusal(error)
    }
  }
}

const toTextOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '')

/** People choose their names at the provider, so they are cleaned like names typed on this site. */
const cleanName = (given: string): string => Array.from(plainName(given)).slice(0, NAME_MAX).join('').trim()

const findSignInProvider = (firebase: unknown): string | null =>
  typeof firebase === 'object' && firebase !== null && 'sign_in_provider' in firebase
    ? toTextOrEmpty(firebase.sign_in_provider)
    : null

/** jose does not check that a token is not from the future or that its subject is usable. */
function parseClaims(payload: JWTPayload, now: Date): Claims {
  const latest = now.getTime() / 1000 + TOLERANCE_SECONDS
  const { sub, iat, exp = 0, auth_time: authTime } = payload
  if (typeof sub !== 'string' || sub === '' || sub.length > UID_MAX) throw new TokenRefused('unusable sub')
  if (typeof iat !== 'number' || iat > latest) throw new TokenRefused('issued in the future')
  if (typeof authTime !== 'number' || authTime > latest) throw new TokenRefused('signed in in the future')
  const email = foldEmail(toTextOrEmpty(payload.email))
  const picture = toTextOrEmpty(payload.picture)
  return {
    uid: sub,
    email,
    provider: findSignInProvider(payload.firebase),
    emailVerified: email !== '' && payload.email_verified === true,
    name: cleanName(toTextOrEmpty(payload.name)) || cleanName(email.split('@')[0] ?? ''),
    photoUrl: picture.startsWith('https://') && picture.length <= PHOTO_URL_MAX ? picture : null,
    expiresAt: new Date(exp * 1000),
  }
}

/** Only a fault in the token itself refuses it, not a failure to fetch keys. */
function asRefusal(error: unknown): Error {
  if (error instanceof TokenRefused || error instanceof KeysUnavailable) return error
  const ofToken = error instanceof errors.JOSEError && error.code !== 'ERR_JOSE_GENERIC'
  if (ofToken) return new TokenRefused(error.code, { cause: error })
  return new KeysUnavailable('the keys of the identity provider cannot be fetched', { cause: error })
}

/** More people than on any evening. Beyond this number, the oldest token is dropped. */
const KEPT = 20_000

/**
 * Verifies each token once and keeps its claims under its hash until it expires. Roles are not kept: they are read from
 * the database on every request.
 */
export function rememberTokens(verify: Verify, now: () => Date): Verify {
  const kept = new Map<string, Claims>()
  return async (token) => {
    const key = hash('sha256', token, 'base64')
    const known = kept.get(key)
    if (known && known.expiresAt > now()) return known
    kept.delete(key)
    const claims = await verify(token)
    const [oldest] = kept.keys()
    if (kept.size >= KEPT && oldest !== undefined) kept.delete(oldest)
    kept.set(key, claims)
    return claims
  }
}
