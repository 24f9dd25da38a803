import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { Gate, openPaired } from '../support/gate.ts'
import { KeyScanner } from '../support/keyScanner.ts'
import { expectNoViolations, toastOf } from '../support/screen.ts'
import type { TestServer } from '../support/server.ts'
import { restoreSession } from '../support/session.ts'

type Send = (scanner: KeyScanner, code: string) => Promise<void>

/** How scanners are set, and what is around a code. */
const SETTINGS: Readonly<Record<string, Send>> = {
  'Tab after the code': async (scanner, code) => {
    await scanner.type(code)
    await scanner.press('Tab')
  },
  'nothing after the code': (scanner, code) => scanner.type(code),
  'an AIM id before it': async (scanner, code) => {
    await scanner.type(`]Q1${code}`)
    await scanner.press('Enter')
  },
  'other characters around it, and a space at the end': async (scanner, code) => {
    await scanner.type(`#7/${code}-X `)
    await scanner.press('Enter')
  },
  '120 ms between the keys': async (scanner, code) => {
    await scanner.type(code, { delay: 120 })
    await scanner.press('Enter', { delay: 120 })
  },
  'the code twice': async (scanner, code) => {
    await scanner.type(code + code)
    await scanner.press('Enter')
  },
  'carriage return and line feed': async (scanner, code) => {
    await scanner.type(code)
    await scanner.press('Enter')
    await scanner.lineFeed()
  },
  'the number pad with Alt': async (scanner, code) => {
    await scanner.typeByNumbers(code)
    await scanner.press('Enter')
  },
}

/** Counts the Ctrl+J that the page left to the browser, which opens the downloads with it. */
async function countLineFeeds(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    document.documentElement.dataset.feeds = '0'
    document.addEventListener('keydown', (event) => {
      if (event.ctrlKey && event.key === 'j' && !event.defaultPrevented) document.documentElement.dataset.feeds = '1'
    })
  })
  return () => page.evaluate(() => Number(document.documentElement.dataset.feeds))
}

test('a hardware scanner’s code gets its verdict whatever the scanner is set to', async ({ server, page }) => {
  const tickets = await (await server.api('guest')).buy(Object.keys(SETTINGS).length)
  const gate = await Gate.open(page)
  const scanner = await KeyScanner.on(page)
  const feeds = await countLineFeeds(page)
  let verdicts = 0
  for (const [name, send] of Object.entries(SETTINGS)) {
    await page.getByRole('button', { name: 'Find by name or code' }).focus()
    scanner.rest()
    await send(scanner, tickets[verdicts]?.qrCode ?? '')
    expect((await gate.nextVerdict(verdicts)).look, name).toBe('allowed')
    verdicts += 1
    await expect(page.getByRole('dialog'), name).toHaveCount(0)
    await gate.takeAway()
    await page.clock.fastForward(3_000)
  }
  expect(await feeds()).toBe(0)
  expect(server.rows("select 1 from tickets where status = 'used'")).toHaveLength(tickets.length)

  // A code of somebody else says what to set.
  scanner.rest()
  await scanner.type('https://example.org/a?b=1')
  await scanner.press('Enter')
  expect((await gate.nextVerdict(verdicts)).words).toContain('US keyboard')
})

async function giveTicket(server: TestServer): Promise<string> {
  const body = { quantity: 1, method: 'complimentary', name: 'Garima', reason: 'A test' }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const answer = await (await server.api('admin')).call('sellAtDesk', { body, headers })
  return (answer.body as { tickets: { qrCode: string }[] }).tickets[0]?.qrCode ?? ''
}

test.describe('where phones sell', () => {
  test.use({ serverOptions: { env: { PAYMENTS: 'desk' } } })

  test('a code that is scanned into a field or onto a button of another screen sells nothing, names nobody and presses nothing', async ({
    server,
    page,
  }) => {
    const code = await giveTicket(server)
    await openPaired(page, server, { rights: ['scan', 'sell'] })
    const scanner = await KeyScanner.on(page)
    const said = toastOf(page, 'That was a ticket’s code.')
    await page.getByRole('button', { name: 'Sell tickets' }).click()
    await page.getByLabel('Cash you start with (₹)').fill('500')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    const name = page.getByLabel('Name (optional)')
    await name.fill('Asha')
    for (const send of Object.values(SETTINGS)) {
      await name.focus()
      scanner.rest()
      await send(scanner, code)
      await page.clock.fastForward(1_000)
      await expect(name).toHaveValue('Asha')
    }
    await expect(said).toBeVisible()
    await page.getByRole('button', { name: 'Take tickets' }).focus()
    for (const send of Object.values(SETTINGS)) {
      scanner.rest()
      await send(scanner, code)
    }
    await expect(page.getByTestId('stock')).toHaveText('0')

    // Neither does the code of a bottle; what a person types stays, and Enter sells.
    await name.focus()
    scanner.rest()
    await scanner.type('8901030865278')
    await scanner.press('Enter')
    await expect(name).toHaveValue('Asha')
    await expect(toastOf(page, '8901030865278')).toBeVisible()
    expect(server.rows('select 1 from orders where channel = ?', 'door')).toEqual([])
    await page.clock.fastForward(1_000)
    scanner.rest()
    await scanner.type(' Patel', { delay: 130 })
    await scanner.press('Enter', { delay: 700 })
    await expect
      .poll(() => server.rows("select buyer_name as name from orders where channel = 'door'"))
      .toEqual([{ name: 'Asha Patel' }])
    // The event is on another day, so the buyer is not let in by the sale, nor anybody by the code.
    expect(server.rows("select 1 from tickets where status = 'used'")).toEqual([])
  })

  test('a code is nobody’s name: neither at the start of a shift nor at the counter', async ({ server, page }) => {
    const code = await giveTicket(server)
    const scanner = await KeyScanner.on(page)
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin/orders/sell')
    const buyer = page.getByRole('textbox', { name: 'Buyer’s name' })
    await buyer.focus()
    scanner.rest()
    await scanner.type(code)
    await scanner.press('Enter')
    await expect(toastOf(page, 'That was a ticket’s code.')).toBeVisible()
    await expect(buyer).toHaveValue('')
    expect(server.rows("select 1 from orders where provider = 'cash'")).toEqual([])
    // Pasted, it is refused by the server's rule.
    await page.getByRole('button', { name: 'Free', exact: true }).click()
    await page.getByRole('textbox', { name: /^Reason/ }).fill('A test')
    await buyer.fill(code)
    await page.getByRole('button', { name: /^Take|^Give/ }).click()
    await expect(page.getByText('This is a ticket’s code, not a name')).toBeVisible()
  })
})

test('on the desk a code finds its ticket in Find and in the search of tickets, and chooses nothing in a list', async ({
  server,
  page,
}) => {
  const [ticket] = await (await server.api('guest')).buy(3)
  const scanner = await KeyScanner.on(page)
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/tickets')
  const search = page.getByRole('searchbox')
  await search.focus()
  scanner.rest()
  await scanner.type(`]Q1${ticket.qrCode}`)
  await scanner.press('Tab')
  await expect(search).toHaveValue(ticket.id)
  await expect(search).toBeFocused()
  await expect(page.getByText('1 ticket, with cancelled ones', { exact: true })).toBeVisible()

  const status = page.getByRole('combobox', { name: /Status of ticket/ })
  await status.focus()
  // The letters begin the names of choices.
  scanner.rest()
  await scanner.type(`CU${ticket.qrCode}`)
  await scanner.press('Enter')
  await expect(toastOf(page, 'That was a ticket’s code.')).toBeVisible()
  await page.waitForTimeout(700)
  await expect(status).toHaveText('Active')
  // A person chooses by a letter as before.
  scanner.rest()
  await scanner.type('u')
  await expect(status).toHaveText('Used')

  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  scanner.rest()
  await scanner.type(ticket.qrCode)
  await scanner.press('Enter')
  await expect(page.getByRole('option', { name: new RegExp(ticket.id.slice(-8)) })).toBeVisible()
  await expect(page).toHaveURL(/dashboard\/admin\/tickets/)
})

test('at the door a code finds its ticket in Find, and the readiness check tries the scanner', async ({
  server,
  page,
}) => {
  const [ticket] = await (await server.api('guest')).buy(2)
  await Gate.open(page)
  const scanner = await KeyScanner.on(page)
  await page.getByRole('button', { name: 'Find by name or code' }).click()
  await expect(page.getByRole('textbox')).toBeFocused()
  scanner.rest()
  await scanner.type(ticket.qrCode)
  await scanner.press('Enter')
  const hits = page.getByRole('dialog').getByRole('listitem')
  await expect(hits).toHaveCount(1)
  await expect(hits).toContainText(ticket.id.slice(-8))
  expect(server.rows('select 1 from scans')).toEqual([])
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Scanner menu' }).click()
  await page.getByRole('menuitem', { name: 'Readiness check' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Hand scanner' })
  await expect(row).toHaveAttribute('data-check', 'untested')
  await row.scrollIntoViewIfNeeded()
  scanner.rest()
  await scanner.type('garba scanner self test', { delay: 70 })
  await scanner.press('Enter', { delay: 70 })
  await expect(row).toHaveAttribute('data-check', 'good')
  await expectNoViolations(page, 'readiness')
})
