import type { CALLS } from '@garba/shared/calls/calls'
import { REQUEST_RETRIES, REQUEST_TIMEOUT_MS } from '@garba/shared/constants'
import type { CallName, ParamsOf } from '@garba/shared/contracts/paths'
import type * as z from 'zod'
import { awaitModule, readAnswer } from './answers.ts'
import { isOfLatestEpoch } from './epoch.ts'
import { type ApiFailure, type FailureCode, networkFailure, toApiFailure } from './failure.ts'
import { type RequestOptions, type ServerAnswer, sendRequest } from './request.ts'
import { endSession } from './tokens.ts'

type Calls = typeof CALLS

export type AnswerOf<N extends CallName> = Calls[N] extends { answer: infer A extends z.ZodType }
  ? z.output<A>
  : unknown
/** The type of a call's body; `unknown` where a rule checks it instead of a contract (event forms). */
export type BodyOf<N extends CallName> = Calls[N] extends { body: infer B extends z.ZodType } ? z.input<B> : unknown

type Value = string | number | boolean | null | undefined
/** Query values, which the server parses from text. Empty, null and undefined values are left out. */
export type QueryOf<N extends CallName> = Calls[N] extends { query: infer Q extends z.ZodType }
  ? { [K in keyof z.output<Q>]?: Value }
  : Record<string, never>

interface Common extends Pick<RequestOptions, 'headers' | 'signal' | 'accepts' | 'keepalive'> {
  /** Milliseconds until an attempt is given up; 15 s by default. */
  timeoutMs?: number
  /** The number of attempts after a network failure; defaults to 3 if the call may be repeated, else 0. */
  retries?: number
}
type WithParams<N extends CallName> = [keyof ParamsOf<N>] extends [never] ? { params?: never } : { params: ParamsOf<N> }
type WithBody<N extends CallName> = Calls[N] extends { body: z.ZodType } ? { body: BodyOf<N> } : { body?: unknown }

export type CallOptions<N extends CallName> = Common & { query?: QueryOf<N> } & WithParams<N> & WithBody<N>
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

interface UntypedCallOptions extends Common {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

/**
 * One call of the API by name, its answer parsed by its contract. The bearer token is attached; a 401 refreshes
 * it once, shared by all calls under way, and the call is made again.
 * Throws ApiFailure (`code`, `status`, `message` fit to be shown, `errors`), or the signal's reason when the caller gave up.
 */
export async function callServer<N extends CallName>(name: N, ...args: CallArgs<N>): Promise<AnswerOf<N>> {
  const { body } = await runCall(name, (args[0] ?? {}) as UntypedCallOptions, 'json')
  return (await readAnswer(name, body)) as AnswerOf<N>
}

/** Like `callServer`, for exports: the file's bytes as sent, byte order mark included. */
export async function callFile<N extends CallName>(name: N, ...args: CallArgs<N>): Promise<Blob> {
  const { response, body } = await runCall(name, (args[0] ?? {}) as UntypedCallOptions, 'file')
  return body === null ? response.blob() : new Blob([JSON.stringify(body, null, 2)], { type: 'application/json' })
}

async function runCall(name: CallName, options: UntypedCallOptions, wants: 'json' | 'file'): Promise<ServerAnswer> {
  const { PATHS } = await awaitModule(import('@garba/shared/contracts/paths'))
  const place = PATHS[name]
  const { params, query, retries = mayRepeat(place.method, options) ? REQUEST_RETRIES : 0, ...rest } = options
  const answer = await sendRequest(buildApiUrl(place.path, params, query), {
    ...{ timeoutMs: REQUEST_TIMEOUT_MS, ...rest, method: place.method, retries, wants },
    isAnonymous: ANONYMOUS.has(name),
  })
  if (!isRefusal(answer)) return answer
  const failure = handleRefusal(answer, answer.token)
  if (isGoneAlready(place, failure)) return { ...answer, body: { success: true } }
  throw failure
}

/** The first attempt, whose answer was lost, may have deleted it already: then a 404 means success. */
const isGoneAlready = ({ method }: { method: string }, { repeated, status, code }: ApiFailure) =>
  method === 'DELETE' && repeated && status === 404 && code !== 'UNKNOWN'

const isRefusal = ({ status, body }: ServerAnswer) =>
  status >= 400 || (typeof body === 'object' && body !== null && 'success' in body && body.success === false)

/** Every method but POST is idempotent. A POST is if the server recognises repetitions: sales by key, scans by id. */
export function mayRepeat(
  method: string,
  { headers = {}, body }: Pick<UntypedCallOptions, 'headers' | 'body'>,
): boolean {
  if (method !== 'POST') return true
  const keyed = Object.keys(headers).some((header) => header.toLowerCase() === 'idempotency-key')
  return keyed || (typeof body === 'object' && body !== null && ('scanId' in body || 'scans' in body))
}

const ENDS: ReadonlySet<FailureCode> = new Set(['UNAUTHENTICATED', 'DEVICE_REVOKED', 'DEVICE_LAPSED'])

/**
 * Converts a refusal into a failure. It ends the session if our server no longer accepts the user or the paired phone: a captive
 * portal may answer 401 too, but only our server sends the code.
 */
export function handleRefusal(
  answer: Parameters<typeof toApiFailure>[0] & { headers: Headers },
  token: string | null,
): ApiFailure {
  const failure = toApiFailure(answer)
  const isEnd = token !== null && ENDS.has(failure.code)
  if (isEnd && !endSession(failure.code, { isLatest: isOfLatestEpoch(answer.headers) })) return networkFailure(failure)
  return failure
}

/**
 * The address of a call under /api: `{name}` holes filled and escaped, query values that are empty, null or undefined left out.
 * Throws when a hole has no value.
 */
export function buildApiUrl(
  path: string,
  params: Record<string, string> = {},
  query: Record<string, unknown> = {},
): string {
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
