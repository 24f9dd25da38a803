import { setTimeout as sleep } from 'node:timers/promises'
import type { EventRefunds } from '@garba/shared/contracts/eventState'
import { type RunningDouble, startDouble } from '../../double/main.ts'
import { type Send, signedIn } from '../caller.ts'
import { DOUBLE_SETTINGS } from '../double.ts'
import { freePort } from '../postgres.ts'
import { eventForm } from '../scenes.ts'
import { PAYING } from '../world.ts'
import { accountantOf, newFolder, type Served, served, type WhenOver } from './served.ts'

interface CalledOff {
  seed: number
  tickets: number
  kills: number
  whenOver: WhenOver
  progress?: (done: number) => void
}

interface Ended {
  findings: string[]
  tickets: number
  givenBack: number
  kills: number
  lowBalances: number
  seconds: number
}

const ADMIN = 'admin@garba.test'
const PER_ORDER = 4
const PRICE_PAISE = 24_900
const DEDUCTED_PAISE = 4_000
const AT_ONCE = 8
const LOOK_MS = 250
const SHOW_EVERY = 250
/** A round of money, which hears of what webhooks did not tell, comes each minute. */
const PATIENCE_MS = 15 * 60_000
/** One call in twenty fails in one of these ways. */
const FAULTS = { lostRequest: 0.01, serverError: 0.01, lostRefundAnswer: 0.02, tooManyRequests: 0.01, failedRefund: 0 }
const NO_FAULTS = { lostRequest: 0, serverError: 0, lostRefundAnswer: 0, tooManyRequests: 0, lowBalance: 0 }
const LOW_MS = 2_000

/**
 * An event is called off after its tickets were paid. Some guests have cancelled before, some orders were refunded at the
 * provider's dashboard, the provider fails now and then and twice has no money, and the server is killed meanwhile.
 * Afterwards each payment has gone back once and in full, but for the deductions of those who had cancelled.
 */
export async function calledOffStorm({ seed, tickets, kills, whenOver, progress }: CalledOff): Promise<Ended> {
  let url = ''
  const webhookUrl = () => `${url}/api/webhooks/razorpay`
  const double = await startDouble({ ...DOUBLE_SETTINGS, port: 0, webhookUrl, seed: String(seed) })
  // After the double has taken its own, which might otherwise be the same.
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  whenOver(double.close)
  const settings = { ADMIN_EMAILS: ADMIN, LOG_LEVEL: 'error', ...PAYING, RAZORPAY_API_URL: double.url }
  const server = await served({ folder: newFolder(whenOver), port }, settings, whenOver)
  const admin = await signedIn(url, ADMIN)
  const date = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  await admin(url, '/api/event', eventForm({ date, totalTickets: tickets * 3 }))
  const { codes, cancelled } = await sell({ url, double, orders: Math.ceil(tickets / PER_ORDER) })
  await refundElsewhere(double, codes)

  const from = performance.now()
  double.setFaults(FAULTS)
  const reason = 'The ground is under water.'
  const headers = { 'Idempotency-Key': 'call-it-off-once' }
  await admin(url, '/api/admin/event/state', { state: 'calledOff', reason, now: true }, headers)
  const lowBalances = await watchRefunds({ server, double, admin, kills, progress })
  return {
    findings: [...wrongAtProvider(double, cancelled), ...(await accountantOf(server))],
    tickets: codes.length * PER_ORDER,
    givenBack: double.links().reduce((sum, link) => sum + backOf(link), 0) / 100,
    ...{ kills, lowBalances, seconds: Math.round((performance.now() - from) / 1_000) },
  }
}

/** Every order is paid, and every tenth buyer cancels one of the tickets. */
async function sell({ url, double, orders }: { url: string; double: RunningDouble; orders: number }) {
  const codes: string[] = []
  const cancelled = new Set<string>()
  let next = 0
  const buyers = Array.from({ length: AT_ONCE }, async () => {
    while (next < orders) {
      const n = next++
      const buyer = await signedIn(url, `buyer-${n}@example.org`)
      const body = { quantity: PER_ORDER, provider: 'razorpay' }
      const placed = await buyer(url, '/api/orders', body, { 'Idempotency-Key': `order-of-buyer-${n}` })
      const code = String((placed.body.order as { code?: string } | undefined)?.code)
      const link = double.linkOf(code)
      if (!link) throw new Error(`No link: ${JSON.stringify(placed.body)}`)
      double.pay(link.id)
      codes.push(code)
      const id = await firstTicket(buyer, { url, code })
      if (n % 10 !== 0) continue
      await buyer(url, `/api/tickets/cancel/${id}`, { reason: 'Away' }, {}, 'PATCH')
      cancelled.add(code)
    }
  })
  await Promise.all(buyers)
  return { codes, cancelled }
}

async function firstTicket(buyer: Send, { url, code }: { url: string; code: string }): Promise<string> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    const { order } = (await buyer(url, `/api/orders/${code}`)).body as { order?: { tickets: { _id: string }[] } }
    const [ticket] = order?.tickets ?? []
    if (ticket) return ticket._id
    await sleep(LOOK_MS)
  }
  throw new Error(`Order ${code} is not paid`)
}

/** Somebody gives every twentieth order its money back at the provider's own dashboard. */
async function refundElsewhere(double: RunningDouble, codes: readonly string[]): Promise<void> {
  const { keyId, keySecret } = DOUBLE_SETTINGS
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`
  for (const code of codes.filter((_, n) => n % 20 === 7)) {
    const [payment] = double.linkOf(code)?.payments ?? []
    if (!payment) continue
    await fetch(`${double.url}/v1/payments/${payment.id}/refund`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{}',
    })
  }
}

interface Watched {
  server: Served
  double: RunningDouble
  admin: Send
  kills: number
  progress: ((done: number) => void) | undefined
}

/** Kills the server at even shares of the work, and twice lets the provider have no money. Returns how often it had none. */
async function watchRefunds({ server, double, admin, kills, progress = () => undefined }: Watched): Promise<number> {
  const { url } = server
  const read = async () => (await admin(url, '/api/admin/event/refunds')).body as unknown as EventRefunds
  const deadline = Date.now() + PATIENCE_MS
  let [killed, lows, shown] = [0, 0, 0]
  while (Date.now() < deadline) {
    const { total, done, failed, byHand } = await read()
    if (done.count >= shown + SHOW_EVERY) {
      shown = done.count
      progress(shown)
    }
    const share = total.count === 0 ? 1 : done.count / total.count
    if (done.count + failed.count + byHand.count >= total.count && share === 1) break
    if (killed < kills && share >= (killed + 1) / (kills + 2)) {
      killed += 1
      await server.kill()
      await server.start()
    } else if (lows < 2 && share >= (lows + 1) / 4) {
      lows += 1
      double.setFaults({ lowBalance: 1 })
      await sleep(LOW_MS)
      double.setFaults({ lowBalance: 0 })
    }
    // As the organiser does after adding money; it also sends again what a fault has delayed.
    await admin(url, '/api/admin/event/refunds', { paused: false })
    await sleep(LOOK_MS)
  }
  double.setFaults(NO_FAULTS)
  return lows
}

type Link = ReturnType<RunningDouble['links']>[number]
const backOf = ({ payments }: Link): number =>
  payments
    .flatMap(({ refunds }) => refunds)
    .reduce((sum, { status, paise }) => (status === 'failed' ? sum : sum + paise), 0)

function wrongAtProvider(double: RunningDouble, cancelled: ReadonlySet<string>): string[] {
  return double.links().flatMap((link) => {
    const whole = PRICE_PAISE * PER_ORDER
    const back = backOf(link)
    // A refund at the dashboard takes what is left, the deduction too.
    const isRight = back === whole || (cancelled.has(link.reference) && back === whole - DEDUCTED_PAISE)
    return isRight ? [] : [`${link.reference}: ${back} of ${whole} paise went back`]
  })
}
