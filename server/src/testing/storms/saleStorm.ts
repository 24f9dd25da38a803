import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type RunningDouble, startDouble } from '../../double/main.ts'
import { signedIn } from '../caller.ts'
import { dice, type Random } from '../dice.ts'
import { DOUBLE_SETTINGS } from '../double.ts'
import { freePort } from '../postgres.ts'
import { eventForm } from '../scenes.ts'
import { PAYING } from '../world.ts'
import type { Bought, BuyersTold, Crowd } from './saleBuyers.ts'
import { accountantOf, newFolder, reading, resourcesOf, type Served, served, type WhenOver } from './served.ts'

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
  /** Orders placed, and buyers refused because all seats were taken, or as many were held unpaid as may be. */
  placed: number
  refused: number
  repeated: number
  hungUp: number
  paid: number
  perMinute: number
  /** From sending to the answer, both in ms, of requests whose first try was answered. */
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
}

const ADMIN = 'admin@garba.test'
const BUYERS = fileURLToPath(new URL('saleBuyers.ts', import.meta.url))
const SETTLE_MS = 240_000
const LANDING_MS = 100

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
  const sale: Sale = { ...storm, server, double, random: dice(seed) }
  let come = 0
  let [memoryEarly, nextKill] = [0, 1]
  // A server that is still starting is not killed a second time.
  let restarted = Promise.resolve()
  const onCome = (more: number) => {
    for (let n = 0; n < more; n += 1) {
      come += 1
      if (come === Math.ceil(buyers / 4)) memoryEarly = resourcesOf(server).memoryMB
      if (come >= (buyers * nextKill) / (kills + 1) && nextKill <= kills) {
        nextKill += 1
        // Every second time as systemd does it.
        const end = nextKill % 2 === 0 ? server.kill : server.stop
        restarted = restarted.then(end).then(server.start)
      }
      progress(come)
    }
  }
  const crowds = Math.max(1, Math.floor(availableParallelism() / 2))
  const waiting = await Promise.all(
    Array.from({ length: crowds }, (_, first) =>
      crowdOf(
        { url: server.url, seed, first, step: crowds, buyers, seconds, payments },
        { onCome, onPlaced: (code) => pay(sale, code) },
      ),
    ),
  )
  const landing = watchLanding(server)
  const from = performance.now()
  const bought = await Promise.all(waiting.map((begin) => begin()))
  const took = performance.now() - from
  await restarted
  const memoryLate = resourcesOf(server).memoryMB
  const landingTimes = await landing()
  await waitForSettledSale(sale)
  const placed = bought.flatMap((one) => one.placed)
  const times = bought.flatMap((one) => one.times)
  const sum = (what: 'refused' | 'repeated' | 'hungUp') => bought.reduce((total, one) => total + one[what], 0)
  const told = new Set(bought.flatMap((one) => one.findings))
  const findings = [...told, ...(await wrong(sale, placed)), ...(await accountantOf(server))]
  return {
    ...{ findings, placed: placed.length, memoryEarly, memoryLate },
    ...{ refused: sum('refused'), repeated: sum('repeated'), hungUp: sum('hungUp') },
    paid: double?.links().filter(({ status }) => status === 'paid').length ?? placed.length,
    perMinute: ((placed.length + sum('refused')) / took) * 60_000,
    p50: shareOf(times, 0.5),
    p99: shareOf(times, 0.99),
    landingP95: shareOf(landingTimes, 0.95),
  }
}

/** A process with some of the buyers, who have signed in. The returned function lets them come. */
function crowdOf(
  crowd: Crowd,
  { onCome, onPlaced }: { onCome: (more: number) => void; onPlaced: (code: string) => void },
): Promise<() => Promise<Bought>> {
  return new Promise((ready, reject) => {
    const child = fork(BUYERS, [JSON.stringify(crowd)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    const over = Promise.withResolvers<Bought>()
    let said = ''
    child.stderr?.on('data', (text) => {
      said = `${said}${text}`.slice(-4_000)
    })
    child.on('message', (told: BuyersTold) => {
      if ('come' in told) onCome(told.come)
      else if ('placed' in told) onPlaced(told.placed)
      else if ('over' in told) over.resolve(told.over)
      else
        ready(() => {
          child.send('begin')
          return over.promise
        })
    })
    child.on('close', () => {
      const ended = new Error(`The buyers ended: ${said}`)
      reject(ended)
      over.reject(ended)
    })
    over.promise.catch(() => undefined)
  })
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

/** How long money may be on its way (ms): some of it comes when all seats are taken. */
const lateOf = ({ seconds }: Pick<Storm, 'seconds'>): number => seconds * 150

/** A third of the payments fail or come late. */
function pay({ double, random, ...storm }: Sale, code: string): void {
  const link = double?.linkOf(code)
  if (!double || !link) return
  const chance = random()
  if (chance < 0.15) double.fail(link.id)
  else if (chance < 0.3) double.payLate(link.id, lateOf(storm))
  else double.pay(link.id)
}

/** The provider has told everything, and the server has done what that makes due. */
async function waitForSettledSale(sale: Sale): Promise<void> {
  const { double, server } = sale
  if (double) await sleep(lateOf(sale) + 1_000)
  const deadline = Date.now() + SETTLE_MS
  const open = "select count(*) as n from jobs where ended_at is null and kind not in ('mail', 'push', 'pushAll')"
  const isDue = async () => {
    if ((double?.waitingEvents() ?? 0) !== 0 || (await unpaidHere(sale)).length > 0) return true
    // On PostgreSQL a killed server's lease of a job ends minutes later.
    return server.postgres === undefined && (await reading(server, async (sql) => Number((await sql(open))[0]?.n))) > 0
  }
  while (Date.now() < deadline && (await isDue())) await sleep(200)
}

/** Everybody has what was confirmed to them, once, and every payment that the provider took is on record. */
async function wrong({ server, payments, double, seats }: Sale, placed: readonly string[]): Promise<string[]> {
  const findings: string[] = []
  await reading(server, async (sql) => {
    const column = payments ? 'code' : 'id'
    const there = new Set(
      (await sql(`select ${column} from ${payments ? 'orders' : 'tickets'}`)).map((row) => String(row[column])),
    )
    for (const name of placed) if (!there.has(name)) findings.push(`${name} was confirmed to a buyer, and it is gone`)
    if (new Set(placed).size !== placed.length) findings.push('The same order was confirmed to two buyers')
    if (there.size !== placed.length) findings.push(`${there.size} orders, and ${placed.length} buyers know of one`)
    const [{ n = 0 } = {}] = await sql("select count(*) as n from tickets where status in ('active', 'used')")
    if (Number(n) > seats) findings.push(`${n} tickets for ${seats} seats`)
  })
  return [
    ...findings,
    ...(await unpaidHere({ server, double })).map((code) => `${code} is paid at the provider, and not here`),
  ]
}

/** Orders that were paid in time at the provider, although the server does not know it. */
const unpaidHere = ({ server, double }: Pick<Sale, 'server' | 'double'>): Promise<string[]> =>
  reading(server, async (sql) => {
    const ours = new Set((await sql("select code from orders where state = 'paid'")).map(({ code }) => String(code)))
    return (double?.links() ?? [])
      .filter(({ status, reference }) => status === 'paid' && !ours.has(reference))
      .map(({ reference }) => reference)
  })
