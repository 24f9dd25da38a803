import { setTimeout } from 'node:timers/promises'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { shortenTicketId } from '@garba/shared/messages/common'
import type { BrowserContext } from '@playwright/test'
import {
  bankFile,
  close,
  countDrawer,
  counterSale,
  drawerStands,
  exports,
  lessThanAsked,
  openBeforeClosing,
  PRICES,
  paidByLink,
  settleOpenMatters,
  totals,
} from '../support/eveningMoney.ts'
import { changeEvent } from '../support/event.ts'
import { cutBefore, EVERYTHING } from '../support/faults.ts'
import { expect, goOffline, goOnline, type Page, type TestServer, test } from '../support/fixtures.ts'
import type { Gate } from '../support/gate.ts'
import { openPaired } from '../support/gate.ts'
import { follow } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'
import { rupees, Tally } from '../support/tally.ts'

/** With EVENING=whole it plays all of it and prints the tally; `npm test` plays the gates alone. */
const WHOLE = process.env.EVENING === 'whole'

test.use({
  serverOptions: { paid: true, env: { PAYMENTS: 'demo,upi,desk', UPI_ID: 'garba@bank', UPI_NAME: 'Garba Rass' } },
})

type Phone = Gate & { id: string; name: string; seller: string }

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

async function phoneAt(
  page: Page,
  server: TestServer,
  { name, seller }: Pick<Phone, 'name' | 'seller'>,
): Promise<Phone> {
  const rights = ['scan', 'undo', 'find', 'sell']
  const device = { name: `Phone ${name}`, gates: [name], rights }
  const gate = await openPaired(page, server, device, { name: seller })
  await gate.start()
  return Object.assign(gate, { name, seller })
}

/** Shows a code at a phone; who gets in is counted, as somebody at the gate with a clicker would. */
async function comesTo({ tally }: Evening, phone: Phone, code: string): Promise<void> {
  const { look } = await phone.scan(code)
  if (look === 'allowed' || look === 'pending') tally.letIn(phone.name)
}

/** Two people come with the same ticket while neither gate has a network: it is used once, and a conflict at both. */
async function doubleAdmission(evening: Evening): Promise<void> {
  const { server, north, south, order } = evening
  await comesTo(evening, north, codeOf(order.tickets[0]))
  const cuts = [await cutBefore(north.page, EVERYTHING), await cutBefore(south.page, EVERYTHING)]
  for (const phone of [north, south]) {
    // At real times, because scans move the page's clock ahead.
    await phone.page.clock.setSystemTime(Date.now())
    await comesTo(evening, phone, codeOf(order.tickets[1]))
  }
  // The later gate comes back first: the earlier admission still wins.
  await cuts[1]?.end()
  await south.says('All sent')
  await cuts[0]?.end()
  for (const phone of [north, south]) {
    await phone.says('All sent')
    await phone.says('1 double admission to read')
  }
  expect(server.rows('select outcome, device_name as device from scans order by rowid')).toEqual([
    { outcome: 'admitted', device: 'Phone North' },
    { outcome: 'conflict', device: 'Phone South' },
    { outcome: 'admitted', device: 'Phone North' },
  ])
}

/** Refunds the order of somebody who is inside; the dialog asks for a confirmation. */
async function refundOfSomebodyInside({ tally, desk, order }: Evening): Promise<void> {
  await desk.goto(`/dashboard/admin/orders/${order.code}`)
  await desk.getByRole('button', { name: 'Refund', exact: true }).click()
  const dialog = desk.getByRole('dialog', { name: 'Refund tickets' })
  await dialog.getByRole('button', { name: 'Chosen tickets' }).click()
  await dialog
    .getByRole('checkbox', { name: new RegExp(`^${shortenTicketId(order.tickets[0]?._id ?? '')}.*, used$`) })
    .check()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Rain')
  const save = dialog.getByRole('button', { name: 'Cancel tickets and refund' })
  tally.addLine('Refund of a used ticket that nobody has ticked', 'off', (await save.isEnabled()) ? 'on' : 'off')
  await dialog.getByRole('checkbox', { name: /^Refund the used ticket too/ }).check()
  await save.click()
  await expect(dialog).toHaveCount(0)
  tally.owed += PRICES.groupPrice4
}

const SOUTH = { float: 300, taken: PRICES.ticketPrice, counted: 300 + PRICES.ticketPrice }

/** The seller at the south gate opens a drawer, sells one ticket, loses the network and sells one more. */
async function salesAtTheDoor({ tally, south }: Evening): Promise<void> {
  const { page } = south
  const sell = async () => {
    await page.getByRole('button', { name: `Take ${rupees(PRICES.ticketPrice)}, sell 1 ticket` }).click()
    await expect(page.getByRole('heading', { name: 'Sold: 1 ticket' })).toBeVisible()
    tally.sell(1, { received: PRICES.ticketPrice })
    tally.letIn('South')
  }
  await page.getByRole('button', { name: 'I have read this' }).click()
  await page.getByRole('button', { name: 'Stop Scanner' }).click()
  await page.getByRole('button', { name: 'Sell tickets' }).click()
  await page.getByLabel('Cash you start with (₹)').fill(String(SOUTH.float))
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByRole('button', { name: 'Take tickets' }).click()
  await expect(page.getByTestId('stock')).toHaveText('20')
  await sell()
  await expect(page.getByTestId('cash')).toHaveText(rupees(SOUTH.counted))
  await page.getByRole('button', { name: 'Next sale' }).click()
  await goOffline(page.context())
  await expect(page.getByText('Offline: selling the tickets kept on this phone')).toBeVisible()
  await sell()
  await tally.recordShown(
    'Cash in hand, on the phone',
    rupees(SOUTH.counted + PRICES.ticketPrice),
    page.getByTestId('cash'),
  )
  await page.getByRole('button', { name: 'Back to the scanner' }).click()
  await south.start()
}

/** The desk ends a phone, which does not know it yet. */
async function revoke({ desk, south }: Evening): Promise<void> {
  const device = `Phone ${south.name}`
  await follow(desk, '/dashboard/admin/devices')
  await desk.getByRole('button', { name: `More about ${device}` }).click()
  await desk.getByRole('menuitem', { name: 'Revoke' }).click()
  const question = desk.getByRole('alertdialog', { name: `Revoke ${device}?` })
  await question.getByRole('button', { name: 'Revoke' }).click()
  await expect(question).toHaveCount(0)
}

/** The ended phone lets in one more person, then reports what it did. */
async function endedPhone(evening: Evening): Promise<void> {
  const { server, south, order } = evening
  if (WHOLE) await salesAtTheDoor(evening)
  else await goOffline(south.page.context())
  // Its clock was moved ahead, and what it sold then must be earlier than its end.
  const ahead = (await south.page.evaluate(() => Date.now())) - Date.now()
  await setTimeout(Math.max(0, ahead))
  await revoke(evening)
  if (WHOLE) await countDrawer(evening, { person: south.seller, ...SOUTH, note: 'Counted by the desk' })
  await comesTo(evening, south, codeOf(order.tickets[2]))
  await goOnline(south.page.context())
  await expect
    .poll(
      async () => {
        await south.page.clock.fastForward(1_000)
        return server.rows("select id from scans where flag = 'afterEnd'").length
      },
      { intervals: [100] },
    )
    .toBe(1)
}

/** Cash that an ended phone reports after its drawer was counted is listed apart, and the drawer stays as it was. */
async function arrivedLater(evening: Evening): Promise<void> {
  const { desk, tally, south } = evening
  await desk.goto('/dashboard/admin/money')
  const late = desk.getByRole('region', { name: 'Arrived later' }).getByRole('listitem')
  const words = `${rupees(PRICES.ticketPrice)} from 1 sale by ${south.seller} on Phone ${south.name}`
  await tally.recordShown('Cash that arrived later', words, late)
  await drawerStands(evening, { person: south.seller, ...SOUTH })
}

const CASHIER = { person: 'Asha Admin', taken: PRICES.ticketPrice, float: 500, counted: 490 + PRICES.ticketPrice }

/** The ended phone's cash that arrived later stays listed: it is closed with the event. */
const CASH_IN_NO_DRAWER = '1 seller’s cash is in no drawer'

/** The money of the evening, from the counter to the closing of the event. */
async function money(evening: Evening): Promise<void> {
  await arrivedLater(evening)
  await counterSale(evening)
  await paidByLink(evening)
  await bankFile(evening, await lessThanAsked(evening))
  await totals(evening)
  await openBeforeClosing(evening, [
    '1 cash drawer is not counted',
    '1 refund is still to be paid by hand',
    '1 matter under Money is not settled',
    '1 credit on the bank statement has no order yet',
    '1 sale by UPI or card is not proven',
    '1 double admission is not looked at',
    CASH_IN_NO_DRAWER,
  ])
  await countDrawer(evening, { ...CASHIER, note: 'Ten short' })
  await settleOpenMatters(evening, evening.order)
  await totals(evening)
  await exports(evening, [
    { person: CASHIER.person, counted: CASHIER.counted, difference: -10 },
    { person: evening.south.seller, counted: SOUTH.counted, difference: 0 },
  ])
  await close(evening, [CASH_IN_NO_DRAWER])
}

async function readScreens({ tally, desk, north }: Evening): Promise<void> {
  await follow(desk, '/dashboard/admin/gate')
  await expect(desk.getByTestId('people')).toHaveText(String(tally.people))
  tally.addLine('People let in, on Evening', tally.people, await desk.getByTestId('people').textContent())
  for (const [gate, people] of tally.gates) {
    const row = desk.getByRole('table', { name: 'Gates' }).getByRole('row', { name: new RegExp(`^${gate}`) })
    tally.addLine(`People let in at ${gate}, on Evening`, people, await row.getByRole('cell').nth(1).textContent())
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
  tally.addLine('People let in, on the phone at North', tally.people, await header.textContent())
}

test('an evening with two phones and a desk agrees with a tally', async ({ server, browser, page, baseURL }) => {
  if (WHOLE) test.setTimeout(900_000)
  const contexts: BrowserContext[] = []
  const another = async () => {
    const context = await browser.newContext({
      baseURL: baseURL ?? '',
      reducedMotion: 'reduce',
    })
    contexts.push(context)
    return context.newPage()
  }
  const tally = new Tally()
  const gates = ['North', 'South'].map((name) => ({ name, kinds: [] }))
  const admin = await server.api('admin')
  await admin.call('saveGates', { body: { gates } })
  await changeEvent(admin, PRICES)
  const order = await soldByCard(server, 4)
  tally.sell(4, { received: 4 * PRICES.groupPrice4 })
  const [north, south] = [
    await phoneAt(await another(), server, { name: 'North', seller: 'Nita' }),
    await phoneAt(await another(), server, { name: 'South', seller: 'Ravi' }),
  ]
  await restoreSession(page, 'admin')
  const evening: Evening = { server, tally, desk: page, north, south, order }
  try {
    await doubleAdmission(evening)
    await refundOfSomebodyInside(evening)
    await endedPhone(evening)
    await readScreens(evening)
    if (WHOLE) await money(evening)
  } finally {
    if (WHOLE) console.log(tally.printed())
  }
  for (const context of contexts) await context.close()
  expect(tally.wrong()).toEqual([])
})
