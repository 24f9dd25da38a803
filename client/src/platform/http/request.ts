import { REQUEST_RETRY_DELAY_MS, REQUEST_TIMEOUT_MS } from '@garba/shared/constants'
import ky from 'ky'
import pTimeout from 'p-timeout'
import { recordDateHeader } from '../net/clock.ts'
import { markOffline, markOnline } from '../net/connectivity.ts'
import { recordEpoch } from './epoch.ts'
import { isFailure, networkFailure } from './failure.ts'
import { currentToken, freshToken } from './tokens.ts'

export interface RequestOptions {
  method: string
  headers?: Record<string, string>
  body?: unknown
  signal?: AbortSignal
  /** Milliseconds until an attempt is given up; `false` for a stream, which its caller gives up. */
  timeoutMs: number | false
  /** The number of attempts after one without an answer. */
  retries: number
  /** `stream` leaves the body of every answer unread, `file` that of a file. */
  wants: 'json' | 'file' | 'stream'
  isAnonymous?: boolean
  /** Checks an answer's headers. An answer that it rejects counts as none. */
  accepts?: (headers: Headers) => boolean
  keepalive?: boolean
}

export interface ServerAnswer {
  status: number
  headers: Headers
  /** Parsed JSON, or null for an answer that was left unread. */
  body: unknown
  response: Response
  /** An earlier attempt got no answer, so the server may have carried it out already. */
  repeated: boolean
  /** The last token the server saw; null for a visitor. */
  token: string | null
}

class NotOurs extends Error {
  override readonly name = 'NotOurs'
}

const isJson = ({ headers }: Response) => (headers.get('content-type') ?? '').includes('json')

/** A proxy or a captive portal answers with a page of HTML instead of JSON. */
const isOurs = (response: Response, wants: RequestOptions['wants']) =>
  isJson(response) ||
  (wants !== 'json' && response.ok && !(response.headers.get('content-type') ?? '').includes('text/html'))

/**
 * One request over ky, repeated after 1 s, 2 s and 4 s when our server's answer did not arrive complete and in time. Answers of
 * any status are returned. The bearer token is attached; a 401 refreshes it once, shared by all requests under way, and the
 * request is made again. Throws ApiFailure NETWORK when every attempt failed, and the signal's reason when the caller gave up.
 * (Spec: Calls and transport.)
 */
export async function sendRequest(url: string, options: RequestOptions): Promise<ServerAnswer> {
  const { method, headers, body, signal, timeoutMs, retries, wants, isAnonymous, accepts, keepalive } = options
  let token: string | null = null
  let isRefreshed = false
  let lost = 0
  let answer: Pick<ServerAnswer, 'response' | 'body'> | undefined
  // The provider may hang on a bad network, and ky's timeout does not cover hooks.
  const inTime = (found: Promise<string | null>) =>
    pTimeout(found, { milliseconds: timeoutMs || REQUEST_TIMEOUT_MS, ...(signal ? { signal } : {}) }).catch(
      (error: unknown) => {
        throw isFailure(error) ? error : networkFailure(error)
      },
    )
  const addToken = ({ request }: { request: Request }) => {
    if (token !== null) request.headers.set('authorization', `Bearer ${token}`)
  }
  try {
    await ky(url, {
      method,
      credentials: 'same-origin',
      headers: { accept: wants === 'stream' ? 'text/event-stream' : 'application/json', ...headers },
      ...(wants === 'stream' ? { cache: 'no-store' } : {}),
      ...(body === undefined ? {} : { json: body }),
      ...(signal ? { signal } : {}),
      ...(keepalive ? { keepalive } : {}),
      timeout: timeoutMs,
      // A refusal is an answer, with a body of its own.
      throwHttpErrors: false,
      retry: {
        // The fresh token has one of its own.
        limit: retries + 1,
        methods: [method.toLowerCase()],
        delay: (attempt) => REQUEST_RETRY_DELAY_MS * 2 ** (attempt - 1),
        shouldRetry: () => ++lost <= retries,
      },
      hooks: {
        beforeRequest: [
          async (state) => {
            if (!isAnonymous) token = await inTime(currentToken())
            addToken(state)
          },
        ],
        beforeRetry: [addToken],
        afterResponse: [
          async ({ response }) => {
            if (response.status !== 401 || token === null || isRefreshed) return undefined
            isRefreshed = true
            const fresh = await inTime(freshToken(token))
            if (fresh === null) return undefined
            token = fresh
            return ky.retry({ delay: 0 })
          },
        ],
      },
      // An answer counts once it is complete, and within the time limit; ky alone would stop at its headers.
      fetch: async (input, init) => {
        const sentAt = Date.now()
        const response = await fetch(input, init)
        if (!isOurs(response, wants) || accepts?.(response.headers) === false)
          throw new NotOurs(`${method} ${url} got another's ${response.status}`)
        recordEpoch(response.headers)
        recordDateHeader(response.headers.get('date'), sentAt)
        answer = { response, body: isJson(response) ? await response.json() : null }
        return new Response(null, { status: response.status })
      },
    })
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (isFailure(error)) throw error
    markOffline()
    throw networkFailure(error)
  }
  if (answer === undefined) throw new Error('ky ended without an answer')
  markOnline()
  const { status, headers: told } = answer.response
  return { ...answer, status, headers: told, repeated: lost > 0, token }
}
