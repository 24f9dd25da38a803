import * as z from 'zod'
import type { RazorpaySettings } from '../paymentSettings.ts'
import { LOW_BALANCE, NOT_FOUND, ProviderBusy, ProviderRefused, ProviderUnavailable } from './provider.ts'

/** A guest waits for the link. A later answer is fetched with a later question. */
const TIMEOUT_MS = 5_000

export interface CallDeps {
  /** Defaults to the global one. */
  fetch?: typeof globalThis.fetch
}

interface ApiRequest<A> {
  path: string
  /** A request with a body is a POST. */
  body?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string>>
  answer: z.ZodType<A>
}

/** Throws ProviderUnavailable or ProviderRefused, whose messages carry no keys and nothing that was sent. */
export type Call = <A>(asked: ApiRequest<A>) => Promise<A>

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
      throw new ProviderUnavailable(`${what}: ${error instanceof Error ? error.name : 'no answer'}`)
    })
    const text = await response.text().catch(() => '')
    if (!response.ok) throw failure(what, response.status, json(text))
    const parsed = answer.safeParse(json(text))
    if (parsed.success) return parsed.data
    const where = parsed.error.issues[0]?.path.join('.')
    throw new ProviderUnavailable(`${what}: unexpected answer${where ? ` at ${where}` : ''}`)
  }
}

/** Undefined if it is not JSON. */
function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * These may succeed when asked again: 401 and 403 are keys that an operator must fix, 409 is the same request still
 * being processed.
 */
const ASK_AGAIN = [401, 403, 408, 409, 425]
const TOO_MANY = 429

const errorSchema = z.object({
  error: z.object({ code: z.string().nullish(), description: z.string().nullish() }),
})

function failure(what: string, status: number, body: unknown): ProviderUnavailable | ProviderRefused {
  if (status === TOO_MANY) return new ProviderBusy(`${what}: ${status}`)
  const problem = errorSchema.safeParse(body).data?.error
  // A proxy in between may answer 4xx with a page of its own. 404 comes without a description.
  if (status >= 500 || status < 400 || ASK_AGAIN.includes(status) || (!problem && status !== 404))
    return new ProviderUnavailable(`${what}: ${status}`)
  const description = (problem?.description ?? 'no description').replace(/\S+@\S+/g, '…').slice(0, 200)
  const code = codeFor(status, description) ?? problem?.code ?? String(status)
  return new ProviderRefused(code, `${what}: ${status} ${description}`)
}

/** Razorpay's own codes do not distinguish these. */
function codeFor(status: number, description: string): string | null {
  if (status === 404 || /id provided does not exist/i.test(description)) return NOT_FOUND
  return /enough balance|insufficient balance/i.test(description) ? LOW_BALANCE : null
}
