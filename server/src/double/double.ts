import { createHmac, randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { eventJson, makeApi } from './api.ts'
import { makeBank } from './bank.ts'
import { type Chance, type Faults, makeChance } from './faults.ts'
import { makePage } from './page.ts'
import type { Link } from './records.ts'

export interface DoubleOptions {
  keyId: string
  keySecret: string
  webhookSecret: string
  /** Delivers a webhook; true if it was answered with 2xx. */
  send: (request: { body: string; headers: Record<string, string> }) => Promise<boolean>
  now: () => Date
  /** Payers open pages below this address. */
  baseUrl: string
  /** Links of an earlier double. */
  links?: readonly Link[]
  faults?: Partial<Faults>
  seed?: string
}

export type Double = ReturnType<typeof makeDouble>
/** The fate of an answer on its way back. */
type Fate = 'arrives' | 'cut' | 'slow'

/**
 * A payment provider for trials: links, payments, refunds and webhooks like the real one's, in memory, with faults that
 * can be switched on. It does nothing by itself: `run` does what is due by the clock.
 */
export function makeDouble({ seed = 'double', faults, links = [], now, baseUrl, send, ...keys }: DoubleOptions) {
  const chance = makeChance(seed, faults)
  const webhooks = makeWebhooks({ secret: keys.webhookSecret, send, now, chance })
  const pageUrl = ({ id }: { id: string }) => `${baseUrl}/pay/${id}`
  let changes = 0
  const bank = makeBank({
    now,
    chance,
    links,
    tell: (happening) => {
      changes += 1
      webhooks.add(eventJson(happening, pageUrl, now()))
    },
  })

  const app = new Hono()
  app.route('/v1', makeApi(bank, { ...keys, now, pageUrl }))
  app.route('/pay', makePage(bank, keys))

  /** Carries a request out or not, depending on the faults. */
  async function answer(request: Request): Promise<{ response: Response; fate: Fate }> {
    if (request.method === 'POST') changes += 1
    if (!new URL(request.url).pathname.startsWith('/v1/'))
      return { response: await app.fetch(request), fate: 'arrives' }
    if (chance.strikes('lostRequest')) return { response: new Response(), fate: 'cut' }
    if (chance.strikes('serverError'))
      return { response: new Response('Bad Gateway', { status: 502 }), fate: 'arrives' }
    const response = await app.fetch(request)
    const lost = chance.strikes('lostAnswer') || (isRefund(request) && chance.strikes('lostRefundAnswer'))
    return { response, fate: lost ? 'cut' : chance.strikes('slowAnswer') ? 'slow' : 'arrives' }
  }

  const isRefund = ({ method, url }: Request) => method === 'POST' && new URL(url).pathname.endsWith('/refund')

  return {
    answer,
    /** A client in the same process gets a cut connection or a late answer as an immediate failure. */
    fetch: async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
      const { response, fate } = await answer(new Request(input, init))
      if (fate === 'cut') throw new TypeError('fetch failed')
      if (fate === 'slow') throw new DOMException('The operation was aborted due to timeout', 'TimeoutError')
      return response
    },
    /** Lets links expire, late money arrive and refunds end, and delivers the events that are due. */
    run: async (): Promise<void> => {
      bank.tick()
      await webhooks.deliver()
    },
    setFaults: chance.set,
    /** Events that have not been received. */
    waitingEvents: webhooks.waiting,
    pay: bank.pay,
    fail: bank.fail,
    authorize: bank.authorize,
    payLate: bank.payLate,
    bounce: bank.bounce,
    forgetKeys: bank.forgetKeys,
    link: bank.link,
    links: () => bank.linksOf(undefined),
    /** Grows whenever something may have changed. */
    changes: () => changes,
  }
}

const SECOND = 1000
const HOUR = 3600 * SECOND
const LATE_BY_AT_MOST = 600 * SECOND
const FIRST_RETRY = 10 * SECOND
const LONGEST_WAIT = HOUR
const GIVE_UP = 24 * HOUR

interface Delivery {
  id: string
  body: string
  since: number
  dueAt: number
  tries: number
}

interface WebhookOptions {
  secret: string
  /** Delivers one; true if it was answered with 2xx. */
  send: (request: { body: string; headers: Record<string, string> }) => Promise<boolean>
  now: () => Date
  chance: Chance
}

/** Delivers each event at least once: retried with growing waits, and given up after a day. */
function makeWebhooks({ secret, send, now, chance }: WebhookOptions) {
  let waiting: Delivery[] = []
  const clock = () => now().getTime()

  async function attempt(delivery: Delivery): Promise<boolean> {
    if (chance.strikes('lostEvent')) return false
    const { id, body } = delivery
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const headers = {
      'content-type': 'application/json',
      'x-razorpay-signature': signature,
      'x-razorpay-event-id': id,
    }
    const received = await send({ body, headers }).catch(() => false)
    if (received && chance.strikes('duplicateEvent')) await send({ body, headers }).catch(() => false)
    return received
  }

  return {
    add(event: unknown): void {
      const late = chance.strikes('delayedEvent') ? chance.random() * LATE_BY_AT_MOST : 0
      waiting.push({
        id: randomUUID(),
        body: JSON.stringify(event),
        since: clock(),
        dueAt: clock() + late,
        tries: 0,
      })
    },
    /** Tries everything due, once. */
    async deliver(): Promise<void> {
      const at = clock()
      const due = waiting.filter(({ dueAt }) => dueAt <= at).sort((one, other) => one.dueAt - other.dueAt)
      waiting = waiting.filter(({ dueAt }) => dueAt > at)
      for (const delivery of due) {
        if (await attempt(delivery)) continue
        const wait = Math.min(FIRST_RETRY * 2 ** delivery.tries, LONGEST_WAIT)
        const next = { ...delivery, tries: delivery.tries + 1, dueAt: clock() + wait }
        if (next.dueAt - next.since <= GIVE_UP) waiting.push(next)
      }
    },
    waiting: () => waiting.length,
  }
}
