import { DEVICE_CLOCK_TOLERANCE_SECONDS, DEVICE_TOKEN_SECONDS } from '@garba/shared/constants'
import type { DevicePublicKey } from '@garba/shared/contracts/phones/device'
import { decodeProtectedHeader, errors, jwtVerify } from 'jose'

export interface Claims {
  uid: string
  /** Normalised by `foldEmail`; empty when the account has none. */
  email: string
  emailVerified: boolean
  /** The sign-in provider, such as google.com; null when the token does not name one. */
  provider: string | null
  /** One line, at most 80 characters; the part of the email before the @ when the account has no name. */
  name: string
  photoUrl: string | null
  expiresAt: Date
}

/** The token is invalid, so its holder is not signed in. The message is only for the log. */
export class TokenRefused extends Error {
  override name = 'TokenRefused'
}

export class KeysUnavailable extends Error {
  override name = 'KeysUnavailable'
}

/** Returns a token's claims. Throws TokenRefused or KeysUnavailable. */
export type Verify = (token: string) => Promise<Claims>

const ALGORITHM = 'ES256'
const ISSUER = 'garba-device'

/** The device id that a token claims; null for a person's token. */
export function findDeviceId(token: string): string | null {
  try {
    const { alg, kid }: { alg?: unknown; kid?: unknown } = decodeProtectedHeader(token)
    if (alg !== ALGORITHM) return null
    return typeof kid === 'string' ? kid : ''
  } catch {
    return null
  }
}

interface DeviceTokenClaim {
  token: string
  deviceId: string
  publicKey: DevicePublicKey
  audience: string
  now: Date
}

/** Verifies a token that a paired phone signed itself. It can be used until it expires. Throws TokenRefused. */
export async function verifyDeviceToken({
  token,
  deviceId,
  publicKey,
  audience,
  now,
}: DeviceTokenClaim): Promise<void> {
  try {
    const { payload } = await jwtVerify(token, publicKey, {
      issuer: ISSUER,
      subject: deviceId,
      audience,
      algorithms: [ALGORITHM],
      clockTolerance: DEVICE_CLOCK_TOLERANCE_SECONDS,
      currentDate: now,
      requiredClaims: ['iat', 'exp', 'jti'],
    })
    const { iat = 0, exp = 0 } = payload
    if (exp - iat > DEVICE_TOKEN_SECONDS) throw new TokenRefused('lives too long')
    if (iat > now.getTime() / 1000 + DEVICE_CLOCK_TOLERANCE_SECONDS) throw new TokenRefused('issued in the future')
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new TokenRefused(error.code, { cause: error })
    throw error
  }
}
