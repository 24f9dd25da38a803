import * as z from 'zod'
import { getErrorCode } from '../errorCode.ts'
import type { RazorpaySettings } from '../settings/paymentSettings.ts'
import { LOW_BALANCE, NOT_FOUND, ProviderBusy, ProviderRefused, ProviderUnavailable } from './provider.ts'

/** Short, because a guest waits for the link. If the answer is late, the next query gets it. */
const TIMEOUT_MS = 5_000

export interface CallDeps {
  fetch?: typeof globalThis.fetch
}

interface ApiRequest<A> {
  path: string
  body?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string>>
  answer: z.ZodType<A>
}

/** Throws ProviderUnavailable or ProviderRefused, whose messages contain no keys and no data that was sent. */
export type Call = <A>(request: ApiRequest<A>) => Promise<A>

export function razorpayHttp(
  { apiUrl, keyId, keySecret }: RazorpaySettings,
  { fetch = globalThis.fetch }: CallDeps,
): Call {
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`
  return async ({ path, body, headers, answer }) => {
    const method = body ? 'POST' : 'GET'
    // The query is left out, because it may name an order.
    const what = `${method} ${path.split('?')[0]}`
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: { authorization, accept: 'application/json', 'content-type': 'application/json', ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
      // The keys must not follow a redirect to another address.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      // Only the code is kept, because the error itself may quote the request.
      throw new ProviderUnavailable(
        `${what}: ${error instanceof Error ? error.name : 'no answer'}`,
        getErrorCode(error),
      )
    })
    const text = await response.text().catch(() => '')
    if (!response.ok) throw failure(what, response.status, readJson(text))
    const parsed = answer.safeParse(readJson(text))
    if (parsed.success) return parsed.data
    const where = parsed.error.issues[0]?.path.join('.')
    throw new ProviderUnavailable(`${what}: unexpected answer${where ? ` at ${where}` : ''}`)
  }
}

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Statuses after which a retry may succeed: 401 and 403 mean keys that an operator must fix, 409 that the same request
 * is still being processed.
 */
const ASK_AGAIN = [401, 403, 408, 409, 425]
const TOO_MANY = 429

const errorSchema = z.object({
  error: z.object({ code: z.string().nullish(), description: z.string().nullish() }),
})

function failure(what: string, status: number, body: unknown): ProviderUnavailable | ProviderRefused {
  if (status === TOO_MANY) return new ProviderBusy(`${what}: ${status}`)
  const problem = errorSchema.safeParse(body).data?.error
  // A proxy in between may answer 4xx with its own page. A 404 has no description.
  if (status >= 500 || status < 400 || ASK_AGAIN.includes(status) || (!problem && status !== 404))
    return new ProviderUnavailable(`${what}: ${status}`)
  const description = (problem?.description ?? 'no description').replace(/\S+@\S+/g, '…').slice(0, 200)
  const code = codeFor(status, description) ?? problem?.code ?? String(status)
  return new ProviderRefused(code, `${what}: ${status} ${description}`)
}

function codeFor(status: number, description: string): string | null {
  if (status === 404 || /id provided does not exist/i.test(description)) return NOT_FOUND
  return /enough balance|insufficient balance/i.test(description) ? LOW_BALANCE : null
}
