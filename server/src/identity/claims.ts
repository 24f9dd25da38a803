/** The claims of a verified identity token about its holder. */
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
  /** The token's expiry. */
  expiresAt: Date
}

/** The token is invalid, so its holder is not signed in. The message is only for the log. */
export class TokenRefused extends Error {
  override name = 'TokenRefused'
}

/** The keys to verify a token are unavailable right now. */
export class KeysUnavailable extends Error {
  override name = 'KeysUnavailable'
}

/** Returns a token's claims. Throws TokenRefused or KeysUnavailable. */
export type Verify = (token: string) => Promise<Claims>
