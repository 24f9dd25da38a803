import { Agent, request } from 'node:http'

export interface Call {
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Load {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly count: number
}

interface Loading {
  port: number
  calls: Iterable<Call>
  connections: number
  wanted: number
  /** Called with the body of each response. */
  take?: (body: string) => void
}

/** The first calls, at most this many and at most an eighth, warm up and are not measured. */
const WARM_UP = 400

/**
 * Sends the calls over `connections` connections, each sending the next call as soon as it has its response. Throws on an
 * unexpected status, because refusals are fast and must not be measured.
 */
export async function load(loading: Loading): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: loading.connections })
  const calls = loading.calls[Symbol.iterator]()
  const times: { from: number; took: number }[] = []
  const lane = async () => {
    for (let next = calls.next(); !next.done; next = calls.next()) {
      const from = performance.now()
      await send(loading, agent, next.value)
      times.push({ from, took: performance.now() - from })
    }
  }
  await Promise.all(Array.from({ length: loading.connections }, lane))
  agent.destroy()
  const counted = times.slice(Math.min(WARM_UP, Math.floor(times.length / 8)))
  const seconds = (performance.now() - Math.min(...counted.map(({ from }) => from))) / 1000
  const sorted = counted.map(({ took }) => took).sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { perSecond: counted.length / seconds, p50: at(0.5), p99: at(0.99), count: counted.length }
}

function send({ port, wanted, take }: Loading, agent: Agent, call: Call): Promise<void> {
  const { path, method = 'POST', body = '', headers } = call
  return new Promise((resolve, reject) => {
    const length = String(Buffer.byteLength(body))
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path,
        agent,
        method,
        headers: {
          ...(method === 'POST' ? { 'content-type': 'application/json', 'content-length': length } : {}),
          ...headers,
        },
      },
      (answer) => {
        let text = ''
        const read = take !== undefined || answer.statusCode !== wanted
        answer.on('data', (data) => {
          if (read) text += data
        })
        answer.on('end', () => {
          if (answer.statusCode !== wanted) {
            reject(new Error(`${path} answered ${answer.statusCode}: ${text}`))
            return
          }
          take?.(text)
          resolve()
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
