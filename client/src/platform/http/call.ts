import { REQUEST_RETRIES, REQUEST_TIMEOUT_MS } from '@garba/shared/constants'
import { type CallName, PATHS } from '@garba/shared/contracts/paths'
import { currentToken, endSession, freshToken } from '../identity/tokens.ts'
import { abortable } from './abortable.ts'
import { type ApiFailure, failureOf, isFailure, networkFailure } from './failure.ts'
import { type Answer, type Sending, send } from './send.ts'
import type { AnswerOf, CallArgs } from './types.ts'
import { urlOf } from './url.ts'

/** Calls that read no user: they go without a token, so that a visitor's page never waits for Firebase. */
const ANONYMOUS: ReadonlySet<CallName> = new Set([
  'signIn',
  'event',
  'eventExists',
  'eventImage',
  'config',
  'logError',
  'openapi',
])

interface Loose {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
  timeoutMs?: number
  retries?: number
  keepalive?: boolean
}

/**
 * One call of the API by name (DECISIONS 2), typed by its contract. The bearer token is attached; a 401 refreshes it once,
 * shared by all calls under way, and the call is made again (SPEC 7).
 * Throws ApiFailure (`code`, `status`, `message` fit to be shown, `errors`), or the signal's reason when it was given up.
 */
export async function call<N extends CallName>(name: N, ...args: CallArgs<N>): Promise<AnswerOf<N>> {
  const { body } = await answerOf(name, (args[0] ?? {}) as Loose, 'json')
  return body as AnswerOf<N>
}

/** Like `call` for the calls that answer a file (exports): its bytes as they came, a byte order mark included. */
export async function callFile<N extends CallName>(name: N, ...args: CallArgs<N>): Promise<Blob> {
  const { response, body } = await answerOf(name, (args[0] ?? {}) as Loose, 'file')
  return body === null ? response.blob() : new Blob([JSON.stringify(body, null, 2)], { type: 'application/json' })
}

async function answerOf(name: CallName, options: Loose, wants: 'json' | 'file'): Promise<Answer> {
  const anonymous = ANONYMOUS.has(name)
  const token = anonymous ? null : await patiently(currentToken(), options)
  const sending = sendingOf(name, options)
  let answer = await send({ ...sending, token }, wants)
  if (answer.status === 401 && !anonymous && token !== null) {
    const fresh = await patiently(freshToken(token), options)
    if (fresh !== null) answer = await send({ ...sending, token: fresh }, wants)
  }
  if (!isRefusal(answer)) return answer
  const failure = failureOf(answer)
  if (isGoneAlready(sending, failure)) return { ...answer, body: { success: true } }
  // A captive portal may say 401 too; only our server knows of the session.
  if (token !== null && failure.code === 'UNAUTHENTICATED') endSession()
  throw failure
}

/** The provider may hang on a half-dead network: its time is the request's. */
async function patiently<T>(token: Promise<T>, { signal, timeoutMs = REQUEST_TIMEOUT_MS }: Loose): Promise<T> {
  try {
    return await abortable(token, { signal, ms: timeoutMs })
  } catch (error) {
    if (signal?.aborted || isFailure(error)) throw error
    throw networkFailure(error)
  }
}

/** What the lost first try deleted is not there for the second: that is the answer it would have had. */
const isGoneAlready = ({ method }: Pick<Sending, 'method'>, { repeated, status, code }: ApiFailure) =>
  method === 'DELETE' && repeated && status === 404 && code !== 'UNKNOWN'

const isRefusal = ({ status, body }: Answer) =>
  status >= 400 || (typeof body === 'object' && body !== null && 'success' in body && body.success === false)

function sendingOf(name: CallName, options: Loose): Omit<Sending, 'token'> {
  const { method, path } = PATHS[name]
  const { params, query, retries = mayRepeat(method, options) ? REQUEST_RETRIES : 0, ...rest } = options
  return { ...rest, url: urlOf(path, params, query), method, retries }
}

/**
 * GET, PUT, PATCH and DELETE come to the same when made twice; a POST only where the server knows the repetition for one:
 * sales by key, scans by id (SPEC 7, DECISIONS 5).
 */
export function mayRepeat(method: string, { headers = {}, body }: Pick<Loose, 'headers' | 'body'>): boolean {
  if (method !== 'POST') return true
  const keyed = Object.keys(headers).some((header) => header.toLowerCase() === 'idempotency-key')
  return keyed || (typeof body === 'object' && body !== null && ('scanId' in body || 'scans' in body))
}

export type { AnswerOf, BodyOf, CallOptions, QueryOf } from './types.ts'
