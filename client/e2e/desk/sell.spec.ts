import { BOOK_RULES } from '@garba/shared/contracts/names'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { must, UPI_AND_DESK } from '../support/deskMoney.ts'
import { changeEvent } from '../support/event.ts'
import { cutFirst } from '../support/faults.ts'
import { expect, type Page, type TestServer, test } from '../support/fixtures.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession, signOutByMenu } from '../support/session.ts'

async function openCounter(page: Page) {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/orders')
  await page.getByRole('link', { name: 'Sell' }).click()
  await expect(page.getByRole('heading', { name: 'Sell at the counter' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Tickets' })).toBeVisible()
}

const buyer = (page: Page) => page.getByRole('textbox', { name: 'Buyer’s name' })
const method = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const codes = (page: Page) => page.getByRole('dialog').getByRole('img', { name: /^QR code of ticket/ })
const sales = (server: TestServer) =>
  server.rows('select channel, provider, quantity, buyer_name as buyer, seller_name as seller from orders')

test.describe('where the desk takes money', () => {
  test.use({ serverOptions: { env: UPI_AND_DESK } })

  test('a new code keeps the row with its new number, shows the code and offers it to be taken along', async ({
    page,
    server,
  }) => {
    const { body } = await (await server.api('admin')).call('sellAtDesk', {
      body: { quantity: 1, method: 'complimentary', reason: 'Family', name: 'Ravi Walker' },
      headers: { 'Idempotency-Key': 'for-ravi' },
    })
    const [old] = body.tickets as Ticket[]
    if (!old) throw new Error('No ticket')
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin/tickets')
    const menu = (id: string) => page.getByRole('button', { name: `More about ticket ${id.slice(-8)}` })
    await menu(old._id).click()
    await page.getByRole('menuitem', { name: 'New code...' }).click()
    await page.getByRole('button', { name: 'Replace the code' }).click()
    await expect(codes(page)).toBeVisible()
    const [renewed] = server.rows<{ id: string }>("select id from tickets where status = 'active'")
    if (!renewed) throw new Error('No ticket')
    await expect(page.getByRole('dialog')).toContainText(renewed.id.slice(-8))
    await page.getByRole('button', { name: 'Take along' }).click()
    await expect(page.getByRole('dialog').getByRole('img', { name: /link/ })).toBeVisible()
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(menu(renewed.id)).toBeVisible()
    await expect(menu(old._id)).toHaveCount(0)

    await page.getByRole('searchbox').fill(old._id.slice(-8))
    await expect(page).toHaveURL(/search=/)
    await expect(menu(renewed.id)).toBeVisible()
    await menu(renewed.id).click()
    await page.getByRole('menuitem', { name: 'Show the code' }).click()
    await expect(codes(page)).toBeVisible()
    await page.getByRole('button', { name: 'Done' }).click()
    await menu(renewed.id).click()
    await page.getByRole('menuitem', { name: 'Open the order' }).click()
    await expect(page.getByRole('heading', { name: /^Order/ }).first()).toBeVisible()
  })

  test('the form cuts a name at its 80th character, shows the server’s word at its field, and promises mail only where it is on; no toast lies over the codes', async ({
    page,
  }) => {
    await openCounter(page)
    const name = 'x'.repeat(79)
    await buyer(page).fill(name)
    await buyer(page).press('End')
    await page.keyboard.insertText('આશા')
    await expect(buyer(page)).toHaveValue(`${name}આ`)

    const promise = page.getByText('The tickets are emailed there.')
    await expect(promise).toBeVisible()
    await method(page, 'Card').click()
    await buyer(page).fill('Radha')
    await page.getByRole('textbox', { name: /^Email/ }).fill('not an address')
    await page.getByRole('button', { name: /^Take/ }).click()
    await expect(page.getByText('Enter an email address such as name@example.org, or leave it empty')).toBeVisible()
    await expect(buyer(page)).toHaveValue('Radha')
    await page.getByRole('textbox', { name: /^Email/ }).fill('radha@example.org')
    await page.getByRole('button', { name: /^Take/ }).click()
    await expect(page.getByRole('heading', { name: 'Ticket', exact: true })).toBeVisible()

    await page.route('**/api/config', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...((await response.json()) as object), mail: 'off' } })
    })
    await page.clock.install()
    await page.reload()
    await expect(buyer(page)).toBeVisible()
    await expect(promise).toHaveCount(0)

    await buyer(page).fill('Hetal')
    await page.getByRole('textbox', { name: 'Cash you start with (₹)' }).fill('500')
    await page.getByRole('button', { name: 'Open cash session' }).click()
    await expect(page.getByRole('button', { name: 'Count and close' })).toBeVisible()
    // From here on less than the toast's five seconds pass.
    await page.clock.pauseAt(Date.now() + 1_000)
    let steps = 0
    const waitFor = (isThere: () => Promise<boolean>) =>
      expect
        .poll(async () => {
          if (steps++ < 240) await page.clock.runFor(20)
          return isThere()
        })
        .toBe(true)
    await page.getByRole('button', { name: 'Refresh' }).click()
    const toast = toastOf(page, 'Data refreshed successfully!')
    await waitFor(() => toast.isVisible())
    const take = page.getByRole('button', { name: 'Take ₹299 and make 1 ticket' })
    await waitFor(() => take.isEnabled())
    await take.click()
    await waitFor(() => codes(page).isVisible())
    await waitFor(async () => (await toast.count()) === 0)
  })

  test('a cash sale needs an open cash session, shows each code, and is counted at the close', async ({
    page,
    server,
  }) => {
    await openCounter(page)
    await buyer(page).fill('હેતલ વ્યાસ')
    await page.getByRole('button', { name: '4', exact: true }).click()
    await page.getByRole('textbox', { name: 'Amount given' }).fill('900')
    await expect(page.getByText('₹900, ₹96 missing')).toBeVisible()
    await page.getByRole('textbox', { name: 'Amount given' }).fill('1000')
    await expect(page.getByText('₹1,000, give back ₹4')).toBeVisible()
    const sell = page.getByRole('button', { name: 'Take ₹996 and make 4 tickets' })
    await expect(page.getByText('4 tickets at ₹249')).toBeVisible()
    await expect(page.locator('[data-testid=total]')).toHaveText('₹996')
    await expect(page.getByText('Open your cash session before you take cash.')).toBeVisible()
    await expect(sell).toBeDisabled()

    await page.getByRole('textbox', { name: 'Cash you start with (₹)' }).fill('five hundred')
    await expect(page.getByText('Enter an amount such as 500 or 499.50')).toBeVisible()
    await page.getByRole('textbox', { name: 'Cash you start with (₹)' }).fill('500')
    await page.getByRole('button', { name: 'Open cash session' }).click()
    await expect(page.getByRole('button', { name: 'Count and close' })).toBeVisible()
    await sell.click()
    await expect(page.getByRole('heading', { name: 'Ticket 1 of 4' })).toBeVisible()
    const first = await codes(page).getAttribute('aria-label')
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(page.getByRole('heading', { name: 'Ticket 2 of 4' })).toBeVisible()
    expect(await codes(page).getAttribute('aria-label')).not.toBe(first)
    await page.keyboard.press('ArrowLeft')
    await expect(page.getByRole('heading', { name: 'Ticket 1 of 4' })).toBeVisible()
    await expect(page.getByRole('dialog')).toContainText('હેતલ વ્યાસ')
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    // The fifth is the link to take the tickets along.
    await expect(page.locator('body > [data-surface=paper] article')).toHaveCount(5)
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(buyer(page)).toHaveValue('')
    expect(sales(server)).toEqual([
      { channel: 'desk', provider: 'cash', quantity: 4, buyer: 'હેતલ વ્યાસ', seller: 'Asha Admin' },
    ])

    await expect(page.getByText('₹1,496')).toBeVisible()
    await page.getByRole('button', { name: 'Count and close' }).click()
    const dialog = page.getByRole('dialog', { name: 'Close the cash session' })
    await expect(dialog).toContainText('Cash taken, 1 sale₹996Expected in the drawer₹1,496')
    await dialog.getByRole('textbox', { name: 'Counted (₹)' }).fill('1486')
    await expect(dialog).toContainText('₹10 less than expected.')
    await dialog.getByRole('textbox', { name: 'Note (optional)' }).fill('Wrong change')
    const cut = await cutFirst(page, '**/api/admin/cash-sessions/*/close')
    await dialog.getByRole('button', { name: 'Close session' }).click()
    const slip = page.getByRole('dialog', { name: 'Cash session closed' })
    await expect(slip).toContainText('Expected in the drawer₹1,496Counted₹1,486Difference−₹10NoteWrong change')
    expect(cut.met()).toBe(2)
    await slip.getByRole('button', { name: 'Done' }).click()
    await expect(slip).toHaveCount(0)
    await expect(page.getByRole('textbox', { name: 'Cash you start with (₹)' })).toBeVisible()

    await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Money' }).click()
    await expect(page.getByText('Balanced')).toHaveCount(BOOK_RULES.length)
    await expect(page.getByRole('table', { name: 'Totals by day' })).toContainText(/Desk.*Cash.*₹996/)
    await expect(page.getByRole('table', { name: 'Cash sessions' })).toContainText(
      /Asha AdminWrong change.*₹500₹996–₹1,496₹1,486−₹10/,
    )
  })

  test('a drawer that was opened or counted in another window says with how much, and is opened again where the sale is; the price is the one that was shown', async ({
    page,
    server,
  }) => {
    await openCounter(page)
    const float = page.getByRole('textbox', { name: 'Cash you start with (₹)' })
    // Before the other window opens it: this page has read that there is none.
    await expect(float).toBeVisible()
    const admin = await server.api('admin')
    const openElsewhere = async (float: number) => {
      const { body } = await admin.call('openCashSession', { body: { float } })
      return (body.session as { id: string }).id
    }
    const countElsewhere = (id: string) =>
      must(admin.call('closeCashSession', { params: { id }, body: { counted: 500 } }))
    const first = await openElsewhere(500)
    await float.fill('700')
    await page.getByRole('button', { name: 'Open cash session' }).click()
    await expect(toastOf(page, 'Your cash session was open already. It started with ₹500.')).toBeVisible()
    await page.getByRole('button', { name: 'Count and close' }).click()
    const dialog = page.getByRole('dialog', { name: 'Close the cash session' })
    await dialog.getByRole('textbox', { name: 'Counted (₹)' }).fill('490')
    await countElsewhere(first)
    const second = await openElsewhere(600)
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
    await expect(page.getByText('₹600').first()).toBeVisible()
    // The count is of the drawer that the dialog was opened for.
    await dialog.getByRole('button', { name: 'Close session' }).click()
    await expect(toastOf(page, 'It was counted before, at ₹500. That count stays.')).toBeVisible()

    await page.reload()
    await buyer(page).fill('Radha')
    await expect(page.getByRole('button', { name: 'Count and close' })).toBeVisible()
    await countElsewhere(second)
    await page.getByRole('button', { name: /^Take/ }).click()
    await expect(toastOf(page, /No cash drawer is open for you/)).toBeVisible()
    await expect(float).toBeVisible()
    await expect(buyer(page)).toHaveValue('Radha')

    await float.fill('500')
    await page.getByRole('button', { name: 'Open cash session' }).click()
    await expect(page.getByRole('button', { name: 'Count and close' })).toBeVisible()
    await changeEvent(admin, { ticketPrice: 349 })
    await page.getByRole('button', { name: 'Take ₹299 and make 1 ticket' }).click()
    await expect(toastOf(page, /The price has just changed/)).toBeVisible()
    await expect(page.getByText('1 ticket at ₹349')).toBeVisible()
    expect(sales(server)).toEqual([])
    await page.getByRole('button', { name: 'Take ₹349 and make 1 ticket' }).click()
    await expect(codes(page)).toBeVisible()
  })

  test('a sale that was made although its answer failed or was lost goes on as the same sale, also after a reload and after leaving the page; the next person sees none of it', async ({
    page,
    server,
  }) => {
    await openCounter(page)
    await method(page, 'Card').click()
    await buyer(page).fill('Radha')
    const waits = page.getByText(/1 ticket for Radha, Card/)
    const take = page.getByRole('button', { name: 'Take ₹299 and make 1 ticket' })
    const answerWithError = () =>
      page.route('**/api/admin/orders', async (route) => {
        await route.fetch()
        await route.fulfill({ status: 503, json: { success: false, code: 'UNAVAILABLE', message: 'Try again' } })
      })
    await answerWithError()
    await take.click()
    await expect(waits).toBeVisible()
    await page.unrouteAll()
    await page.reload()
    await expect(waits).toBeVisible()
    // A server that writes nothing now may have sold before.
    await page.route('**/api/admin/orders', (route) =>
      route.fulfill({ status: 503, json: { success: false, code: 'READ_ONLY', message: 'Not now' } }),
    )
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(toastOf(page, /^Failed to sell/)).toBeVisible()
    await page.unrouteAll()
    await expect(waits).toBeVisible()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(codes(page)).toHaveCount(1)
    expect(sales(server)).toHaveLength(1)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.reload()
    await expect(buyer(page)).toHaveValue('')

    await method(page, 'Card').click()
    await buyer(page).fill('Radha')
    const keys: string[] = []
    await page.route('**/api/admin/orders', async (route) => {
      keys.push(route.request().headers()['idempotency-key'] ?? '')
      await route.fetch()
      await route.abort()
    })
    await page.clock.install()
    await take.click()
    await expect.poll(() => keys.length).toBe(1)
    for (const pause of [1_000, 2_000, 4_000]) {
      const before = keys.length
      await page.clock.runFor(pause)
      await expect.poll(() => keys.length).toBe(before + 1)
    }
    await expect(page.getByText('The sale may have gone through')).toBeVisible()
    await page.getByRole('link', { name: 'All orders' }).click()
    await page.getByRole('link', { name: 'Sell' }).click()
    await expect(waits).toBeVisible()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(codes(page)).toHaveCount(1)
    expect(new Set(keys).size).toBe(1)
    expect(sales(server)).toHaveLength(2)
    await page.getByRole('button', { name: 'Done' }).click()

    await method(page, 'Card').click()
    await buyer(page).fill('Radha')
    await answerWithError()
    await take.click()
    await expect(waits).toBeVisible()
    await signOutByMenu(page)
    await expect(page).toHaveURL(/\/$/)
    expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain('garba.sale')
  })

  test('a sale by UPI waits for the bank, with a code to pay by and the way to its order', async ({ page, server }) => {
    await openCounter(page)
    await method(page, 'UPI').click()
    await buyer(page).fill('Radha')
    await page.getByRole('textbox', { name: 'UTR number (optional)' }).fill('12')
    const hold = page.getByRole('button', { name: 'Hold 1 ticket and show the UPI code' })
    await hold.click()
    await expect(page.getByText('Enter the 12-digit UTR number')).toBeVisible()
    await page.getByRole('textbox', { name: 'UTR number (optional)' }).fill('123456789012')
    await hold.click()
    const dialog = page.getByRole('dialog', { name: /^Order \w{8} waits for the bank$/ })
    await expect(dialog.getByRole('img', { name: 'UPI code to pay with' })).toBeVisible()
    expect(server.rows('select state from orders')).toEqual([{ state: 'held' }])
    expect(server.rows('select id from tickets')).toEqual([])
    await dialog.getByRole('link', { name: 'Open the order' }).click()
    await expect(page).toHaveURL(/orders\/\w{8}$/)
  })
})

test('where the desk takes no money it still gives complimentary tickets, with a reason', async ({ page, server }) => {
  await openCounter(page)
  await expect(page.getByText(/The counter takes no money here/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Cash session' })).toHaveCount(0)
  await buyer(page).fill('Meera')
  const give = page.getByRole('button', { name: 'Give 2 tickets' })
  await page.getByRole('button', { name: 'One ticket more' }).click()
  await expect(give).toBeDisabled()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Sings tonight')
  await give.click()
  await expect(page.getByRole('heading', { name: 'Ticket 1 of 2' })).toBeVisible()
  expect(server.rows('select provider, total_paise as paise, reason from orders')).toEqual([
    { provider: 'complimentary', paise: 0, reason: 'Sings tonight' },
  ])
})

test.describe('where sales by UPI count at once', () => {
  test.use({ serverOptions: { env: { ...UPI_AND_DESK, UPI_AT_DOOR: 'admit' } } })

  test('a sale without a number is proven by the credit of its own amount', async ({ page, server }) => {
    const admin = await server.api('admin')
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const { body } = await admin.call('sellAtDesk', { body: { quantity: 2, method: 'upi', name: 'Radha' }, headers })
    const { code } = body.order as { code: string }
    await restoreSession(page, 'admin')
    await page.goto(`/dashboard/admin/orders/${code}`)
    await page.getByRole('button', { name: 'Confirm payment' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm UPI payment' })
    await expect(dialog).toContainText('The number proves the sale. Its tickets stay as they are.')
    await dialog.getByRole('textbox', { name: /^Amount received/ }).fill('589')
    await dialog.getByRole('textbox', { name: /^UTR/ }).fill('412345678901')
    const save = dialog.getByRole('button', { name: 'Confirm payment' })
    await save.click()
    await expect(toastOf(page, /This sale was for ₹598\./)).toBeVisible()
    await dialog.getByRole('textbox', { name: /^Amount received/ }).fill('598')
    await save.click()
    await expect(dialog).toBeHidden()
    expect(server.rows('select amount_paise as paise, utr from payments')).toEqual([
      { paise: 59_800, utr: '412345678901' },
    ])
  })
})

test('a guest list is read line by line, refused as a whole for a wrong line, and gives its tickets once', async ({
  page,
  server,
}) => {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/orders/sell')
  const choose = (text: string) =>
    page
      .getByLabel('Guest list file')
      .setInputFiles({ name: 'sponsors.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  const dialog = page.getByRole('dialog', { name: 'sponsors.csv' })
  await choose('Name,Tickets,Email\nMeera Patel,2,meera@example.org\n,1,')
  await expect(dialog).toContainText('1 line cannot be imported.')
  await expect(dialog.getByRole('button', { name: 'Give tickets' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  for (const _ of ['first', 'again']) {
    await choose('Name,Tickets,Email\nMeera Patel,2,meera@example.org\nધ્રુવ શાહ,1,')
    await expect(dialog).toContainText('2 guests, 3 tickets')
    await expect(dialog.getByRole('table', { name: 'Guests on the list' })).toContainText('ધ્રુવ શાહ')
    await dialog.getByLabel('Reason').fill('Sponsors')
    await dialog.getByRole('button', { name: 'Give tickets' }).click()
    await expect(toastOf(page, '3 tickets given to 2 guests')).toBeVisible()
    await expect(dialog).toHaveCount(0)
  }
  expect(server.rows("select count(*) as n from orders where provider = 'complimentary'")).toEqual([{ n: 2 }])
})
