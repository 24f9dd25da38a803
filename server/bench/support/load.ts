import { Agent, request } from 'node:http'

export interface Call {
  readonly path: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Load {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly count: number
}

/**
 * Sends the calls over so many connections, the next one on each as soon as the last was answered, after an eighth of
 * them as warm-up. Throws when an answer has another status than wanted: a refusal is fast, and must not be measured.
 */
export async function load(options: {
  port: number
  calls: readonly Call[]
  connections: number
  wanted: number
}): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections })
  const warm = Math.floor(options.calls.length / 8)
  await send({ ...options, agent, calls: options.calls.slice(0, warm) })
  const from = performance.now()
  const times = await send({ ...options, agent, calls: options.calls.slice(warm) })
  const seconds = (performance.now() - from) / 1000
  agent.destroy()
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99), count: times.length }
}

interface Sending {
  port: number
  calls: readonly Call[]
  connections: number
  wanted: number
  agent: Agent
}

async function send(sending: Sending): Promise<number[]> {
  const queue = sending.calls.values()
  const times: number[] = []
  const lane = async () => {
    for (const call of queue) {
      const from = performance.now()
      await post(sending, call)
      times.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: sending.connections }, lane))
  return times
}

function post({ port, agent, wanted }: Sending, { path, body, headers }: Call): Promise<void> {
  return new Promise((resolve, reject) => {
    const length = String(Buffer.byteLength(body))
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path,
        agent,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': length, ...headers },
      },
      (answer) => {
        let text = ''
        answer.on('data', (data) => {
          if (answer.statusCode !== wanted) text += data
        })
        answer.on('end', () => {
          if (answer.statusCode === wanted) resolve()
          else reject(new Error(`${path} answered ${answer.statusCode}: ${text}`))
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
