import { readFileSync } from 'node:fs'
import { BOOK_RULES } from '@garba/shared/contracts/names'
import { expect, type Locator, type Page } from '@playwright/test'
import { parse } from 'csv-parse/sync'
import { rows } from './desk.ts'
import { orderByUpi } from './deskMoney.ts'
import { dayAhead, endEvent } from './event.ts'
import { linkOf, placed } from './paying.ts'
import type { TestServer } from './server.ts'
import { rupees, type Tally } from './tally.ts'

/** Rupees for one ticket, and for each of four or more. */
export const PRICES = { ticketPrice: 500, groupPrice4: 450 } as const

export interface Office {
  server: TestServer
  tally: Tally
  desk: Page
}

const { ticketPrice: PRICE } = PRICES
const FLOAT = 500
const [UTR, FIRST_UTR, REST_UTR] = ['412345678901', '412345678902', '412345678903']

const goTo = ({ desk }: Office, view: string) => desk.goto(`/dashboard/admin/${view}`)

/** The cell of a row under the column of that name. */
async function cellOf(desk: Page, { table, row, column }: { table: string; row: string | RegExp; column: string }) {
  const whole = desk.getByRole('table', { name: table, exact: true })
  const line = whole.getByRole('row').filter({ hasText: row })
  await expect(line).toBeVisible()
  const columns = await whole.getByRole('columnheader').allTextContents()
  return line.getByRole('cell').nth(columns.findIndex((name) => name.trim() === column))
}

/** Somebody pays cash at the counter, after the cashier has opened a drawer there. */
export async function counterSale(office: Office): Promise<void> {
  const { desk, tally } = office
  await goTo(office, 'orders/sell')
  await desk.getByRole('textbox', { name: 'Cash you start with (₹)' }).fill(String(FLOAT))
  await desk.getByRole('button', { name: 'Open cash session' }).click()
  await desk.getByRole('textbox', { name: 'Buyer’s name' }).fill('Hetal')
  await desk.getByRole('button', { name: `Take ${rupees(PRICE)} and make 1 ticket` }).click()
  await desk.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  tally.sell(1, { received: PRICE })
}

/** A guest pays by the provider's page, and the provider tells the server. */
export async function paidByLink({ server, tally }: Office): Promise<void> {
  const code = await placed(await server.api('guest'), 1, 'demo')
  server.double.pay(linkOf(server, code).id)
  await expect
    .poll(() => server.rows("select code from orders where state = 'paid' and provider <> 'card'"))
    .toContainEqual({ code })
  tally.sell(1, { received: PRICE })
}

/** The statement shows ₹900 for an order of ₹1,000: the order waits for the rest, and has no tickets. */
export async function lessThanAsked(office: Office): Promise<{ code: string }> {
  const { server, tally, desk } = office
  const { code } = await orderByUpi(server, { name: 'Zarna', quantity: 2, utr: FIRST_UTR })
  await goTo(office, `orders/${code}`)
  await desk.getByRole('button', { name: 'Confirm payment' }).click()
  const dialog = desk.getByRole('dialog', { name: 'Confirm UPI payment' })
  await tally.recordShown(
    'Asked for, in the dialog',
    `Order ${code}, ${rupees(2 * PRICE)}`,
    dialog.getByText(`Order ${code},`),
  )
  await dialog.getByRole('textbox', { name: 'Amount received (₹)' }).fill('900')
  await expect(dialog).toContainText(`${rupees(2 * PRICE - 900)} is still missing.`)
  await dialog.getByRole('button', { name: 'Confirm payment' }).click()
  await expect(dialog).toHaveCount(0)
  tally.received += 900
  await tally.recordShown(
    'Tickets of an order with ₹100 missing',
    0,
    desk.getByText('There are no tickets until the order is paid.'),
    (text) => (text === '' ? 'some' : '0'),
  )
  await goTo(office, 'money')
  const matter = desk.getByRole('listitem').filter({ hasText: 'Less than the order costs' })
  await tally.recordShown(
    'Received and asked, under Money',
    `${code}: ₹900 of ₹1,000`,
    matter,
    (text) => /\w{8}: ₹900 of ₹[\d,]+/.exec(text)?.[0] ?? text,
  )
  return { code }
}

/** The bank's file: a match, the missing rest, a row with a comma too many, one that could be read in two ways, and the rent. */
export async function bankFile(office: Office, { code: short }: { code: string }): Promise<void> {
  const { server, tally, desk } = office
  const { code: radha } = await orderByUpi(server, { name: 'Radha', utr: UTR })
  const { code: meera } = await orderByUpi(server, { name: 'Meera' })
  const day = dayAhead(0).split('-').reverse().join('/')
  const lines = [
    `UPI/${FIRST_UTR}/${short},900.00`,
    `UPI/${REST_UTR}/${short} REST,100.00`,
    `UPI/${UTR}/${radha},500.00`,
    `UPI/412345678904/${meera}/SHAH, MEERA,500.00`,
    'Shah,2,500',
    'RENT,"1,00,000.00"',
  ]
  const csv = ['Date,Narration,Credit', ...lines.map((line) => `${day},${line}`)].join('\n')
  await goTo(office, 'money/statement')
  const file = { name: 'statement.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await desk.getByLabel('Statement file').setInputFiles(file)
  await desk.getByRole('dialog', { name: 'Columns' }).getByRole('button', { name: 'Import' }).click()
  await tally.recordShown(
    'Rows of the bank file',
    '5 new lines, 0 already known, 1 skipped',
    desk.getByText(/^\d+ new lines/),
  )
  await tally.recordShown(
    'The row that can be read in two ways',
    'Line 6',
    desk
      .getByRole('listitem')
      .filter({ hasText: /Shah.*500/ })
      .locator('strong'),
  )
  const table = rows(desk, 'Bank statement')
  await expect(table).toHaveCount(5)
  const matchOf = (text: string) => table.filter({ hasText: text }).getByRole('cell').first().locator('span').first()
  await tally.recordShown(
    'The row with an unquoted comma',
    rupees(PRICE),
    table.filter({ hasText: meera }).getByRole('cell').nth(2),
  )
  await tally.recordShown('The ₹900 that were confirmed by hand', 'Confirmed', matchOf(FIRST_UTR))
  await desk.getByRole('button', { name: 'Confirm 1 match' }).click()
  await confirmed(desk)
  tally.sell(1, { received: PRICE })
  for (const { code, tickets, received } of [
    { code: short, tickets: 2, received: 100 },
    { code: meera, tickets: 1, received: PRICE },
  ]) {
    await desk.getByRole('button', { name: `Confirm order ${code}` }).click()
    await confirmed(desk)
    tally.sell(tickets, { received })
  }
  await tally.recordShown('Credits without an order', '1 line without an order.', desk.getByText(/without an order\.$/))
}

async function confirmed(desk: Page): Promise<void> {
  const question = desk.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(question).toHaveCount(0)
}

/** Counts a drawer from the list under Money: one's own, or one whose owner cannot. */
export async function countDrawer(
  office: Office,
  {
    person,
    taken,
    float,
    counted,
    note,
  }: { person: string; taken: number; float: number; counted: number; note: string },
): Promise<void> {
  const { desk, tally } = office
  await goTo(office, 'money')
  await desk.getByRole('button', { name: `Count the drawer of ${person}` }).click()
  const dialog = desk.getByRole('dialog', { name: 'Close the cash session' })
  await tally.recordShown(
    `Expected from ${person}, in the dialog`,
    rupees(float + taken),
    dialog.getByText('Expected in the drawer').locator('..'),
    (text) => /₹[\d,]+/.exec(text)?.[0] ?? text,
  )
  await dialog.getByRole('textbox', { name: 'Counted (₹)' }).fill(String(counted))
  await dialog.getByRole('textbox', { name: 'Note (optional)' }).fill(note)
  await dialog.getByRole('button', { name: 'Close session' }).click()
  await desk.getByRole('dialog', { name: 'Cash session closed' }).getByRole('button', { name: 'Done' }).click()
  await drawerStands(office, { person, taken, float, counted })
}

/** A counted drawer never changes, whatever arrives later. */
export async function drawerStands(
  office: Office,
  { person, taken, float, counted }: { person: string; taken: number; float: number; counted: number },
): Promise<void> {
  for (const [column, amount] of [
    ['Cash taken', taken],
    ['Expected', float + taken],
    ['Counted', counted],
  ] as const)
    await office.tally.recordShown(
      `${column}, drawer of ${person}`,
      rupees(amount),
      await cellOf(office.desk, { table: 'Cash sessions', row: person, column }),
    )
}

/** The Books are balanced, and the totals are the tally's. */
export async function totals(office: Office): Promise<void> {
  const { desk, tally } = office
  await goTo(office, 'money')
  await expect(desk.getByText('Balanced', { exact: true })).toHaveCount(BOOK_RULES.length)
  tally.addLine('Rules of the Books that are broken', 0, await desk.getByText(/^\d+ problems?$/).count())
  const part = (name: string) =>
    desk.locator('dl > div', { has: desk.locator('dt', { hasText: new RegExp(`^${name}$`) }) }).locator('dd')
  await tally.recordShown('Received, on Money', rupees(tally.received), part('Received'))
  if (tally.refunded > 0) await tally.recordShown('Refunded, on Money', `− ${rupees(tally.refunded)}`, part('Refunded'))
  else tally.addLine('Refunded, on Money', 0, await part('Refunded').count())
  const owed = desk.getByText(/Still to refund: /)
  if (tally.owed > 0)
    await tally.recordShown(
      'Still to refund, on Money',
      rupees(tally.owed),
      owed,
      (text) => /₹[\d,]+/.exec(text)?.[0] ?? '',
    )
  else tally.addLine('Still to refund, on Money', 0, await owed.count())
}

const question = (desk: Page) => desk.getByRole('alertdialog', { name: /^Close / })

/** What the question before closing lists, which is left with the event open. */
export async function openBeforeClosing(office: Office, open: readonly string[]): Promise<void> {
  const { desk, server, tally } = office
  endEvent(server)
  await goTo(office, 'event')
  await desk.getByRole('button', { name: 'Close Event' }).click()
  const items = question(desk).getByRole('listitem')
  for (const line of open) await tally.recordShown('Open before closing', line, items.filter({ hasText: line }))
  const listed = await items.allTextContents()
  tally.addLine('Matters open before closing', open.length, listed.filter((line) => /^\d/.test(line)).length)
  await question(desk).getByRole('button', { name: 'Keep it open' }).click()
}

/** Everything that was open is settled on its screen. */
export async function settleOpenMatters(office: Office, { code }: { code: string }): Promise<void> {
  const { desk, tally } = office
  // Money goes back only for a sale that is proven.
  await goTo(office, 'money')
  await desk.getByRole('button', { name: /^Tick off: Card/ }).click()
  const terminal = desk.getByRole('dialog', { name: 'Tick off against the terminal' })
  await terminal.getByRole('textbox').fill(String(4 * PRICES.groupPrice4))
  await terminal.getByRole('button', { name: 'Tick off' }).click()
  await expect(terminal).toHaveCount(0)
  await goTo(office, `orders/${code}`)
  await desk.getByRole('button', { name: /^Mark as paid back: the refund of ticket/ }).click()
  await expect(desk.getByText(/^Refund: .*Done$/)).toBeVisible()
  tally.refunded += tally.owed
  tally.owed = 0
  await goTo(office, 'money/statement')
  await desk.getByRole('button', { name: 'Set aside the credit of ₹1,00,000' }).click()
  const aside = desk.getByRole('dialog', { name: 'Set aside' })
  await aside.getByRole('textbox', { name: 'What is it?' }).fill('Rent of the ground')
  await aside.getByRole('button', { name: 'Set aside' }).click()
  await expect(aside).toHaveCount(0)
  await goTo(office, 'gate')
  await desk.getByRole('button', { name: /^Acknowledge the double admission/ }).click()
  await expect(desk.getByText('1 acknowledged')).toBeVisible()
  await goTo(office, 'money')
  const resolve = desk.getByRole('button', { name: /^Resolve: / })
  await expect(resolve.first()).toBeVisible()
  for (let left = await resolve.count(); left > 0; left -= 1) {
    await resolve.first().click()
    const dialog = desk.getByRole('dialog', { name: 'Resolve' })
    await dialog.getByRole('textbox').fill('Looked at with the crew')
    await dialog.getByRole('button', { name: 'Resolve' }).click()
    await expect(resolve).toHaveCount(left - 1)
  }
}

export async function close(office: Office, open: readonly string[]): Promise<void> {
  await openBeforeClosing(office, open)
  const { desk } = office
  await desk.getByRole('button', { name: 'Close Event' }).click()
  await question(desk)
    .getByRole('button', { name: open.length === 0 ? 'Close Event' : 'Close anyway' })
    .click()
  await expect(desk.getByText('Event closed')).toBeVisible()
}

type Rows = Record<string, string>[]

async function exported(desk: Page, button: Locator): Promise<Rows> {
  const [download] = await Promise.all([desk.waitForEvent('download'), button.click()])
  return parse(readFileSync(await download.path(), 'utf8'), { bom: true, columns: true })
}

const sum = (file: Rows, column: string) => file.reduce((all, row) => all + Number(row[column]), 0)

/** Every file that an organiser takes home, against the tally. */
export async function exports(
  office: Office,
  drawers: { person: string; counted: number; difference: number }[],
): Promise<void> {
  const { desk, tally } = office
  const save = async (view: string, name: string) => {
    await goTo(office, view)
    return exported(desk, desk.getByRole('button', { name, exact: true }))
  }
  const orders = await save('orders', 'Export CSV')
  tally.addLine('Orders in orders.csv', tally.orders, orders.length)
  const sold = await save('tickets', 'Export CSV')
  tally.addLine('Tickets in tickets.csv', tally.tickets, sold.length)
  tally.addLine('People let in, in tickets.csv', tally.people, sum(sold, 'People let in'))
  const days = await save('money', 'Export CSV of the totals')
  for (const [name, file] of [
    ['orders.csv', orders],
    ['totals.csv', days],
  ] as const) {
    tally.addLine(`Received, in ${name}`, tally.received, sum(file, 'Received'))
    tally.addLine(`Refunded, in ${name}`, tally.refunded, sum(file, 'Refunded'))
    tally.addLine(`Still to refund, in ${name}`, tally.owed, sum(file, 'Still to refund'))
  }
  const cash = await exported(desk, desk.getByRole('button', { name: 'Export CSV of all cash sessions' }))
  tally.addLine('Drawers in cash-sessions.csv', drawers.length, cash.length)
  for (const { person, counted, difference } of drawers) {
    const row = cash.find((one) => one.Person === person)
    tally.addLine(`Counted by ${person}, in cash-sessions.csv`, counted, row?.Counted ?? '')
    tally.addLine(`Difference of ${person}, in cash-sessions.csv`, difference, row?.Difference ?? '')
  }
  tally.addLine('Credits in statement.csv', 5, (await save('money/statement', 'Export CSV of all lines')).length)
  // The provider pays out two days later.
  await goTo(office, 'money/payouts')
  await expect(desk.getByRole('heading', { level: 1 })).toBeVisible()
  tally.addLine(
    'Payouts to export tonight',
    0,
    await desk.getByRole('button', { name: 'Export CSV of all payouts' }).count(),
  )
}
