import { createHash, createHmac } from 'node:crypto'
import { type Context, Hono } from 'hono'
import type { Bank } from './bank.ts'
import { type Link, type Payment, Refused } from './records.ts'

const STYLE = `
:root { color-scheme: dark; --night: #160b2e; --plum: #2a1454; --marigold: #ffb21a; --ivory: #fff7e8; --ink: #221733 }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; background: var(--night);
  color: var(--ivory); font: 1rem/1.5 system-ui, sans-serif }
main { width: 100%; max-width: 400px; padding: 24px; background: var(--plum); border-radius: 12px; overflow-wrap: anywhere }
h1 { margin: 4px 0 0; font-size: 2.25rem; line-height: 1.2; font-variant-numeric: tabular-nums }
p { margin: 0 } .mark { color: var(--marigold); font-weight: 600 } .for { margin-top: 8px } .notice { margin-top: 16px;
  padding: 12px; border: 1px solid var(--marigold); border-radius: 8px }
form { display: grid; gap: 12px; margin-top: 24px }
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

/** The page on which the payer chooses what happens. Its paths are relative: `/ID`. */
export function makePage(bank: Bank, { keySecret }: { keySecret: string }): Hono {
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
    const { choice } = await c.req.parseBody()
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

/** The provider's parameters on the address it sends a payer back to, signed with the API's secret. */
function paidUrl(link: Link, payment: Payment, keySecret: string): string {
  const said = [link.id, link.reference, link.status, payment.id].join('|')
  const url = new URL(link.callbackUrl)
  url.searchParams.set('razorpay_payment_id', payment.id)
  url.searchParams.set('razorpay_payment_link_id', link.id)
  url.searchParams.set('razorpay_payment_link_reference_id', link.reference)
  url.searchParams.set('razorpay_payment_link_status', link.status)
  url.searchParams.set('razorpay_signature', createHmac('sha256', keySecret).update(said).digest('hex'))
  return url.href
}

function show(c: Context, link: Link, notice?: string): Response | Promise<Response> {
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
  return c.html(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${open ? `Pay ${sum}` : 'Payment'} (demo)</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="mark">Demo payment: no money moves</p>
<h1>${sum}</h1>
<p class="for">${escaped(link.description)}</p>
${shown ? `<p class="notice" role="status">${shown}</p>` : ''}
${
  open
    ? `<form method="post">
<button class="first" name="choice" value="success">Success</button>
<button name="choice" value="later">Pays later</button>
<button name="choice" value="failure">Failure</button>
</form>`
    : ''
}
<a href="${escaped(link.callbackUrl)}">${open ? 'Close' : 'Back'}</a>
</main>
</body>
</html>
`)
}

const rupees = (paise: number) =>
  `₹${(paise / 100).toLocaleString('en-IN', { minimumFractionDigits: paise % 100 === 0 ? 0 : 2 })}`

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? '')
