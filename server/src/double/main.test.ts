import { createHash, createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ProviderUnavailable } from '../providers/provider.ts'
import { makeRazorpay } from '../providers/razorpay.ts'
import { DOUBLE_SETTINGS, type Webhook } from '../testing/double.ts'
import { startDouble } from './main.ts'

const RETURN = 'http://localhost:8080/dashboard/guest/orders/GR-7K2M'

async function startHooks(): Promise<{ url: string; received: Webhook[] }> {
  const received: Webhook[] = []
  const server = createServer(async (request, answer) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    received.push({ body: Buffer.concat(chunks).toString(), headers })
    answer.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/webhooks/razorpay`, received }
}

async function start(options: Partial<Parameters<typeof startDouble>[0]> = {}) {
  const hooks = await startHooks()
  const double = await startDouble({ ...DOUBLE_SETTINGS, port: 0, webhookUrl: () => hooks.url, ...options })
  onTestFinished(() => double.close())
  const provider = makeRazorpay({ ...DOUBLE_SETTINGS, apiUrl: double.url }, { now: () => new Date() })
  const order = (description = 'Two tickets for <Garba> & "Raas"') =>
    provider.start({
      code: 'GR-7K2M',
      paise: 79_850,
      description,
      buyer: { name: 'રાધા પટેલ', email: 'radha@example.org' },
      expiresAt: new Date(Date.now() + 17 * 60_000),
      returnUrl: RETURN,
    })
  return { double, provider, order, received: hooks.received }
}
const choose = (url: string, choice: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ choice }), redirect: 'manual' })

test('a guest pays on the page, is sent back with a signature, and the webhook says the same', async () => {
  const { provider, order, received } = await start()
  const { url, ref } = await order()
  const page = await fetch(url)
  const html = await page.text()
  expect(html).toContain('₹798.50')
  expect(html).toContain('Two tickets for &lt;Garba&gt; &amp; &quot;Raas&quot;')
  for (const choice of ['Success', 'Pays later', 'Failure', 'Close']) expect(html).toContain(`>${choice}</`)

  const paid = await choose(url, 'success')
  expect(paid.status).toBe(303)
  const back = new URL(paid.headers.get('location') ?? '')
  expect(`${back.origin}${back.pathname}`).toBe(RETURN)
  const said = ['link_id', 'link_reference_id', 'link_status'].map((name) =>
    back.searchParams.get(`razorpay_payment_${name}`),
  )
  expect(said).toEqual([ref, 'GR-7K2M', 'paid'])
  const paymentId = back.searchParams.get('razorpay_payment_id')
  const signature = createHmac('sha256', DOUBLE_SETTINGS.keySecret)
    .update([...said, paymentId].join('|'))
    .digest('hex')
  expect(back.searchParams.get('razorpay_signature')).toBe(signature)

  await expect.poll(() => received.length, { timeout: 10_000 }).toBe(3)
  const facts = received.flatMap(
    ({ body, headers }) => provider.parseEvent(Buffer.from(body), new Headers(headers))?.facts ?? [],
  )
  expect(facts).toContainEqual(expect.objectContaining({ type: 'captured', ref, paymentId, paise: 79_850 }))

  const again = await choose(url, 'success')
  expect(again.status).toBe(200)
  expect(await again.text()).toContain('This payment is done.')
  expect(await provider.fetchLinkFacts(ref)).toHaveLength(1)
})

test('after a failure the guest can try again, and paying later reserves the money', async () => {
  const { provider, order } = await start()
  const { url, ref } = await order()
  const failed = await choose(url, 'failure')
  expect(await failed.text()).toContain('The payment failed, and no money was taken. Try again.')
  const later = await choose(url, 'later')
  expect(later.headers.get('location')).toBe(RETURN)
  expect(await provider.fetchLinkFacts(ref)).toMatchObject([{ type: 'failed' }, { type: 'pending' }])
})

test('the page loads nothing, runs no script, and posts only to itself and back to the shop', async () => {
  const { order } = await start()
  const { url } = await order()
  const page = await fetch(url)
  const html = await page.text()
  const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  expect(page.headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self' http://localhost:8080; base-uri 'none'; frame-ancestors 'none'`,
  )
  expect(html).not.toMatch(/<script|src=|url\(|@import/)
  expect((await fetch(url.replace(/plink_\w+/, 'plink_unknown'))).status).toBe(404)
})

test('a cut connection reaches the client as no usable answer', async () => {
  const { double, provider, order } = await start()
  double.setFaults({ lostAnswer: 1 })
  await expect(order()).rejects.toThrow(ProviderUnavailable)
  double.setFaults({ lostAnswer: 0 })
  expect(await provider.find('GR-7K2M')).toMatchObject({ ref: double.links()[0]?.id })
})

test('keys of somebody else open nothing', async () => {
  const { double } = await start()
  const stranger = makeRazorpay(
    { ...DOUBLE_SETTINGS, apiUrl: double.url, keySecret: 'guessed' },
    { now: () => new Date() },
  )
  await expect(stranger.find('GR-7K2M')).rejects.toThrow(ProviderUnavailable)
  expect((await fetch(`${double.url}/v1/payment_links`)).status).toBe(401)
})

test('payments survive a restart, and so does what is still to come of them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'double-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'demo-payments')
  let later = 0
  const now = () => new Date(Date.now() + later)
  const before = await start({ file, now, faults: { pendingRefund: 1 } })
  const { ref } = await before.order()
  const { id: paid } = before.double.pay(ref)
  const asked = { paymentId: paid, paise: 39_900, key: 'refund-key-1' }
  const sent = await before.provider.refund(asked)
  const { id: late } = before.double.authorize(ref, 30 * 60_000)
  await before.double.close()
  expect(statSync(file).mode & 0o777).toBe(0o600)

  const after = await start({ file, now })
  expect(await after.provider.refund(asked)).toEqual(sent)
  later = 60 * 60_000
  await after.double.run()
  expect(await after.provider.fetchLinkFacts(ref)).toMatchObject([
    { type: 'captured', paymentId: paid },
    { type: 'captured', paymentId: late },
    { type: 'refund', refundId: sent.refundId, state: 'done' },
  ])
  expect(await after.order()).toMatchObject({ ref })
})

test('the page switches rare answers on and off for all payments', async () => {
  const { provider, order } = await start()
  const { url, ref } = await order()
  const post = async (odd: string) => (await fetch(url, { method: 'POST', body: new URLSearchParams({ odd }) })).text()
  expect(await post('offer')).toContain('On: An offer makes it cheaper')
  expect(await post('feeOnGuest')).toContain('On: The payer pays the fee on top')
  expect(await post('feeOnGuest')).toContain('Off: The payer pays the fee on top')
  await choose(url, 'success')
  expect(await provider.fetchLinkFacts(ref)).toMatchObject([{ type: 'captured', paise: 79_850, chargedPaise: 71_865 }])
})
