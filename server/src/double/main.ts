import { once } from 'node:events'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import { createAdaptorServer } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Link } from './bank.ts'
import { type Double, type DoubleOptions, makeDouble } from './double.ts'

const EVERY_MS = 500
const SLOW_MS = 6_000
const WEBHOOK_TIMEOUT_MS = 5_000

export interface RunningDouble extends Double {
  readonly url: string
  close(): Promise<void>
}

export type Moment = 'before' | 'after'

interface StartOptions extends Pick<DoubleOptions, 'keyId' | 'keySecret' | 'webhookSecret' | 'faults' | 'seed'> {
  file?: string
  now?: () => Date
  /** Lets a test hold a request at a moment; resolves with false to cut its connection there. */
  gate?: (moment: Moment, request: Request) => Promise<boolean>
  port: number
  /** The address that events are posted to, which may become known later. */
  webhookUrl: () => string
}

/** Runs the double as its own program, only for this machine. Rejects with the port's error. */
export async function startDouble({
  port,
  webhookUrl,
  file,
  now = () => new Date(),
  gate = async () => true,
  ...options
}: StartOptions): Promise<RunningDouble> {
  let double: Double | undefined
  const server = createAdaptorServer({
    fetch: async (request, env) => {
      if (!double) return new Response(null, { status: 503 })
      if (await gate('before', request)) {
        const { response, fate } = await double.answer(request)
        const passed = await gate('after', request)
        if (fate === 'slow') await sleep(SLOW_MS)
        if (passed && fate !== 'cut') return response
      }
      ;(env as { incoming: { socket: { destroy(): void } } }).incoming.socket.destroy()
      return RESPONSE_ALREADY_SENT
    },
  }) as Server
  const url = `http://127.0.0.1:${await listen(server, port)}`
  const ending = new AbortController()
  const running = makeDouble({
    ...options,
    links: recall(file),
    now,
    baseUrl: url,
    send: async ({ body, headers }) => {
      const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(WEBHOOK_TIMEOUT_MS)])
      return (await fetch(webhookUrl(), { method: 'POST', body, headers, signal })).ok
    },
  })
  double = running
  let kept = 0
  const keep = () => {
    if (file === undefined || running.changes() === kept) return
    kept = running.changes()
    remember(file, running.links())
  }
  const ended = repeat(EVERY_MS, ending.signal, () => running.run().finally(keep))
  return {
    ...running,
    url,
    close: async () => {
      ending.abort()
      await ended
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      keep()
    },
  }
}

async function listen(server: Server, port: number): Promise<number> {
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

async function repeat(ms: number, signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  while (await sleep(ms, true, { signal }).catch(() => false)) await run()
}

/** Raised when the records' format changes; records in an older format are dropped. */
const FORM = 2
const OWNER_ONLY = 0o600

interface StoredLinks {
  form: number
  links: Link[]
}

/** Empty if there was no earlier run, or its file cannot be read. */
function recall(file: string | undefined): Link[] {
  if (file === undefined || !existsSync(file)) return []
  try {
    const kept = deserialize(readFileSync(file)) as StoredLinks
    return kept.form === FORM ? kept.links : []
  } catch {
    return []
  }
}

/** Writes the links with their payments and refunds, which reference each other. A crash leaves the earlier file. */
function remember(file: string, links: Link[]): void {
  const kept: StoredLinks = { form: FORM, links }
  writeFileSync(`${file}.new`, serialize(kept), { mode: OWNER_ONLY })
  renameSync(`${file}.new`, file)
}
