import { type ApiFailure, failureOf } from './failure.ts'
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
export async function askWithToken<A extends { status: number }>(
  ask: (token: string | null) => Promise<A>,
  wait: Waiting = (token) => token,
): Promise<Answered<A>> {
  const token = await wait(currentToken())
  const answer = await ask(token)
  if (answer.status !== 401 || token === null) return { answer, token }
  const fresh = await wait(freshToken(token))
  return fresh === null ? { answer, token } : { answer: await ask(fresh), token: fresh }
}

/**
 * The refusal as a failure. It ends the session where our server no longer accepts the user: a captive portal may answer
 * 401 too, but only our server sends the code.
 */
export function refusalOf(answer: Parameters<typeof failureOf>[0], token: string | null): ApiFailure {
  const failure = failureOf(answer)
  if (token !== null && failure.code === 'UNAUTHENTICATED') endSession()
  return failure
}
