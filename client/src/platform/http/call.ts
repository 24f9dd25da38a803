import type { CALLS } from '@garba/shared/calls/calls'
import { REQUEST_RETRIES, REQUEST_RETRY_DELAY_MS, REQUEST_TIMEOUT_MS } from '@garba/shared/constants'
import { type CallName, PATHS, type ParamsOf } from '@garba/shared/contracts/paths'
import ky from 'ky'
import pTimeout from 'p-timeout'
import type * as z from 'zod'
import { noteDate } from '../net/clock.ts'
import { noteAnswer, noteNoAnswer } from '../net/connectivity.ts'
import { readAnswer } from './answers.ts'
import { epochHeaders, isOfLatestEpoch, noteEpoch } from './epoch.ts'
import { type ApiFailure, type FailureCode, failureOf, isFailure, networkFailure } from './failure.ts'
import { currentToken, endSession, freshToken } from './tokens.ts'

type Calls = typeof CALLS

/** The type of a call's answer; `unknown` if the answer is not JSON. */
export type AnswerOf<N extends CallName> = Calls[N] extends { answer: infer A extends z.ZodType }
  ? z.output<A>
  : unknown
/** The type of a call's body; `unknown` where a rule checks it instead of a contract (event forms). */
export type BodyOf<N extends CallName> = Calls[N] extends { body: infer B extends z.ZodType } ? z.input<B> : unknown

type Value = string | number | boolean | null | undefined
/** Query values, which the server parses from text. Empty, null and undefined ones are left out. */
export type QueryOf<N extends CallName> = Calls[N] extends { query: infer Q extends z.ZodType }
  ? { [K in keyof z.output<Q>]?: Value }
  : Record<string, never>

interface Common {
  headers?: Record<string, string>
  signal?: AbortSignal
  /** Milliseconds until the request is given up; 15 s by default. */
  timeoutMs?: number
  /** The number of attempts after a network failure; defaults to 3 if the call may be repeated, else 0. */
  retries?: number
  /** Checks an answer's headers. An answer that it rejects counts as none. */
  accepts?: (headers: Headers) => boolean
  /** Keeps sending when the page closes (small bodies only). */
  keepalive?: boolean
}
type WithParams<N extends CallName> = [keyof ParamsOf<N>] extends [never] ? { params?: never } : { params: ParamsOf<N> }
type WithBody<N extends CallName> = Calls[N] extends { body: z.ZodType } ? { body: BodyOf<N> } : { body?: unknown }

export type CallOptions<N extends CallName> = Common & { query?: QueryOf<N> } & WithParams<N> & WithBody<N>
/** Options may be omitted when none is required. */
export type CallArgs<N extends CallName> =
  Record<never, never> extends WithParams<N> & WithBody<N> ? [options?: CallOptions<N>] : [options: CallOptions<N>]

/** Calls that need no user. They are sent without a token, so that a visitor's page never waits for Firebase. */
const ANONYMOUS: ReadonlySet<CallName> = new Set([
  'signIn',
  'mailLink',
  'event',
  'eventExists',
  'eventImage',
  'config',
  'logError',
  'openapi',
  'pairDevice',
  'openWallet',
])

interface Loose extends Common {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

/**
 * One call of the API by name, its answer parsed by its contract. The bearer token is attached; a 401 refreshes
 * it once, shared by all calls under way, and the call is made again.
 * Throws ApiFailure (`code`, `status`, `message` fit to be shown, `errors`), or the signal's reason when the caller gave up.
 */
export async function call<N extends CallName>(name: N, ...args: CallArgs<N>): Promise<AnswerOf<N>> {
  const { body } = await answerOf(name, (args[0] ?? {}) as Loose, 'json')
  return (await readAnswer(name, body)) as AnswerOf<N>
}

/** Like `call`, for exports: the file's bytes as sent, byte order mark included. */
export async function callFile<N extends CallName>(name: N, ...args: CallArgs<N>): Promise<Blob> {
  const { response, body } = await answerOf(name, (args[0] ?? {}) as Loose, 'file')
  return body === null ? response.blob() : new Blob([JSON.stringify(body, null, 2)], { type: 'application/json' })
}

async function answerOf(name: CallName, options: Loose, wants: 'json' | 'file'): Promise<Answer> {
  const sending = sendingOf(name, options)
  const ask = (token: string | null) => send({ ...sending, token }, wants)
  const { answer, token } = ANONYMOUS.has(name)
    ? { answer: await ask(null), token: null }
    : await askWithToken(ask, (token) => patiently(token, options))
  if (!isRefusal(answer)) return answer
  const failure = refusalOf(answer, token)
  if (isGoneAlready(sending, failure)) return { ...answer, body: { success: true } }
  throw failure
}

/** On a bad network the provider may hang, so it gets the same time limit as the request. */
async function patiently<T>(token: Promise<T>, { signal, timeoutMs = REQUEST_TIMEOUT_MS }: Loose): Promise<T> {
  try {
    return await pTimeout(token, { milliseconds: timeoutMs, ...(signal ? { signal } : {}) })
  } catch (error) {
    if (signal?.aborted || isFailure(error)) throw error
    throw networkFailure(error)
  }
}

/** The first attempt, whose answer was lost, may have deleted it already: then a 404 means success. */
const isGoneAlready = ({ method }: Pick<Sending, 'method'>, { repeated, status, code }: ApiFailure) =>
  method === 'DELETE' && repeated && status === 404 && code !== 'UNKNOWN'

const isRefusal = ({ status, body }: Answer) =>
  status >= 400 || (typeof body === 'object' && body !== null && 'success' in body && body.success === false)

function sendingOf(name: CallName, options: Loose): Omit<Sending, 'token'> {
  const { method, path } = PATHS[name]
  const { params, query, retries = mayRepeat(method, options) ? REQUEST_RETRIES : 0, ...rest } = options
  return { ...rest, url: urlOf(path, params, query), method, retries }
}

/** Every method but POST is idempotent. A POST is if the server recognises repetitions: sales by key, scans by id. */
export function mayRepeat(method: string, { headers = {}, body }: Pick<Loose, 'headers' | 'body'>): boolean {
  if (method !== 'POST') return true
  const keyed = Object.keys(headers).some((header) => header.toLowerCase() === 'idempotency-key')
  return keyed || (typeof body === 'object' && body !== null && ('scanId' in body || 'scans' in body))
}

interface Sending extends Omit<Loose, 'params' | 'query'> {
  url: string
  method: string
  token: string | null
  retries: number
}

interface Answer {
  status: number
  headers: Headers
  /** Parsed JSON, or null for an answer that is a file. */
  body: unknown
  response: Response
  /** An earlier attempt got no answer, so the server may have carried it out already. */
  repeated: boolean
}

/** A proxy or a captive portal answers with a page of HTML instead of JSON. */
const isOurs = (response: Response, wants: 'json' | 'file') => {
  const type = response.headers.get('content-type') ?? ''
  return type.includes('json') || (wants === 'file' && response.ok && !type.includes('text/html'))
}

/** The answer did not come from our current server. */
class NotOurs extends Error {
  override readonly name = 'NotOurs'
}

/**
 * One request over ky: 15 s by default, repeated after 1 s, 2 s and 4 s when our server's answer did not arrive complete and
 * in time. Answers of any status are returned. Throws ApiFailure NETWORK when every attempt failed, and the signal's
 * reason when the caller gave up.
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
  const { url, method, token, body, headers, signal, timeoutMs = REQUEST_TIMEOUT_MS, accepts, keepalive } = sending
  const sentAt = Date.now()
  const response = await ky(url, {
    method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      ...epochHeaders(),
      ...headers,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { json: body }),
    ...(signal ? { signal } : {}),
    ...(keepalive ? { keepalive } : {}),
    timeout: timeoutMs,
    // A refusal is an answer with a body of its own, and ky's errors leave it unread.
    throwHttpErrors: false,
    // ky retries by method and status before the body is read. Here a retry depends on the Idempotency-Key, and is due when the
    // body breaks off or an intermediary answers, never after an answer of our server.
    retry: 0,
  })
  if (!isOurs(response, wants) || accepts?.(response.headers) === false)
    throw new NotOurs(`${method} ${url} got another's ${response.status}`)
  noteEpoch(response.headers)
  noteDate(response.headers.get('date'), sentAt)
  // ky's timeout covers only the headers; the body may hang as well.
  const parsed = isJson(response)
    ? await pTimeout<unknown>(response.json(), { milliseconds: timeoutMs, ...(signal ? { signal } : {}) })
    : null
  return { status: response.status, headers: response.headers, body: parsed, response }
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  pTimeout(new Promise<void>((resolve) => setTimeout(resolve, ms)), {
    milliseconds: Number.POSITIVE_INFINITY,
    ...(signal ? { signal } : {}),
  })

const isJson = (response: Response) => (response.headers.get('content-type') ?? '').includes('json')

interface Answered<A> {
  answer: A
  /** The last token the server saw; null for a visitor. */
  token: string | null
}
type Waiting = (token: Promise<string | null>) => Promise<string | null>

/**
 * Asks the server with the user's token, and once more with a fresh one after a 401. `wait` limits how long the
 * identity provider may take. (Spec: Calls and transport.)
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

const ENDS: ReadonlySet<FailureCode> = new Set(['UNAUTHENTICATED', 'DEVICE_REVOKED', 'DEVICE_LAPSED'])

/**
 * Converts a refusal into a failure. It ends the session if our server no longer accepts the user or the paired phone: a captive
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
