import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { importJWK, jwtVerify } from 'jose'

export interface PushDelivery {
  endpoint: string
  message: {
    web_push: number
    notification: { title: string; body: string; navigate: string; lang: string; dir: string; tag: string }
  }
  ttl: number
  urgency: string
  topic: string
}

interface Browser {
  endpoint: string
  auth: Buffer
  ecdh: ECDH
}

/** The status that the next message to an endpoint gets, once or until another is set. */
interface Fate {
  status: number
  retryAfter?: string
}

export interface PushService {
  url: string
  delivered: PushDelivery[]
  /** What a real push service or browser would have refused. */
  faults: string[]
  subscribe: () => { endpoint: string; keys: { p256dh: string; auth: string } }
  answerWith: (endpoint: string, ...fates: Fate[]) => void
  /** Called before a message is answered; false cuts the connection. */
  hold: (gate: () => Promise<boolean>) => void
  close: () => Promise<void>
}

/** A push service on this machine that decrypts what it gets (RFC 8030, 8188, 8291 and 8292). */
export async function startPushService(now: () => Date = () => new Date()): Promise<PushService> {
  const browsers = new Map<string, Browser>()
  const fates = new Map<string, Fate[]>()
  const delivered: PushDelivery[] = []
  const faults: string[] = []
  let gate: () => Promise<boolean> = async () => true
  const server: Server = createServer(async (request, response) => {
    const endpoint = `${url}${request.url}`
    const body: Buffer[] = []
    for await (const piece of request) body.push(piece)
    const fate = fates.get(endpoint)?.shift() ?? { status: 201 }
    let status = fate.status
    const browser = browsers.get(endpoint)
    if (status < 300)
      try {
        if (!browser) throw new RangeError('nobody has this endpoint')
        await verifySender(request.headers, { audience: url, now: now() })
        delivered.push({ endpoint, ...readHeaders(request.headers), message: decrypt(Buffer.concat(body), browser) })
      } catch (error) {
        faults.push(String(error))
        status = 400
      }
    const isAnswered = await gate()
    if (fate.retryAfter !== undefined) response.setHeader('Retry-After', fate.retryAfter)
    if (isAnswered) response.writeHead(status).end()
    else request.socket.destroy()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    delivered,
    faults,
    subscribe: () => {
      const ecdh = createECDH('prime256v1')
      ecdh.generateKeys()
      const [endpoint, auth] = [`${url}/push/${randomBytes(12).toString('base64url')}`, randomBytes(16)]
      browsers.set(endpoint, { endpoint, auth, ecdh })
      const keys = { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') }
      return { endpoint, keys }
    },
    answerWith: (endpoint, ...next) => fates.set(endpoint, next),
    hold: (next) => {
      gate = next
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function verifySender(
  { authorization = '' }: IncomingHttpHeaders,
  { audience, now }: { audience: string; now: Date },
): Promise<void> {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')] as const
  const publicKey = await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256')
  const { payload } = await jwtVerify(token, publicKey, { audience, currentDate: now, algorithms: ['ES256'] })
  const lasts = (payload.exp ?? Number.POSITIVE_INFINITY) - now.getTime() / 1_000
  if (lasts > 86_400) throw new RangeError('signed for more than a day')
  if (!/^(mailto:|https:)/.test(payload.sub ?? '')) throw new RangeError('nobody to write to')
}

function readHeaders(headers: IncomingHttpHeaders): Pick<PushDelivery, 'ttl' | 'urgency' | 'topic'> {
  const { ttl, urgency, topic } = headers
  if (!/^\d+$/.test(String(ttl))) throw new RangeError('no TTL')
  if (!/^(very-low|low|normal|high)$/.test(String(urgency))) throw new RangeError('not an urgency')
  if (!/^[\w-]{1,32}$/.test(String(topic))) throw new RangeError('not a topic')
  if (headers['content-encoding'] !== 'aes128gcm') throw new RangeError('not aes128gcm')
  return { ttl: Number(ttl), urgency: String(urgency), topic: String(topic) }
}

const BYTES_MAX = 4_096

/** As a browser does with its own key (RFC 8291, 3.4). */
function decrypt(body: Buffer, { ecdh, auth }: Browser): PushDelivery['message'] {
  if (body.length > BYTES_MAX) throw new RangeError('too long')
  const [salt, sender] = [body.subarray(0, 16), body.subarray(21, 21 + body.readUInt8(20))]
  const sealed = body.subarray(21 + sender.length)
  const derive = (secret: Uint8Array, from: Uint8Array, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, from, info, length))
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender])
  const secret = derive(ecdh.computeSecret(sender), auth, about, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const opening = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([opening.update(sealed.subarray(0, -16)), opening.final()])
  return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString())
}
