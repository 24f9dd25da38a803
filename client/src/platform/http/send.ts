import { REQUEST_RETRY_DELAY_MS, REQUEST_TIMEOUT_MS } from '@garba/shared/constants'
import ky from 'ky'
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
export async function send(sending: Sending, wants: 'json' | 'file' = 'json'): Promise<Answer> {
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
