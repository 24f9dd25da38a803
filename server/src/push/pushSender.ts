import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { HOUR_MS, SECOND_MS } from '@garba/shared/constants'
import { SignJWT } from 'jose'
import type { Settings } from '../config.ts'
import { allowsDouble, isPushEndpoint, lookupPublic } from './endpoint.ts'

export interface PushKeys {
  /** An uncompressed point in base64url. */
  publicKey: string
  privateJwk: JsonWebKey
}

export interface PushMessage {
  endpoint: string
  keys: { p256dh: string; auth: string }
  payload: string
  /** Seconds that the push service keeps it for a phone that is off. */
  ttl: number
  urgency: 'normal' | 'high'
  /** A later message with the same topic replaces one that is not delivered yet. */
  topic: string
}

/**
 * `gone`: the browser takes no more messages. `unknown`: the service may have taken the message. `refused`: it never
 * will.
 */
export type PushOutcome =
  | { outcome: 'accepted' | 'gone' }
  | { outcome: 'retry'; why: string; afterMs?: number }
  | { outcome: 'refused' | 'unknown'; why: string }

interface PushOptions {
  keys: PushKeys
  now: Date
  settings: Pick<Settings, 'demo' | 'demoOnNetwork' | 'supportEmail'>
}

const PATIENCE_MS = 15_000
/** A push service accepts at most 24 hours (RFC 8292). */
const SIGNED_FOR_MS = 12 * HOUR_MS

/** Encrypts a message for one browser and gives it to the browser's push service. Redirects are not followed. */
export async function sendPush(message: PushMessage, { keys, now, settings }: PushOptions): Promise<PushOutcome> {
  if (!isPushEndpoint(message.endpoint, settings)) return { outcome: 'refused', why: 'not a push service' }
  // Loaded with the first message, not at the start.
  const { encryptNotification } = await import('@block65/webcrypto-web-push')
  const { endpoint, payload, ttl, urgency, topic } = message
  const url = new URL(endpoint)
  const body = await encryptNotification(
    { endpoint, expirationTime: null, keys: message.keys },
    new TextEncoder().encode(payload),
  )
  const privateKey = await crypto.subtle.importKey('jwk', keys.privateJwk, P256, false, ['sign'])
  const token = await new SignJWT({ sub: `mailto:${settings.supportEmail}` })
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
    .setAudience(url.origin)
    .setExpirationTime(new Date(now.getTime() + SIGNED_FOR_MS))
    .sign(privateKey)
  const headers = {
    authorization: `vapid t=${token}, k=${keys.publicKey}`,
    ttl: String(ttl),
    urgency,
    topic,
    'content-encoding': 'aes128gcm',
    'content-type': 'application/notification+json',
    'content-length': String(body.byteLength),
  }
  return post(url, { headers, body, guarded: !allowsDouble(settings, url.hostname), now })
}

const P256 = { name: 'ECDSA', namedCurve: 'P-256' }

interface PostedPush {
  headers: Record<string, string>
  body: Uint8Array
  guarded: boolean
  now: Date
}

/** Until these, nothing of the message has left this machine. */
const BEFORE_SENDING =
  /^(ENOTFOUND|EAI_AGAIN|EADDRNOTPUBLIC|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|CERT_|ERR_TLS|.*CERT)/

const post = (url: URL, { headers, body, guarded, now }: PostedPush): Promise<PushOutcome> =>
  new Promise((resolve) => {
    const ask = url.protocol === 'http:' ? requestHttp : requestHttps
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const lookup = guarded ? { lookup: lookupPublic } : {}
    const asked = ask(url, { method: 'POST', headers, agent: false, signal, ...lookup }, (answer) => {
      answer.resume()
      resolve(judgeAnswer(answer.statusCode ?? 0, answer.headers['retry-after'], now))
    })
    asked.on('error', ({ code = 'lost' }: NodeJS.ErrnoException) =>
      resolve({ outcome: BEFORE_SENDING.test(code) ? 'retry' : 'unknown', why: code }),
    )
    asked.end(body)
  })

function judgeAnswer(status: number, retryAfter: string | undefined, now: Date): PushOutcome {
  const why = String(status)
  if (status >= 200 && status < 300) return { outcome: 'accepted' }
  if (status === 404 || status === 410) return { outcome: 'gone' }
  if (status !== 429 && status < 500) return { outcome: 'refused', why }
  const afterMs = readRetryAfter(retryAfter, now)
  return { outcome: 'retry', why, ...(afterMs === null ? {} : { afterMs }) }
}

/** Seconds or a date (RFC 9110). */
function readRetryAfter(text: string | undefined, now: Date): number | null {
  if (text === undefined) return null
  const ms = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - now.getTime()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
