import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Order } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { type RunningDouble, startDouble } from '../../double/main.ts'
import { signedIn, tokenOf } from '../caller.ts'
import { dice, type Random } from '../dice.ts'
import { DOUBLE_SETTINGS } from '../double.ts'
import { freePort } from '../postgres.ts'
import { eventForm } from '../scenes.ts'
import { PAYING } from '../world.ts'
import { accountantOf, newFolder, reading, type Served, served, type WhenOver } from './served.ts'

interface Storm {
  seed: number
  buyers: number
  seats: number
  /** They come within so many seconds, whether or not they are answered. */
  seconds: number
  kills: number
  /** Whether buyers pay through the provider's double; otherwise tickets are free of payment. */
  payments: boolean
  postgres?: string | undefined
  whenOver: WhenOver
  progress?: (done: number) => void
}

interface Stormed {
  findings: string[]
  /** Orders placed, and buyers refused because all seats were taken. */
  placed: number
  refused: number
  repeated: number
  hungUp: number
  paid: number
  perMinute: number
  /** From sending to the answer, both in ms; while the server runs. */
  p50: number
  p99: number
  landingP95: number
  /** The server's memory in MB: after a quarter of the buyers, and after the last one. */
  memoryEarly: number
  memoryLate: number
}

interface Sale extends Storm {
  server: Served
  double: RunningDouble | undefined
  random: Random
  /** Times of answered requests (ms), of buyers who met a running server at once. */
  times: number[]
  /** The answer that each buyer got, by key. */
  placedBy: Map<string, string>
  refused: number
  repeated: number
  hungUp: number
  findings: Set<string>
}

const ADMIN = 'admin@garba.test'
/** As the site's own calls wait before they try again, doubling (ms). */
const RETRY_MS = 500
const RETRY_MAX_MS = 8_000
/** Requests under way at once. A buyer who waits for a turn has not sent anything yet. */
const CONNECTIONS = 256
const GIVE_UP_MS = 240_000
const SETTLE_MS = 240_000
const LANDING_MS = 100
const MB = 1_024

/**
 * Everybody wants a seat in the same minute. Some repeat their request, some hang up and come back with the same key, payments fail or
 * come late, and the server is killed in between. Afterwards each buyer whose order was confirmed has it once, no seat is sold
 * twice, and the Books balance.
 */
export async function saleStorm(storm: Storm): Promise<Stormed> {
  const { seed, buyers, seats, seconds, kills, payments, postgres, whenOver, progress = () => undefined } = storm
  const port = await freePort()
  const double = payments ? await providerFor(`http://127.0.0.1:${port}`, { seed, whenOver }) : undefined
  const paying = double ? { ...PAYING, RAZORPAY_API_URL: double.url } : { PAYMENTS: 'none' }
  const folder = newFolder(whenOver)
  const server = await served(
    { folder, port, postgres },
    { ADMIN_EMAILS: ADMIN, LOG_LEVEL: 'error', ...paying },
    whenOver,
  )
  const admin = await signedIn(server.url, ADMIN)
  const date = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  await admin(server.url, '/api/event', eventForm({ date, totalTickets: seats }))
  const sale: Sale = {
    ...{ ...storm, server, double, random: dice(seed), times: [], placedBy: new Map(), findings: new Set() },
    ...{ refused: 0, repeated: 0, hungUp: 0 },
  }
  const landing = watchLanding(server)
  const from = performance.now()
  const coming: Promise<void>[] = []
  let [memoryEarly, nextKill] = [0, 1]
  for (let n = 0; n < buyers; n += 1) {
    const due = from + (n / buyers) * seconds * 1_000
    if (performance.now() < due) await sleep(due - performance.now())
    coming.push(buy(sale, n))
    if (n === Math.floor(buyers / 4)) memoryEarly = memoryOf(server)
    if (n >= (buyers * nextKill) / (kills + 1) && nextKill <= kills) {
      nextKill += 1
      void server.kill().then(() => server.start())
    }
    progress(n + 1)
  }
  await Promise.all(coming)
  const took = performance.now() - from
  const memoryLate = memoryOf(server)
  const landingTimes = await landing()
  await settled(sale)
  const { placedBy, refused, repeated, hungUp, times } = sale
  const findings = [...sale.findings, ...(await wrong(sale)), ...(await accountantOf(server))]
  return {
    ...{ findings, placed: placedBy.size, refused, repeated, hungUp, memoryEarly, memoryLate },
    paid: double?.links().filter(({ status }) => status === 'paid').length ?? placedBy.size,
    perMinute: ((placedBy.size + refused) / took) * 60_000,
    p50: shareOf(times, 0.5),
    p99: shareOf(times, 0.99),
    landingP95: shareOf(landingTimes, 0.95),
  }
}

async function providerFor(
  url: string,
  { seed, whenOver }: { seed: number; whenOver: WhenOver },
): Promise<RunningDouble> {
  const webhookUrl = () => `${url}/api/webhooks/razorpay`
  const double = await startDouble({ ...DOUBLE_SETTINGS, port: 0, webhookUrl, seed: String(seed) })
  whenOver(double.close)
  return double
}

function shareOf(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Returns the memory of the whole process in MB, or 0 where the system does not give it. */
export function memoryOf(server: Served): number {
  try {
    const status = readFileSync(`/proc/${server.pid()}/status`, 'utf8')
    return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / MB)
  } catch {
    return 0
  }
}

function watchLanding({ url }: Served): () => Promise<number[]> {
  const times: number[] = []
  let over = false
  const watching = (async () => {
    while (!over) {
      const from = performance.now()
      const answered = await fetch(url)
        .then((response) => response.text())
        .catch(() => null)
      if (answered !== null) times.push(performance.now() - from)
      await sleep(LANDING_MS)
    }
  })()
  return async () => {
    over = true
    await watching
    return times
  }
}

type Told = { status: number; body: Record<string, unknown>; ms: number } | null

/** Lets so many in at once, in their order. */
const line = (() => {
  let free = CONNECTIONS
  const waiting: (() => void)[] = []
  return {
    turn: async () => {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
    },
    next: () => {
      const first = waiting.shift()
      if (first) first()
      else free += 1
    },
  }
})()

async function send(
  { server }: Sale,
  email: string,
  request: { path: string; body: unknown; key?: string; signal?: AbortSignal },
): Promise<Told> {
  const { path, body, key, signal } = request
  await line.turn()
  const from = performance.now()
  try {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${tokenOf(email)}`,
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      },
      ...(signal ? { signal } : {}),
    })
    return {
      status: response.status,
      body: (await response.json()) as Record<string, unknown>,
      ms: performance.now() - from,
    }
  } catch {
    return null
  } finally {
    line.next()
  }
}

/** Until there is an answer that is not "later". */
async function insist(
  sale: Sale,
  email: string,
  request: { path: string; body: unknown; key?: string },
): Promise<Told> {
  const deadline = Date.now() + GIVE_UP_MS
  for (let tries = 0; Date.now() < deadline; tries += 1) {
    const told = await send(sale, email, request)
    if (told !== null && told.status !== 503 && told.status !== 429) {
      if (tries === 0 && request.key !== undefined) sale.times.push(told.ms)
      return told
    }
    await sleep(Math.min(RETRY_MS * 2 ** tries, RETRY_MAX_MS) * (0.75 + sale.random() / 2))
  }
  return null
}

async function buy(sale: Sale, n: number): Promise<void> {
  const { random, payments, findings, placedBy, double } = sale
  const [repeats, hangsUp, hurry] = [random() < 0.1, random() < 0.05, Math.floor(random() * 30)]
  const email = `guest${n}@garba.test`
  await insist(sale, email, { path: '/api/auth/google-signin', body: { idToken: tokenOf(email) } })
  const key = randomUUID()
  const path = payments ? '/api/orders' : '/api/tickets'
  const request = { path, body: payments ? { quantity: 1, provider: 'razorpay' } : { quantity: 1 }, key }
  if (hangsUp) {
    sale.hungUp += 1
    await send(sale, email, { ...request, signal: AbortSignal.timeout(hurry) })
  }
  const told = await insist(sale, email, request)
  if (told === null) return void findings.add('A buyer had no answer in four minutes')
  if (repeats) {
    sale.repeated += 1
    const again = await insist(sale, email, request)
    if (again === null || nameOf(again) !== nameOf(told)) findings.add('A request that was repeated had another answer')
  }
  const name = nameOf(told)
  if (told.status === 409) sale.refused += 1
  else if (told.status !== 201 || name === undefined)
    findings.add(`An order was answered ${told.status} ${told.body.code}`)
  else {
    placedBy.set(key, name)
    if (double) pay(double, name, { chance: random(), lateMs: lateOf(sale) })
  }
}

/** The order's code, or its ticket where nothing is paid. */
const nameOf = ({ body }: NonNullable<Told>): string | undefined =>
  (body.order as Order | undefined)?.code ?? (body.tickets as Ticket[] | undefined)?.[0]?._id

/** How long money may be on its way (ms): some of it comes when all seats are taken. */
const lateOf = ({ seconds }: Storm): number => seconds * 150

/** A third of the payments fail or come late. */
function pay(double: RunningDouble, code: string, { chance, lateMs }: { chance: number; lateMs: number }): void {
  const link = double.links().findLast(({ reference }) => reference === code)
  if (!link) return
  if (chance < 0.15) double.fail(link.id)
  else if (chance < 0.3) double.payLate(link.id, lateMs)
  else double.pay(link.id)
}

/** The provider has told everything, and the server has done what that makes due. */
async function settled(sale: Sale): Promise<void> {
  const { double, server } = sale
  if (double) await sleep(lateOf(sale) + 1_000)
  const deadline = Date.now() + SETTLE_MS
  const open = "select count(*) as n from jobs where ended_at is null and kind <> 'mail'"
  const isDue = async () => {
    if ((double?.waitingEvents() ?? 0) !== 0 || (await unpaidHere(sale)).length > 0) return true
    // On PostgreSQL a killed server's lease of a job ends minutes later.
    return server.postgres === undefined && (await reading(server, async (sql) => Number((await sql(open))[0]?.n))) > 0
  }
  while (Date.now() < deadline && (await isDue())) await sleep(200)
}

/** Everybody has what was confirmed to them, once, and every payment that the provider took is on record. */
async function wrong({ server, placedBy, payments, double, seats }: Sale): Promise<string[]> {
  const findings: string[] = []
  await reading(server, async (sql) => {
    const column = payments ? 'code' : 'id'
    const there = new Set(
      (await sql(`select ${column} from ${payments ? 'orders' : 'tickets'}`)).map((row) => String(row[column])),
    )
    for (const name of placedBy.values())
      if (!there.has(name)) findings.push(`${name} was confirmed to a buyer, and it is gone`)
    if (new Set(placedBy.values()).size !== placedBy.size) findings.push('The same order was confirmed to two buyers')
    if (there.size !== placedBy.size) findings.push(`${there.size} orders, and ${placedBy.size} buyers know of one`)
    const [{ n = 0 } = {}] = await sql("select count(*) as n from tickets where status in ('active', 'used')")
    if (Number(n) > seats) findings.push(`${n} tickets for ${seats} seats`)
  })
  return [
    ...findings,
    ...(await unpaidHere({ server, double })).map((code) => `${code} is paid at the provider, and not here`),
  ]
}

/** Orders that the provider has in time the money for, and the server does not know it. */
const unpaidHere = ({ server, double }: Pick<Sale, 'server' | 'double'>): Promise<string[]> =>
  reading(server, async (sql) => {
    const ours = new Set((await sql("select code from orders where state = 'paid'")).map(({ code }) => String(code)))
    return (double?.links() ?? [])
      .filter(({ status, reference }) => status === 'paid' && !ours.has(reference))
      .map(({ reference }) => reference)
  })
