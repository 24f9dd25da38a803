import { wasSignedIn } from '../store/local.ts'
import { type FailureCode, networkFailure } from './failure.ts'

/** What the transport needs from the identity provider, which registers itself here: http never imports identity. */
export interface TokenSource {
  /**
   * A valid token, or null when nobody is signed in. `force`: the server refused the last token. Rejects with
   * IdentityUnreachable when that cannot be known now.
   */
  token(options: { force: boolean }): Promise<string | null>
}

/** `isLatest`: our current server ended the session, not a server that has been replaced. */
export interface SessionEndSource {
  isLatest: boolean
}

/** The identity provider is out of reach, which is no reason to end a session. */
export class IdentityUnreachable extends Error {
  override readonly name = 'IdentityUnreachable'
}

let source: (() => Promise<TokenSource>) | null = null
let hasToken: () => boolean = wasSignedIn
let ended: ((code: FailureCode, by: SessionEndSource) => unknown) | null = null
let refresh: { of: string; result: Promise<string | null> } | null = null

/** `has`: whether there is anybody to request a token for. */
export const setTokenSource = (load: () => Promise<TokenSource>, has: () => boolean = wasSignedIn): void => {
  source = load
  hasToken = has
}
/**
 * Registers what happens when the server no longer accepts the user or this paired phone. If the handler returns false,
 * the session continues, and the answer counts as none.
 */
export const onSessionEnd = (handler: (code: FailureCode, by: SessionEndSource) => unknown): void => {
  ended = handler
}
export const endSession = (code: FailureCode, by: SessionEndSource): boolean => ended?.(code, by) !== false

/** The bearer token, or null for a visitor. Throws ApiFailure NETWORK when the provider is out of reach. */
export async function currentToken(): Promise<string | null> {
  return hasToken() ? ask({ force: false }) : null
}

/**
 * A token newer than the token that the server refused. All calls refused with the same token share one refresh, even
 * late calls. Null means that the session is over. Throws ApiFailure NETWORK, after which the next call tries again.
 */
export function freshToken(refused: string): Promise<string | null> {
  if (refresh?.of === refused) return refresh.result
  const result = ask({ force: true })
  refresh = { of: refused, result }
  result.catch(() => {
    refresh = null
  })
  return result
}

async function ask(options: { force: boolean }): Promise<string | null> {
  if (source === null) return null
  try {
    const provider = await source().catch((error: unknown) => {
      throw new IdentityUnreachable('Its code could not be loaded', { cause: error })
    })
    return await provider.token(options)
  } catch (error) {
    if (error instanceof IdentityUnreachable) throw networkFailure(error)
    if (options.force) return null
    throw error
  }
}
