import { Hono } from 'hono'
import { makeApi } from './api.ts'
import { makeBank } from './bank.ts'
import { type Faults, makeChance } from './faults.ts'
import { makePage } from './page.ts'
import type { Link } from './records.ts'
import { eventJson } from './shapes.ts'
import { makeWebhooks } from './webhooks.ts'

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
