import type { Ticket } from '@garba/shared/contracts/ticket'
import type { BrowserContext } from '@playwright/test'
import { must, orderByUpi } from './support/deskMoney.ts'
import { changeDevice } from './support/devices.ts'
import { cutBefore, EVERYTHING } from './support/faults.ts'
import { expect, type Page, type TestServer, test } from './support/fixtures.ts'
import type { Gate } from './support/gate.ts'
import { openPaired } from './support/pairing.ts'
import { restoreSession } from './support/session.ts'
import { Tally } from './support/tally.ts'

/** `npm run rehearse -- --script` plays all of it and prints the tally; `npm test` plays the gates alone. */
const WHOLE = process.env.EVENING === 'whole'

test.use({ serverOptions: { env: { PAYMENTS: 'upi,desk', UPI_ID: 'garba@bank', UPI_NAME: 'Garba Rass' } } })

type Phone = Gate & { id: string; name: string }

interface Evening {
  server: TestServer
  tally: Tally
  desk: Page
  north: Phone
  south: Phone
  order: { code: string; tickets: Ticket[] }
}

const codeOf = ({ qrCode }: Ticket | { qrCode?: string | null } = {}): string => qrCode ?? ''
const keyed = () => ({ 'idempotency-key': crypto.randomUUID() })

/** Somebody buys at the counter and pays by card. */
async function soldByCard(server: TestServer, quantity: number): Promise<Evening['order']> {
  const admin = await server.api('admin')
  const body = { quantity, method: 'card', name: 'Meera' }
  const sold = await admin.call('sellAtDesk', { body, headers: keyed() })
  if (sold.status !== 201) throw new Error(`The sale was refused: ${JSON.stringify(sold.body)}`)
  return { code: (sold.body.order as { code: string }).code, tickets: sold.body.tickets as Ticket[] }
}

async function phoneAt(page: Page, server: TestServer, name: string): Promise<Phone> {
  const rights = ['scan', 'undo', 'find', 'sell']
  const gate = await openPaired(page, server, {
    device: { name: `Phone ${name}`, gates: [name], rights },
    name: 'Ravi',
  })
  await gate.start()
  return Object.assign(gate, { name })
}

/** Shows a code at a phone; who gets in is counted, as somebody at the gate with a clicker would. */
async function comesTo({ tally }: Evening, phone: Phone, code: string): Promise<void> {
  await phone.page.clock.setSystemTime(Date.now())
  const { look } = await phone.scan(code)
  if (look === 'allowed' || look === 'pending') tally.letIn(phone.name)
}

/** Two people come with the same ticket while neither gate has a network. */
async function doubleAdmission(evening: Evening): Promise<void> {
  const { north, south, order } = evening
  await comesTo(evening, north, codeOf(order.tickets[0]))
  const cuts = [await cutBefore(north.page, EVERYTHING), await cutBefore(south.page, EVERYTHING)]
  for (const phone of [north, south]) await comesTo(evening, phone, codeOf(order.tickets[1]))
  for (const cut of cuts) await cut.end()
  for (const phone of [north, south]) await phone.says('All sent')
}

/** The order of somebody who is inside is paid back. */
async function refundOfSomebodyInside({ server, tally, order }: Evening): Promise<void> {
  const admin = await server.api('admin')
  const body = { ticketIds: [order.tickets[0]?._id], reason: 'Rain', includeUsed: true }
  const { status } = await admin.call('refundOrder', { params: { code: order.code }, body, headers: keyed() })
  tally.note('Refund of a ticket that was used', 200, status)
}

/** A phone is ended on the desk, does not know it, and lets one more person in. */
async function endedPhone(evening: Evening): Promise<void> {
  const { server, south, order } = evening
  const cut = await cutBefore(south.page, EVERYTHING)
  await changeDevice(server, south.id, { revoked: true })
  await comesTo(evening, south, codeOf(order.tickets[2]))
  await cut.end()
  await expect
    .poll(
      async () => {
        await south.page.clock.fastForward(1_000)
        return server.rows("select id from scans where flag in ('afterEnd', 'revoked')").length
      },
      { intervals: [100] },
    )
    .toBe(1)
}

/** A drawer is opened, takes a sale and is counted; a guest pays by UPI, and the bank's file has the credit. */
async function moneyOfTheEvening({ server, tally, desk }: Evening): Promise<void> {
  const admin = await server.api('admin')
  const opened = await admin.call('openCashSession', { body: { float: 500 } })
  const { id } = opened.body.session as { id: string }
  const cash = await admin.call('sellAtDesk', {
    body: { quantity: 1, method: 'cash', name: 'Meera' },
    headers: keyed(),
  })
  const { total } = cash.body.order as { total: number }
  await must(admin.call('closeCashSession', { params: { id }, body: { counted: 500 + total - 10, note: 'Ten short' } }))
  const utr = '412345678901'
  const { code } = await orderByUpi(server, { name: 'Radha', utr })
  tally.receive(996 + total)

  await desk.goto('/dashboard/admin/money/statement')
  const csv = `Date,Narration,Credit\n08/08/2025,UPI/${utr}/${code},299.00\n08/08/2025,RENT,"1,00,000.00"`
  const file = { name: 'statement.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await desk.getByLabel('Statement file').setInputFiles(file)
  await desk.getByRole('dialog', { name: 'Columns' }).getByRole('button', { name: 'Import' }).click()
  const imported = desk.getByText(/^\d+ new lines/)
  await expect(imported).toBeVisible()
  tally.note('Credits in the bank file', 2, Number.parseInt((await imported.textContent()) ?? '', 10))
  await desk.getByRole('button', { name: 'Confirm 1 match' }).click()
  await desk.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click()
  await expect(desk.getByText('1 payment confirmed')).toBeVisible()
  tally.receive(299)

  await desk.goto('/dashboard/admin/money')
  const all = desk.getByRole('table', { name: 'Totals by day' }).getByRole('row').filter({ hasText: 'All days' })
  const received = `₹${tally.received.toLocaleString('en-IN')}`
  await expect(all).toBeVisible()
  tally.note(
    'Received, on Money',
    received,
    ((await all.textContent()) ?? '').includes(received) ? received : await all.textContent(),
  )
  const drawer = desk.getByRole('table', { name: 'Cash sessions' }).getByRole('row').filter({ hasText: 'Ten short' })
  const said = (await drawer.textContent()) ?? ''
  for (const [what, amount] of [
    ['Cash taken', total],
    ['Cash expected', 500 + total],
    ['Cash counted', 490 + total],
  ] as const)
    tally.note(`${what}, on Money`, `₹${amount}`, said.includes(`₹${amount}`) ? `₹${amount}` : said)
}

async function readScreens({ tally, desk, north }: Evening): Promise<void> {
  await desk.goto('/dashboard/admin/gate')
  await expect(desk.getByTestId('people')).toHaveText(String(tally.people))
  tally.note('People let in, on Evening', tally.people, await desk.getByTestId('people').textContent())
  for (const [gate, people] of tally.gates) {
    const row = desk.getByRole('table', { name: 'Gates' }).getByRole('row', { name: new RegExp(`^${gate}`) })
    tally.note(`People let in at ${gate}, on Evening`, people, await row.getByRole('cell').nth(1).textContent())
  }
  const header = north.page.locator('p', { hasText: /people let in|person let in/ }).locator('strong')
  await expect
    .poll(
      async () => {
        await north.page.clock.fastForward(5_000)
        return header.textContent()
      },
      { intervals: [100] },
    )
    .toBe(String(tally.people))
  tally.note('People let in, on the phone at North', tally.people, await header.textContent())
  await desk.goto('/dashboard/admin/money')
  const lines = desk.getByText('Balanced', { exact: true })
  await expect(lines.first()).toBeVisible()
  tally.note('Rules of the Books that are broken', 0, await desk.getByText(/^\d+ problems?$/).count())
}

test('an evening with two phones and a desk agrees with a tally', async ({ server, browser, page, baseURL }) => {
  if (WHOLE) test.setTimeout(600_000)
  const contexts: BrowserContext[] = []
  const another = async () => {
    const context = await browser.newContext({
      baseURL: baseURL ?? '',
      serviceWorkers: 'block',
      reducedMotion: 'reduce',
    })
    contexts.push(context)
    return context.newPage()
  }
  const tally = new Tally()
  const gates = ['North', 'South'].map((name) => ({ name, kinds: [] }))
  await (await server.api('admin')).call('saveGates', { body: { gates } })
  const order = await soldByCard(server, 4)
  const [north, south] = [
    await phoneAt(await another(), server, 'North'),
    await phoneAt(await another(), server, 'South'),
  ]
  await restoreSession(page, 'admin')
  const evening: Evening = { server, tally, desk: page, north, south, order }
  await doubleAdmission(evening)
  await refundOfSomebodyInside(evening)
  await endedPhone(evening)
  await readScreens(evening)
  if (WHOLE) await moneyOfTheEvening(evening)
  if (WHOLE) console.log(tally.printed())
  for (const context of contexts) await context.close()
  expect(tally.wrong()).toEqual([])
})
