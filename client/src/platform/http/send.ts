import { REQUEST_RETRY_DELAY_MS, REQUEST_TIMEOUT_MS } from '@garba/shared/constants'
import ky, { isNetworkError } from 'ky'
import { noteAnswer, noteNoAnswer } from '../net/connectivity.ts'
import { abortable } from './abortable.ts'
import { networkFailure } from './failure.ts'

export interface Sending {
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

export interface Answer {
  status: number
  /** Parsed JSON, or null for an answer that is a file. */
  body: unknown
  response: Response
}

/** A proxy's or a captive portal's page is no answer of ours: HTML in the place of JSON. */
const isOurs = (response: Response, wants: 'json' | 'file') => {
  const type = response.headers.get('content-type') ?? ''
  return type.includes('json') || (wants === 'file' && response.ok && !type.includes('text/html'))
}

/**
 * One request over ky: 15 s unless told, network failures tried again after 1 s, 2 s, 4 s (SPEC 7), an answer of any
 * status returned. Throws ApiFailure NETWORK when no answer of ours came, and the signal's reason when it was given up.
 */
export async function send(sending: Sending, wants: 'json' | 'file' = 'json'): Promise<Answer> {
  const { url, method, token, body, headers, signal, timeoutMs = REQUEST_TIMEOUT_MS, retries, keepalive } = sending
  try {
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
      retry: {
        limit: retries,
        methods: [method.toLowerCase()],
        delay: (attempt) => REQUEST_RETRY_DELAY_MS * 2 ** (attempt - 1),
        shouldRetry: ({ error }) => isNetworkError(error) || error.name === 'ForceRetryError',
      },
      hooks: {
        afterResponse: [({ response }) => (isOurs(response, wants) ? undefined : ky.retry({ code: 'NOT_OURS' }))],
      },
    })
    // ky's patience ends with the head of the answer; a body may hang as well.
    const parsed = isJson(response) ? await abortable<unknown>(response.json(), { signal, ms: timeoutMs }) : null
    noteAnswer()
    return { status: response.status, body: parsed, response }
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    noteNoAnswer()
    throw networkFailure(error)
  }
}

const isJson = (response: Response) => (response.headers.get('content-type') ?? '').includes('json')
