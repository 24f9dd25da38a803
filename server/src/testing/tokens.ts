import { DEMO_PROJECT_ID } from '@garba/shared/constants'
import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'

export const TEST_PROJECT = 'garba-live'

/** In place of Google's key pair; the verifier gets the public half. */
export const googleKeys = await generateKeyPair('RS256', { extractable: true })

/** A valid Firebase payload. `claims` replaces parts of it; undefined removes one. */
export function payloadOf(
  person: { uid: string; email: string; name?: string },
  now: Date,
  claims: Record<string, unknown> = {},
): JWTPayload {
  const seconds = Math.floor(now.getTime() / 1000)
  const payload = {
    iss: `https://securetoken.google.com/${TEST_PROJECT}`,
    aud: TEST_PROJECT,
    sub: person.uid,
    user_id: person.uid,
    email: person.email,
    email_verified: true,
    firebase: { sign_in_provider: 'google.com' },
    name: person.name ?? person.uid,
    iat: seconds - 60,
    auth_time: seconds - 60,
    exp: seconds + 3540,
    ...claims,
  }
  return Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined))
}

/** Worlds begin at the same moment, so the same few tokens are wanted again and again, and signing takes a millisecond. */
const signed = new Map<string, Promise<string>>()

export function sign(
  payload: JWTPayload,
  key: CryptoKey = googleKeys.privateKey,
  alg = 'RS256',
  kid = 'test',
): Promise<string> {
  const what = JSON.stringify([payload, alg, kid])
  const known = key === googleKeys.privateKey ? signed.get(what) : undefined
  const token = known ?? new SignJWT(payload).setProtectedHeader({ alg, kid }).sign(key)
  if (key === googleKeys.privateKey) signed.set(what, token)
  return token
}

export const unsigned = (payload: JWTPayload): string => new UnsecuredJWT(payload).encode()

/** The token a demo's Auth emulator would issue for an email. */
export function demoToken(email: string): string {
  const seconds = Math.floor(Date.now() / 1000)
  return unsigned({
    iss: `https://securetoken.google.com/${DEMO_PROJECT_ID}`,
    aud: DEMO_PROJECT_ID,
    sub: email,
    email,
    email_verified: true,
    iat: seconds,
    auth_time: seconds,
    exp: seconds + 3600,
  })
}
