import { createHash, createHmac, randomUUID } from 'node:crypto'
import { HOUR_MS, SECOND_MS } from '@garba/shared/constants'
import { type Context, Hono } from 'hono'
import { html, raw } from 'hono/html'
import { eventJson, makeApi } from './api.ts'
import {
  type Bank,
  type Chance,
  type FaultName,
  type Faults,
  type Link,
  makeBank,
  makeChance,
  type Payment,
  Refused,
} from './bank.ts'

export interface DoubleOptions {
  keyId: string
  keySecret: string
  webhookSecret: string
  /** Delivers a webhook; true if it was answered with 2xx. */
  send: (request: { body: string; headers: Record<string, string> }) => Promise<boolean>
  now: () => Date
  baseUrl: string
  links?: readonly Link[]
  faults?: Partial<Faults>
  seed?: string
}

export type Double = ReturnType<typeof makeDouble>
type Fate = 'arrives' | 'cut' | 'slow'

/**
 * A payment provider for trials: links, payments, refunds and webhooks like the real one's, in memory, with faults that
 * can be switched on. It does nothing by itself: `run` does the work that is due.
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
    emitEvent: (happening) => {
      changes += 1
      webhooks.add(eventJson(happening, pageUrl, now()))
    },
  })

  const app = new Hono()
  app.route('/v1', makeApi(bank, { ...keys, now, pageUrl }))
  app.route('/pay', makePage(bank, { ...keys, chance }))

  async function answer(request: Request): Promise<{ response: Response; fate: Fate }> {
    if (request.method === 'POST') changes += 1
    if (!new URL(request.url).pathname.startsWith('/v1/'))
      return { response: await app.fetch(request), fate: 'arrives' }
    if (chance.strikes('lostRequest')) return { response: new Response(), fate: 'cut' }
    if (chance.strikes('serverError'))
      return { response: new Response('Bad Gateway', { status: 502 }), fate: 'arrives' }
    if (chance.strikes('tooManyRequests'))
      return { response: new Response('Too Many Requests', { status: 429 }), fate: 'arrives' }
    const response = await app.fetch(request)
    const lost = chance.strikes('lostAnswer') || (isRefund(request) && chance.strikes('lostRefundAnswer'))
    return { response, fate: lost ? 'cut' : chance.strikes('slowAnswer') ? 'slow' : 'arrives' }
  }

  const isRefund = ({ method, url }: Request) => method === 'POST' && new URL(url).pathname.endsWith('/refund')

  return {
    answer,
    /** For a client in the same process, a cut connection or a late answer fails at once. */
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
    waitingEvents: webhooks.waiting,
    pay: bank.pay,
    fail: bank.fail,
    authorize: bank.authorize,
    payLate: bank.payLate,
    bounce: bank.bounce,
    forgetKeys: bank.forgetKeys,
    link: bank.link,
    links: () => bank.linksOf(undefined),
    linkOf: (reference: string) => bank.linksOf(reference).at(-1),
    changes: () => changes,
  }
}

const LATE_BY_AT_MOST = 600 * SECOND_MS
const FIRST_RETRY = 10 * SECOND_MS
const LONGEST_WAIT = HOUR_MS
const GIVE_UP = 24 * HOUR_MS

interface Delivery {
  id: string
  body: string
  since: number
  dueAt: number
  tries: number
}

interface WebhookOptions {
  secret: string
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

const STYLE = `
:root { color-scheme: dark; --night: #160b2e; --plum: #2a1454; --marigold: #ffb21a; --ivory: #fff7e8; --ink: #221733 }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; background: var(--night);
  color: var(--ivory); font: 1rem/1.5 system-ui, sans-serif }
main { width: 100%; max-width: 400px; padding: 24px; background: var(--plum); border-radius: 12px; overflow-wrap: anywhere }
h1 { margin: 4px 0 0; font-size: 2.25rem; line-height: 1.2; font-variant-numeric: tabular-nums }
p { margin: 0 } .mark { color: var(--marigold); font-weight: 600 } .for { margin-top: 8px } .notice { margin-top: 16px;
  padding: 12px; border: 1px solid var(--marigold); border-radius: 8px }
form { display: grid; gap: 12px; margin-top: 24px } summary { padding: 12px 0; cursor: pointer } details button { margin-top: 8px }
button[aria-pressed=true] { border-color: var(--marigold); color: var(--marigold) }
button, a { display: block; width: 100%; min-height: 48px; padding: 11px 16px; border: 1px solid var(--ivory);
  border-radius: 999px; background: none; color: var(--ivory); font: inherit; font-weight: 600; text-align: center;
  text-decoration: none; cursor: pointer }
button.first { border-color: var(--marigold); background: var(--marigold); color: var(--ink) }
a { margin-top: 12px; border-color: transparent; text-decoration: underline }
:focus-visible { outline: 3px solid var(--marigold); outline-offset: 3px }
`
const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

const ENDED = {
  paid: 'This payment is done.',
  cancelled: 'This payment was cancelled. Nothing can be paid here any more.',
  expired: 'The time for this payment is over. Nothing can be paid here any more.',
}

function makePage(bank: Bank, { keySecret, chance }: { keySecret: string; chance: Chance }): Hono {
  const show = (c: Context, link: Link, notice?: string) => showLink(c, link, { notice, on: chance.isOn })
  const page = new Hono()
  page.use(async (_, next) => {
    bank.tick()
    await next()
  })
  page.onError((error, c) => {
    if (error instanceof Refused) return c.text('There is no such payment.\n', 404)
    throw error
  })
  page.get('/:id', (c) => show(c, bank.link(c.req.param('id'))))
  page.post('/:id', async (c) => {
    const link = bank.link(c.req.param('id'))
    if (link.status !== 'created') return show(c, link)
    const { choice, odd } = await c.req.parseBody()
    const fault = ODD.find(([name]) => name === odd)?.[0]
    if (fault !== undefined) {
      chance.set({ [fault]: chance.isOn(fault) ? 0 : 1 })
      return show(c, link)
    }
    if (choice === 'success') return c.redirect(paidUrl(link, bank.pay(link.id), keySecret), 303)
    if (choice === 'later') {
      bank.authorize(link.id)
      return c.redirect(link.callbackUrl, 303)
    }
    bank.fail(link.id)
    return show(c, link, 'The payment failed, and no money was taken. Try again.')
  })
  return page
}

function paidUrl(link: Link, payment: Payment, keySecret: string): string {
  const signed = [link.id, link.reference, link.status, payment.id].join('|')
  const url = new URL(link.callbackUrl)
  url.searchParams.set('razorpay_payment_id', payment.id)
  url.searchParams.set('razorpay_payment_link_id', link.id)
  url.searchParams.set('razorpay_payment_link_reference_id', link.reference)
  url.searchParams.set('razorpay_payment_link_status', link.status)
  url.searchParams.set('razorpay_signature', createHmac('sha256', keySecret).update(signed).digest('hex'))
  return url.href
}

const ODD = [
  ['autoRefund', 'The provider gives the payment back by itself'],
  ['feeOnGuest', 'The payer pays the fee on top'],
  ['offer', 'An offer makes it cheaper'],
  ['secondPayment', 'The payer pays twice'],
  ['latePayment', 'Fails now, and is captured 20 minutes later'],
  ['lowBalance', 'The balance is too low for refunds'],
  ['tooManyRequests', 'The provider answers "too many requests"'],
] as const satisfies readonly (readonly [FaultName, string])[]

interface Shown {
  notice: string | undefined
  on: (fault: FaultName) => boolean
}

function showLink(c: Context, link: Link, { notice, on }: Shown): Response | Promise<Response> {
  const back = new URL(link.callbackUrl)
  // Browsers also apply form-action to the redirect that answers a form.
  c.header(
    'Content-Security-Policy',
    `default-src 'none'; style-src ${STYLE_HASH}; form-action 'self' ${back.origin}; base-uri 'none'; frame-ancestors 'none'`,
  )
  c.header('Cache-Control', 'no-store')
  c.header('Referrer-Policy', 'no-referrer')
  c.header('X-Content-Type-Options', 'nosniff')
  const sum = rupees(link.paise)
  const open = link.status === 'created'
  const shown = link.status === 'created' ? notice : ENDED[link.status]
  return c.html(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${open ? `Pay ${sum}` : 'Payment'} (demo)</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
<p class="mark">Demo payment: no money moves</p>
<h1>${sum}</h1>
<p class="for">${link.description}</p>
${shown ? html`<p class="notice" role="status">${shown}</p>` : ''}
${
  open
    ? html`<form method="post">
<button class="first" name="choice" value="success">Success</button>
<button name="choice" value="later">Pays later</button>
<button name="choice" value="failure">Failure</button>
<details><summary>What rarely happens</summary>
${ODD.map(([name, text]) => html`<button name="odd" value="${name}" aria-pressed="${on(name) ? 'true' : 'false'}">${on(name) ? 'On: ' : 'Off: '}${text}</button>`)}
</details>
</form>`
    : ''
}
<a href="${link.callbackUrl}">${open ? 'Close' : 'Back'}</a>
</main>
</body>
</html>
`)
}

const rupees = (paise: number) =>
  `₹${(paise / 100).toLocaleString('en-IN', { minimumFractionDigits: paise % 100 === 0 ? 0 : 2 })}`
