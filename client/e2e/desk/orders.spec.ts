import { choose, rows } from '../support/desk.ts'
import { confirmUpi, must, orderByUpi, spoil, UPI_AND_DESK } from '../support/deskMoney.ts'
import { cutFirst } from '../support/faults.ts'
import { expect, type Page, test } from '../support/fixtures.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

const UTR = '412345678901'

async function openOrder(page: Page, code: string) {
  await restoreSession(page, 'admin')
  await page.goto(`/dashboard/admin/orders/${code}`)
  await expect(page.getByRole('heading', { name: `Order ${code}` })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'History' })).toBeVisible()
}

const happenings = (page: Page) => page.getByRole('main').locator('ol > li')

test.describe('where guests pay by UPI', () => {
  test.use({
    serverOptions: { env: UPI_AND_DESK },
  })

  test('orders are found by code, name and UTR, filtered by state, channel and payment, and exported as filtered; a failed refresh keeps the rows', async ({
    page,
    server,
  }) => {
    const { code: paid } = await orderByUpi(server, { name: 'હેતલ વ્યાસ', quantity: 2 })
    await confirmUpi(server, paid, UTR)
    const { code: held } = await orderByUpi(server, { name: 'Radha' })
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin')
    await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Orders' }).click()
    await expect(rows(page, 'Orders')).toHaveCount(2)
    await expect(rows(page, 'Orders').first()).toContainText(held)
    await expect(rows(page, 'Orders').last()).toContainText(/હેતલ વ્યાસ.*₹598.*Paid.*UPIWeb.*₹598/)

    await choose(page.getByRole('combobox', { name: 'State' }), 'Waiting')
    await expect(page).toHaveURL(/\?state=held$/)
    await expect(rows(page, 'Orders')).toHaveCount(1)
    await choose(page.getByRole('combobox', { name: 'Paid by' }), 'Cash')
    await expect(page).toHaveURL(/\?state=held&provider=cash$/)
    await expect(page.getByText('No order matches this search and these filters.')).toBeVisible()
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    await expect(page).toHaveURL(/\/orders$/)
    await expect(rows(page, 'Orders')).toHaveCount(2)

    await orderByUpi(server, { name: 'Meera' })
    await page.route('**/api/admin/orders?*', (route) =>
      route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'Broken' } }),
    )
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Failed to load orders: Server error.')
    await expect(rows(page, 'Orders')).toHaveCount(2)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(rows(page, 'Orders')).toHaveCount(3)

    await choose(page.getByRole('combobox', { name: 'Channel' }), 'Web')
    await page.getByRole('searchbox').fill(UTR)
    await expect(page).toHaveURL(new RegExp(`channel=web&search=${UTR}$`))
    await expect(rows(page, 'Orders')).toHaveCount(1)
    await page.reload()
    await expect(rows(page, 'Orders')).toHaveCount(1)
    await expect(rows(page, 'Orders')).toContainText(paid)
    const asked = Promise.withResolvers<string>()
    await page.route('**/api/admin/orders/export*', async (route) => {
      asked.resolve(new URL(route.request().url()).search)
      await route.continue()
    })
    await page.getByRole('button', { name: 'Export CSV' }).click()
    expect(await asked.promise).toBe(`?search=${UTR}&channel=web`)

    await page.getByRole('button', { name: `More about order ${paid}` }).click()
    await page.getByRole('menuitem', { name: 'Open order' }).click()
    await expect(page).toHaveURL(new RegExp(`/dashboard/admin/orders/${paid}$`))
    await expect(page.getByRole('heading', { name: `Order ${paid}` })).toBeVisible()

    await page.keyboard.press('Control+k')
    await expect(page.getByRole('dialog', { name: /^Find a view/ }).getByRole('combobox')).toBeFocused()
    await page.keyboard.type(held.toLowerCase())
    await page.getByRole('option', { name: new RegExp(`${held}, Radha`) }).click()
    await expect(page.getByRole('heading', { name: `Order ${held}` })).toBeVisible()
  })

  test('a UPI payment is confirmed against the bank statement: its tickets are made, mailed again as long as one is active, and refunded with a reason', async ({
    page,
    server,
  }) => {
    const { code } = await orderByUpi(server, { name: 'Radha', quantity: 2, utr: UTR })
    await openOrder(page, code)
    await expect(page.getByText('There are no tickets until the order is paid.')).toBeVisible()
    const again = page.getByRole('button', { name: 'Email tickets again' })
    await expect(again).toHaveCount(0)
    await page.getByRole('button', { name: 'Confirm payment' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm UPI payment' })
    await expect(dialog).toContainText(`Order ${code}, ₹598`)
    const utr = dialog.getByRole('textbox', { name: /^UTR/ })
    await expect(utr).toHaveValue(UTR)
    const save = dialog.getByRole('button', { name: 'Confirm payment' })
    await utr.fill('4123')
    await expect(dialog.getByText('Enter the 12-digit UTR number')).toBeVisible()
    await expect(save).toBeDisabled()
    await utr.fill(UTR)
    // The amount is what the bank says, so nothing stands there before.
    await expect(save).toBeDisabled()
    const amount = dialog.getByRole('textbox', { name: /^Amount received/ })
    await amount.fill('500')
    await expect(dialog).toContainText('₹98 is still missing.')
    await amount.fill('600')
    await expect(dialog).toContainText('₹2 is too much, and waits to be paid back.')
    await amount.fill('598')
    await expect(dialog).toContainText('The tickets are made at once')
    await dialog.getByRole('textbox', { name: 'Note (optional)' }).fill('Statement of 3 May')
    const cut = await cutFirst(page, '**/api/admin/orders/*/confirm')
    await save.click()
    await expect(dialog).toBeHidden()
    expect(cut.met()).toBe(2)
    await expect(page.getByText('Paid', { exact: true })).toBeVisible()
    await expect(toastOf(page, /./)).toHaveCount(0)
    await expect(page.getByRole('link', { name: /^Ticket [0-9A-Z]{8}$/ })).toHaveCount(2)
    await expect(happenings(page).first()).toContainText('Placed: 2 tickets, ₹598')
    const received = happenings(page).filter({ hasText: '₹598 received' })
    await expect(received).toContainText(`UPI · UTR ${UTR}`)
    await expect(received).toContainText('By Asha Admin · Statement of 3 May')
    await expect(happenings(page).filter({ hasText: '2 tickets made' })).toHaveCount(1)
    await expect(page.getByRole('button', { name: 'Confirm payment' })).toHaveCount(0)

    spoil(server, "update jobs set created_at = created_at - 60000, ended_at = created_at where kind = 'mail'")
    await again.click()
    await expect(toastOf(page, 'The email is on its way')).toBeVisible()
    expect(server.rows("select count(*) as mails from jobs where kind = 'mail'")).toEqual([{ mails: 2 }])

    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    const refunding = page.getByRole('dialog', { name: 'Refund tickets' })
    await expect(refunding).toContainText('2 tickets will be cancelled, and ₹598 goes back to the buyer.')
    await expect(refunding).toContainText('You pay the money back by hand')
    await refunding.getByRole('button', { name: 'Chosen tickets' }).click()
    const give = refunding.getByRole('button', { name: 'Cancel tickets and refund' })
    await refunding.getByRole('textbox', { name: 'Reason' }).fill('Two evenings on one day')
    await expect(refunding).toContainText('Choose at least one ticket.')
    await expect(give).toBeDisabled()
    await refunding.getByRole('checkbox').first().check()
    await expect(refunding).toContainText('1 ticket will be cancelled, and ₹299 goes back to the buyer.')
    await give.click()
    await expect(page.getByText('Cancelled', { exact: true })).toHaveCount(1)
    const refund = happenings(page).filter({ hasText: 'Refund of ₹299 requested' })
    await expect(refund).toContainText('Given back by the organiser · Two evenings on one day')
    await page.getByRole('button', { name: /^Mark as paid back: the refund of ticket/ }).click()
    await expect(page.getByText('Refund: ₹299, Done')).toBeVisible()
    await expect(toastOf(page, /refund/i)).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^Mark the refund/ })).toHaveCount(0)
    expect(server.rows("select status, is_refund_done as done from tickets where status = 'cancelled'")).toEqual([
      { status: 'cancelled', done: 1 },
    ])

    await expect(again).toHaveCount(1)
    await must(
      (await server.api('admin')).call('refundOrder', {
        params: { code },
        body: { all: true, reason: 'Rain' },
        headers: { 'idempotency-key': crypto.randomUUID() },
      }),
    )
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(again).toHaveCount(0)
    await page.getByRole('link', { name: 'All orders' }).click()
    await expect(rows(page, 'Orders')).toContainText('₹598₹299 + ₹299 due')
  })

  test('late money for a full house is in its order until it is marked as paid back', async ({ page, server }) => {
    spoil(server, 'update events set total_tickets = 1')
    const { code } = await orderByUpi(server, { name: 'Radha' })
    await must((await server.api('admin')).call('cancelDeskOrder', { params: { code } }))
    const { code: other } = await orderByUpi(server, { name: 'Meera' })
    await confirmUpi(server, other, UTR)
    await openOrder(page, code)
    await page.getByRole('button', { name: 'Confirm payment' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm UPI payment' })
    await dialog.getByRole('textbox', { name: /^Amount received/ }).fill('299')
    await dialog.getByRole('textbox', { name: /^UTR/ }).fill('412345678902')
    await expect(dialog).toContainText('otherwise the money waits to be paid back')
    await dialog.getByRole('button', { name: 'Confirm payment' }).click()
    await expect(page.getByRole('heading', { name: 'Needs a decision' })).toBeVisible()
    await page.getByRole('button', { name: 'Resolve: To be paid back by hand, ₹299' }).click()
    const asked = page.getByRole('dialog', { name: 'Resolve' })
    await expect(asked).toContainText('The refund then counts as paid back by hand.')
    await asked.getByRole('textbox').fill('Sent by UPI')
    await asked.getByRole('button', { name: 'Resolve' }).click()
    await expect(page.getByRole('heading', { name: 'Needs a decision' })).toHaveCount(0)
    await expect(happenings(page).filter({ hasText: '₹299 paid back by hand' })).toHaveCount(1)
  })

  test('used tickets are marked in the refund dialog, and go back only after a tick; a refund whose answer was lost is sent again as the same one', async ({
    page,
    server,
  }) => {
    const { code, buyer } = await orderByUpi(server, { name: 'Radha', quantity: 2 })
    await confirmUpi(server, code, UTR)
    const { body } = await buyer.call('myTickets')
    const [ticket] = body.tickets as { id: string }[]
    const admin = await server.api('admin')
    await must(admin.call('setTicketStatus', { params: { id: ticket?.id ?? '' }, body: { status: 'used' } }))
    await openOrder(page, code)
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Refund tickets' })
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Rain')
    const save = dialog.getByRole('button', { name: 'Cancel tickets and refund' })
    const tick = dialog.getByRole('checkbox', { name: 'Refund the used ticket too. Its holder was let in.' })
    await expect(tick).toBeVisible()
    await expect(save).toBeDisabled()
    await dialog.getByRole('button', { name: 'Chosen tickets' }).click()
    await dialog.getByRole('checkbox', { name: /, ₹299$/ }).check()
    await expect(tick).toHaveCount(0)
    await expect(save).toBeEnabled()
    await dialog.getByRole('checkbox', { name: /, ₹299, used$/ }).check()
    await expect(save).toBeDisabled()
    await tick.check()
    const keys: string[] = []
    await page.route(`**/api/admin/orders/${code}/refund`, async (route) => {
      keys.push(route.request().headers()['idempotency-key'] ?? '')
      if (keys.length === 1) await route.fetch()
      if (keys.length === 1) await route.abort()
      else await route.continue()
    })
    await save.click()
    await expect(dialog).toBeHidden()
    expect(keys.length).toBeGreaterThan(1)
    expect(new Set(keys).size).toBe(1)
    expect(server.rows('select count(*) as refunds from refunds')).toEqual([{ refunds: 2 }])
    expect(server.rows('select distinct status from tickets')).toEqual([{ status: 'cancelled' }])
  })

  test('an order whose tickets another admin makes at that moment is looked at again before all of it is refunded', async ({
    page,
    server,
  }) => {
    const { code } = await orderByUpi(server, { name: 'Radha', quantity: 2 })
    const admin = await server.api('admin')
    const confirm = (amount: number, utr: string) =>
      must(admin.call('confirmOrder', { params: { code }, body: { amount, utr } }))
    await confirm(100, UTR)
    await openOrder(page, code)
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Refund tickets' })
    await expect(dialog).toContainText('₹100 goes back to the buyer.')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Not the whole sum')
    await confirm(498, '412345678902')
    const save = dialog.getByRole('button', { name: 'Cancel tickets and refund' })
    await save.click()
    await expect(toastOf(page, /^Failed to refund: This order has changed since you opened it/)).toBeVisible()
    await expect(dialog).toContainText('2 tickets will be cancelled, and ₹598 goes back to the buyer.')
    expect(server.rows('select status, count(*) as n from tickets')).toEqual([{ status: 'active', n: 2 }])
    await save.click()
    await expect(dialog).toBeHidden()
    expect(server.rows('select status, count(*) as n from tickets')).toEqual([{ status: 'cancelled', n: 2 }])
  })

  test('an unpaid order is cancelled after a question, though the answer was lost, and its seats are on sale again; one that was paid meanwhile is not', async ({
    page,
    server,
  }) => {
    const { code } = await orderByUpi(server, { name: 'Radha', quantity: 3 })
    await openOrder(page, code)
    let sent = 0
    await page.route('**/api/admin/orders/*/cancel', async (route) => {
      sent += 1
      const response = await route.fetch()
      const { order } = (await response.json()) as { order: object }
      if (sent === 1) await route.abort()
      else if (sent === 2) await route.fulfill({ response })
      else await route.fulfill({ response, json: { success: true, order: { ...order, state: 'paid' } } })
    })
    const cancel = async () => {
      await page.getByRole('button', { name: 'Cancel order', exact: true }).click()
      const dialog = page.getByRole('alertdialog')
      const text = (await dialog.textContent()) ?? ''
      await dialog.getByRole('button', { name: 'Cancel order' }).click()
      return text
    }
    await page.getByRole('button', { name: 'Cancel order' }).click()
    const question = page.getByRole('alertdialog', { name: `Cancel order ${code}?` })
    await question.getByRole('button', { name: 'Keep order' }).click()
    await expect(question).toBeHidden()
    expect(await cancel()).not.toContain('₹')
    await expect(happenings(page).last()).toContainText('Cancelled; the seats are on sale again')
    await expect(toastOf(page, /./)).toHaveCount(0)
    await expect(page.getByText('No tickets were made for this order.')).toBeVisible()
    expect(server.rows('select state from orders')).toEqual([{ state: 'cancelled' }])
    expect(server.rows('select taken_seats as taken from events')).toEqual([{ taken: 0 }])
    await expect(page.getByRole('button', { name: 'Cancel order', exact: true })).toHaveCount(0)
    const { code: other } = await orderByUpi(server, { name: 'Meera' })
    const part = { params: { code: other }, body: { amount: 100, utr: UTR } }
    await must((await server.api('admin')).call('confirmOrder', part))
    await openOrder(page, other)
    expect(await cancel()).toContain('The ₹100 received goes back to the buyer.')
    const paid = toastOf(page, 'It was paid in the meantime, so it was not cancelled')
    await expect(paid).toHaveAttribute('data-type', 'warning')
  })

  test("a mail's link opens the order on the desk for an admin, and says to a manager and a checker who can open it", async ({
    page,
    server,
  }) => {
    const { code } = await orderByUpi(server, { name: 'Radha' })
    await must((await server.api('admin')).call('confirmOrder', { params: { code }, body: { amount: 299 } }))
    await restoreSession(page, 'admin')
    await page.goto(`/orders/${code}`)
    await expect(page.getByRole('heading', { name: `Order ${code}` })).toBeVisible()
    expect(page.url()).toBe(`${server.url}/dashboard/admin/orders/${code}`)

    // It was confirmed without a number: another amount is said to be paid back.
    await page.getByRole('button', { name: 'Confirm payment' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm UPI payment' })
    await dialog.getByRole('textbox', { name: /^UTR/ }).fill(UTR)
    await dialog.getByRole('textbox', { name: /^Amount received/ }).fill('299')
    await expect(dialog).toContainText('The number proves the sale.')
    await dialog.getByRole('textbox', { name: /^Amount received/ }).fill('100')
    await expect(dialog).toContainText('so ₹100 waits to be paid back.')
    await dialog.getByRole('button', { name: 'Confirm payment' }).click()
    await expect(dialog).toBeHidden()
    expect(server.rows("select amount_paise as paise from attention where kind = 'payBack'")).toEqual([
      { paise: 10_000 },
    ])

    for (const role of ['manager', 'checker'] as const) {
      await restoreSession(page, role)
      await page.goto('/orders/7K3F9Q2M')
      await expect(page.getByRole('heading', { name: 'This order cannot be opened here' })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/dashboard')
    }
  })
})

test('where nobody pays, sales are listed as orders without payment', async ({ page, server }) => {
  await (await server.api('guest')).buy(2)
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/orders')
  await expect(rows(page, 'Orders')).toHaveCount(1)
  await expect(rows(page, 'Orders')).toContainText(/Garima Guest.*₹598.*Issued.*No paymentWeb/)
  await rows(page, 'Orders').getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'History' })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Ticket / })).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Refund' })).toHaveCount(0)
})
