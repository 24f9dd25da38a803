import { REQUEST_RETRIES, REQUEST_RETRY_DELAY_MS, REQUEST_TIMEOUT_MS } from '@garba/shared/constants'
import { type CallName, PATHS } from '@garba/shared/contracts/paths'
import ky from 'ky'
import { currentToken, endSession, freshToken } from '../identity/tokens.ts'
import { noteAnswer, noteNoAnswer } from '../net/connectivity.ts'
import { abortable } from './abortable.ts'
import { type ApiFailure, failureOf, isFailure, networkFailure } from './failure.ts'
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

interface Sending {
  url: string
  method: string
  token: string | null
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
  timeoutMs?: number
  retries: number
  keepalive?: boolean
}

interface Answer {
  status: number
  /** Parsed JSON, or null for an answer that is a file. */
  body: unknown
  response: Response
  /** A try before it had no answer, so what it asked for may have been done already. */
  repeated: boolean
}

/** A proxy's or a captive portal's page is no answer of ours: HTML in the place of JSON. */
const isOurs = (response: Response, wants: 'json' | 'file') => {
  const type = response.headers.get('content-type') ?? ''
  return type.includes('json') || (wants === 'file' && response.ok && !type.includes('text/html'))
}

/** An answer that is none of ours. */
class NotOurs extends Error {
  override readonly name = 'NotOurs'
}

/**
 * One request over ky: 15 s unless told, tried again after 1 s, 2 s, 4 s when no answer of ours came whole and in time
 * (SPEC 7), an answer of any status returned. Throws ApiFailure NETWORK when every try failed, and the signal's reason when
 * it was given up.
 */
async function send(sending: Sending, wants: 'json' | 'file' = 'json'): Promise<Answer> {
  const { signal, retries } = sending
  for (let failed = 0; ; failed++) {
    try {
      const answer = await once(sending, wants)
      noteAnswer()
      return { ...answer, repeated: failed > 0 }
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (failed >= retries) {
        noteNoAnswer()
        throw networkFailure(error)
      }
      await pause(REQUEST_RETRY_DELAY_MS * 2 ** failed, signal)
    }
  }
}

async function once(sending: Sending, wants: 'json' | 'file'): Promise<Omit<Answer, 'repeated'>> {
  const { url, method, token, body, headers, signal, timeoutMs = REQUEST_TIMEOUT_MS, keepalive } = sending
  const response = await ky(url, {
    method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      ...headers,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { json: body }),
    ...(signal ? { signal } : {}),
    ...(keepalive ? { keepalive } : {}),
    timeout: timeoutMs,
    throwHttpErrors: false,
    retry: 0,
  })
  if (!isOurs(response, wants)) throw new NotOurs(`${method} ${url} answered ${response.status} with a page`)
  // ky's patience ends with the head of the answer; a body may hang as well.
  const parsed = isJson(response) ? await abortable<unknown>(response.json(), { signal, ms: timeoutMs }) : null
  return { status: response.status, body: parsed, response }
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  abortable(new Promise<void>((resolve) => setTimeout(resolve, ms)), { signal })

const isJson = (response: Response) => (response.headers.get('content-type') ?? '').includes('json')
