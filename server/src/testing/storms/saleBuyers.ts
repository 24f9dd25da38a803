import { randomUUID } from 'node:crypto'
import { Agent, request as askHttp } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Order } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { tokenOf } from '../caller.ts'
import { dice } from '../dice.ts'

/** The buyers of the sale storm, in a process of their own: making a request costs about as much as answering it. */

export interface Crowd {
  url: string
  seed: number
  /** The numbers of its buyers: each `step`th from the first. */
  first: number
  step: number
  buyers: number
  /** All buyers come within so many seconds, whether or not they are answered. */
  seconds: number
  payments: boolean
}

/** The process's messages: everybody has signed in, more buyers have come, an order is confirmed, all are done. */
export type BuyersTold = { ready: true } | { come: number } | { placed: string } | { over: Bought }

export interface Bought {
  /** The answers by key, each confirmed to one buyer. */
  placed: string[]
  refused: number
  repeated: number
  hungUp: number
  /** Times of requests (ms) whose first try was answered. */
  times: number[]
  findings: string[]
}

/** As the site's own calls wait before they try again, doubling (ms). */
const RETRY_MS = 500
const RETRY_MAX_MS = 8_000
/** Requests under way at once from all buyers. Who waits for a turn has not sent anything yet. */
const CONNECTIONS = 256
const GIVE_UP_MS = 240_000
/** How long a buyer comes again while unpaid orders hold as many seats as they may (ms). */
const UNPAID_MS = 30_000
const EARLIER = 32

const crowd = JSON.parse(process.argv[2] ?? '{}') as Crowd
const random = dice(crowd.seed + crowd.first)
const agent = new Agent({ keepAlive: true, maxSockets: Math.ceil(CONNECTIONS / crowd.step) })
const bought: Bought = { placed: [], refused: 0, repeated: 0, hungUp: 0, times: [], findings: [] }
const sendReport = (told: BuyersTold) => process.send?.(told)

interface Posted {
  path: string
  body: string
  token: string
  key?: string
  signal?: AbortSignal
}
type Told = { status: number; body: Record<string, unknown>; ms: number } | null

function send({ path, body, token, key, signal }: Posted): Promise<Told> {
  return new Promise((resolve) => {
    let from = 0
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      authorization: `Bearer ${token}`,
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    }
    const asked = askHttp(`${crowd.url}${path}`, { method: 'POST', agent, headers, ...(signal ? { signal } : {}) })
    // Once it has a connection.
    asked.once('socket', () => {
      from = performance.now()
    })
    asked.once('error', () => resolve(null))
    asked.once('response', (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.once('error', () => resolve(null))
      response.once('close', () => {
        if (!response.complete) return resolve(null)
        const text = Buffer.concat(parts).toString()
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text), ms: performance.now() - from })
      })
    })
    asked.end(body)
  })
}

const isTooManyUnpaid = ({ body }: NonNullable<Told>): boolean => body.code === 'TOO_MANY_UNPAID'

/** Until there is an answer that is not "later", nor, for a while, that others have to pay first. */
async function insist(asked: Posted): Promise<Told> {
  const from = Date.now()
  const deadline = from + GIVE_UP_MS
  for (let tries = 0; Date.now() < deadline; tries += 1) {
    const told = await send(asked)
    if (told !== null && told.status !== 503 && told.status !== 429) {
      if (tries === 0 && asked.key !== undefined) bought.times.push(told.ms)
      if (!isTooManyUnpaid(told) || Date.now() > from + UNPAID_MS) return told
    }
    await sleep(Math.min(RETRY_MS * 2 ** tries, RETRY_MAX_MS) * (0.75 + random() / 2))
  }
  return null
}

async function buy(token: string): Promise<void> {
  const { payments } = crowd
  const [repeats, hangsUp, hurry] = [random() < 0.1, random() < 0.05, Math.floor(random() * 30)]
  const body = JSON.stringify(payments ? { quantity: 1, provider: 'razorpay' } : { quantity: 1 })
  const asked = { path: payments ? '/api/orders' : '/api/tickets', body, token, key: randomUUID() }
  if (hangsUp) {
    bought.hungUp += 1
    await send({ ...asked, signal: AbortSignal.timeout(hurry) })
  }
  const told = await insist(asked)
  if (told === null) return void bought.findings.push('A buyer had no answer in four minutes')
  // Seats that unpaid orders held may be free by the second time.
  if (repeats && !isTooManyUnpaid(told)) {
    bought.repeated += 1
    const again = await insist(asked)
    if (again === null || nameOf(again) !== nameOf(told))
      bought.findings.push('A request that was repeated had another answer')
  }
  const name = nameOf(told)
  if (told.status === 409) bought.refused += 1
  else if (told.status !== 201 || name === undefined)
    bought.findings.push(`An order was answered ${told.status} ${told.body.code}`)
  else {
    bought.placed.push(name)
    sendReport({ placed: name })
  }
}

/** The order's code, or its ticket where nothing is paid. */
const nameOf = ({ body }: NonNullable<Told>): string | undefined =>
  (body.order as Order | undefined)?.code ?? (body.tickets as Ticket[] | undefined)?.[0]?._id

/** Everybody has an account before the sale begins. */
async function signIn(tokens: readonly string[]): Promise<void> {
  const waiting = tokens.values()
  const worker = async () => {
    for (const token of waiting) {
      const body = JSON.stringify({ idToken: token })
      const told = await insist({ path: '/api/auth/google-signin', body, token })
      if (told?.status !== 200) bought.findings.push(`A sign-in was answered ${told?.status}`)
    }
  }
  await Promise.all(Array.from({ length: EARLIER }, worker))
}

const numbers: number[] = []
for (let n = crowd.first; n < crowd.buyers; n += crowd.step) numbers.push(n)
const tokens = numbers.map((n) => tokenOf(`guest${n}@garba.test`))
await signIn(tokens)
const started = new Promise((resolve) => process.once('message', resolve))
sendReport({ ready: true })
await started
const from = performance.now()
const coming: Promise<void>[] = []
for (const [index, n] of numbers.entries()) {
  const due = from + (n / crowd.buyers) * crowd.seconds * 1_000
  if (performance.now() < due) await sleep(due - performance.now())
  coming.push(buy(tokens[index] ?? ''))
  if (index % 10 === 9 || index === numbers.length - 1) sendReport({ come: (index % 10) + 1 })
}
await Promise.all(coming)
// The times of all buyers are long, and a channel that is closed at once cuts them off.
process.send?.({ over: bought } satisfies BuyersTold, () => process.disconnect?.())
