/** What a verified identity token says of who holds it. */
export interface Claims {
  uid: string
  /** With small ASCII letters; empty when the account has none. */
  email: string
  emailVerified: boolean
  /** Who vouched at the provider, such as google.com; null when the token does not say. */
  provider: string | null
  /** One line, at most 80 characters; the part of the email before the @ when the account has no name. */
  name: string
  photoUrl: string | null
  /** When the token stops proving anything. */
  expiresAt: Date
}

/** The token proves nothing: its holder is not signed in. The message is for the log alone. */
export class TokenRefused extends Error {
  override name = 'TokenRefused'
}

/** The keys to judge a token by could not be had just now. */
export class KeysUnavailable extends Error {
  override name = 'KeysUnavailable'
}

/** Gives the claims of a token, or throws TokenRefused or KeysUnavailable. */
export type Verify = (token: string) => Promise<Claims>
