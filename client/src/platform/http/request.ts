import { isOfLatestEpoch } from './epoch.ts'
import { type ApiFailure, type FailureCode, failureOf, networkFailure } from './failure.ts'
import { currentToken, endSession, freshToken } from './tokens.ts'

interface Answered<A> {
  answer: A
  /** The last token the server saw; null for a visitor. */
  token: string | null
}
type Waiting = (token: Promise<string | null>) => Promise<string | null>

/**
 * Asks the server with the user's token, and once more with a fresh one after a 401 (SPEC 7). `wait` limits how long the
 * identity provider may take.
 */
export async function askWithToken<A extends { status: number; headers?: Headers }>(
  ask: (token: string | null) => Promise<A>,
  wait: Waiting = (token) => token,
): Promise<Answered<A>> {
  const token = await wait(currentToken())
  const answer = await ask(token)
  if (answer.status !== 401 || token === null) return { answer, token }
  const fresh = await wait(freshToken(token, answer.headers?.get('date')))
  return fresh === null ? { answer, token } : { answer: await ask(fresh), token: fresh }
}

const ENDS: ReadonlySet<FailureCode> = new Set(['UNAUTHENTICATED', 'DEVICE_REVOKED', 'DEVICE_LAPSED'])

/**
 * The refusal as a failure. It ends the session where our server no longer accepts the user or the paired phone: a captive
 * portal may answer 401 too, but only our server sends the code.
 */
export function refusalOf(
  answer: Parameters<typeof failureOf>[0] & { headers: Headers },
  token: string | null,
): ApiFailure {
  const failure = failureOf(answer)
  const isEnd = token !== null && ENDS.has(failure.code)
  if (isEnd && !endSession(failure.code, { isLatest: isOfLatestEpoch(answer.headers) })) return networkFailure(failure)
  return failure
}

/**
 * The address of a call under /api: `{name}` holes filled and escaped, query values that are empty, null or undefined left out.
 * Throws when a hole has no value.
 */
export function urlOf(path: string, params: Record<string, string> = {}, query: Record<string, unknown> = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_hole, name: string) => {
    const value = params[name]
    if (value === undefined || value === '') throw new Error(`The call ${path} needs ${name}`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return `/api${filled}${text === '' ? '' : `?${text}`}`
}
