import { DEVICE_TOKEN_SECONDS } from '@garba/shared/constants'

interface TokenFacts {
  deviceId: string
  privateKey: CryptoKey
  /** The origin of PUBLIC_URL. */
  audience: string
  /** The server's time, which the phone's clock may not be. */
  now: Date
}

export interface DeviceToken {
  text: string
  /** Server time in ms. */
  expiresAt: number
}

const letters = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
const base64url = (bytes: Uint8Array): string =>
  btoa(letters(bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
const part = (value: object): string => base64url(new TextEncoder().encode(JSON.stringify(value)))

/** The bearer token that a paired phone signs for itself: an ES256 JWT (RFC 7515 and 7518). */
export async function signDeviceToken({ deviceId, privateKey, audience, now }: TokenFacts): Promise<DeviceToken> {
  const iat = Math.floor(now.getTime() / 1000)
  const exp = iat + DEVICE_TOKEN_SECONDS
  const header = { alg: 'ES256', typ: 'JWT', kid: deviceId }
  const claims = { iss: 'garba-device', sub: deviceId, aud: audience, iat, exp, jti: crypto.randomUUID() }
  const signed = `${part(header)}.${part(claims)}`
  // WebCrypto's signature is r and s one after the other, which is what JOSE wants.
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    privateKey,
    new TextEncoder().encode(signed),
  )
  return { text: `${signed}.${base64url(new Uint8Array(signature))}`, expiresAt: exp * 1000 }
}
