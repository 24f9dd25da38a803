import { endEvent } from '../support/event.ts'
import { cutBefore, cutFirst, EVERYTHING } from '../support/faults.ts'
import { expect, type Page, test } from '../support/fixtures.ts'
import { buyButton, GUEST, inMenu, openDashboard, order } from '../support/guest.ts'
import { lastLink, orderUpToPayment, placed } from '../support/paying.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession, signIn } from '../support/session.ts'
import { expectInTime } from '../support/time.ts'

test.describe('where tickets are paid for', () => {
  test.use({ serverOptions: { paid: true } })

  const UPI = { PAYMENTS: 'upi', UPI_ID: 'garba@bank', UPI_NAME: 'Garba Committee' }

  /** Somebody looks at the page again, which then asks at once. */
  const lookAgain = (page: Page) => page.evaluate(() => void window.dispatchEvent(new Event('visibilitychange')))

  test('a lapsed hold is shown as lapsed, takes no money, and buys again, or nothing once the event is over', async ({
    page,
    server,
  }) => {
    const code = await orderUpToPayment(page, server, 2)
    await server.stop()
    server.change('update orders set hold_until = ?', Date.now() - 1_000)
    await server.start()
    await page.goto(`/orders/${code}`)
    await expect(page.getByText(/The time to pay ran out/)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Pay now' })).toHaveCount(0)
    expect(server.double.links().map(({ status }) => status)).toEqual(['cancelled'])
    await page.getByRole('link', { name: 'Buy again' }).click()
    const dialog = page.getByRole('dialog', { name: 'Get Your Tickets' })
    await expect(dialog.getByRole('textbox', { name: 'How many tickets?' })).toHaveValue('2')

    endEvent(server)
    await page.goto(`/orders/${code}`)
    await expect(page.getByText(/The time to pay ran out/)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Buy again' })).toHaveCount(0)
  })

  test('when the payment page did not open, trying again opens it', async ({ page, server }) => {
    await openDashboard(page)
    const dialog = await order(page, 1)
    server.double.setFaults({ serverError: 1 })
    await dialog.getByRole('button', { name: /^(Get|Pay) / }).click()
    await expect(page.getByText('The payment page did not open. Try again.')).toBeVisible()
    server.double.setFaults({ serverError: 0 })
    await expect
      .poll(async () => {
        const again = page.getByRole('button', { name: 'Try Again' })
        if ((await again.count()) > 0) await again.click()
        return page.url().includes('/pay/') || (await page.getByRole('link', { name: 'Pay now' }).count()) > 0
      })
      .toBe(true)
    expect(server.rows('select state from orders')).toEqual([{ state: 'held' }])
  })

  test('a payment made while the phone is offline shows when it is back; its ticket, cancelled, shows its refund and the days to expect', async ({
    page,
    context,
    server,
  }) => {
    const code = await orderUpToPayment(page, server, 1)
    server.double.setFaults({ pendingRefund: 1 })
    await page.goto(lastLink(server).callbackUrl)
    await expect(page.getByRole('link', { name: 'Pay now' })).toBeVisible()
    await context.setOffline(true)
    server.double.pay(lastLink(server).id)
    await expect(page.getByText(/We will check again when the connection is back/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Cancel order' })).toBeDisabled()
    await context.setOffline(false)
    await expect(page.getByText('You’re going!')).toBeVisible()

    await (await inMenu(page, page.getByRole('article'), 'Cancel')).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('Away that night')
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: 'Continue Cancellation' }).click()
    await dialog.getByRole('button', { name: 'Confirm Cancellation' }).click()
    await expect(page.getByText(/Cancelled ticket \w{8}/)).toBeVisible()
    await expect(page.getByText('₹259').first()).toBeVisible()
    await expect(page.getByText('Expected within 5-7 business days, to the original payment method.')).toBeVisible()
    expect(server.rows('select code from orders')).toEqual([{ code }])
  })

  test("somebody who opens an order signed out signs in there and finds it; another account's is not shown", async ({
    page,
    server,
  }) => {
    const guest = await server.api('guest')
    const code = await placed(guest, 1)
    await page.goto(`/orders/${code}`)
    await signIn(page, 'guest')
    await expect(page.getByRole('heading', { level: 1, name: `Order ${code}` })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Pay now' })).toBeVisible()
    const other = await server.apiAs({ uid: 'kavya', email: 'kavya@example.test', name: 'Kavya Patel' })
    await page.goto(`${GUEST}/orders/${await placed(other, 1)}`)
    await expect(page.getByText('This order does not exist, or it belongs to another account.')).toBeVisible()
  })

  test.describe('with a choice between the provider and UPI', () => {
    test.use({ serverOptions: { paid: true, env: { ...UPI, PAYMENTS: 'demo,upi' } } })

    test('UPI shows whom to pay, takes the UTR number once although the network drops the first try, and waits for the organiser', async ({
      page,
      server,
    }) => {
      let utrs = 0
      await page.route('**/api/orders/*/utr', async (route) => {
        utrs += 1
        await (utrs === 1 ? route.abort() : route.continue())
      })
      await openDashboard(page)
      const dialog = await order(page, 2)
      await expect(dialog.getByRole('radio', { name: 'Pay now: tickets at once' })).toBeChecked()
      await expect(dialog).toContainText('no money moves')
      await dialog.getByRole('radio', { name: 'Pay by UPI yourself: tickets after the organiser has checked' }).check()
      await dialog.getByRole('button', { name: /^(Get|Pay) / }).click()
      await expect(page.getByRole('heading', { name: 'Pay with your UPI app' })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Open your UPI app' })).toHaveAttribute(
        'href',
        /^upi:\/\/pay\?pa=garba/,
      )
      const utr = page.getByRole('textbox', { name: 'UTR number' })
      await utr.fill('1234')
      await page.getByRole('button', { name: 'I have paid' }).click()
      await expect(page.getByText('Enter the 12-digit UTR number')).toBeVisible()
      await page.route('**/api/orders/*', async (route) => {
        const response = await route.fetch()
        const body = (await response.json()) as { order: object }
        await route.fulfill({ response, json: { ...body, order: { ...body.order, holdUntil: new Date(0) } } })
      })
      await lookAgain(page)
      await expect(page.getByText('The time to pay is over.', { exact: false })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Open your UPI app' })).toHaveCount(0)
      await expect(utr).toHaveValue('1234')
      // As keyboards in Gujarati and Hindi may write them.
      await utr.fill('૧૨૩૪ ५६७८ 9012')
      await page.getByRole('button', { name: 'I have paid' }).click()
      await expect(
        page.getByText(/We are checking your payment. Tickets appear here once the organiser confirms it/),
      ).toBeVisible()
      await expect(utr).toHaveCount(0)
      expect(utrs).toBe(2)
      expect(server.rows('select utr from payments')).toEqual([{ utr: '123456789012' }])
      const [held] = server.rows<{ code: string; paise: number }>('select code, total_paise as paise from orders')
      const admin = await server.api('admin')
      await admin.call('confirmOrder', {
        params: { code: held?.code ?? '' },
        body: { amount: (held?.paise ?? 0) / 100 },
      })
      await lookAgain(page)
      await expect(page.getByText('You’re all going!')).toBeVisible()
    })

    test('a cancellation reaches the server although the network drops the first try; an order that lapsed without a UTR says not to pay again, and whom to ask; one whose money has reached the bank can be neither paid again nor cancelled; a refund that the organiser has paid by hand is said to be paid', async ({
      page,
      server,
    }) => {
      const [guest, admin] = [await server.api('guest'), await server.api('admin')]
      const cut = await cutFirst(page, '**/api/orders/*/cancel')
      await restoreSession(page, 'guest')
      const short = await placed(guest, 2, 'upi')
      await admin.call('confirmOrder', { params: { code: short }, body: { amount: 100 } })
      await page.goto(`/orders/${short}`)
      await expect(page.getByText(/^₹100 of ₹598 has arrived/)).toBeVisible()
      await expect(page.getByText(/^23:59:\d\d$/)).toBeVisible()
      await page.getByRole('button', { name: 'Cancel order' }).click()
      await expect(page.getByRole('alertdialog')).toContainText('The ₹100 that has arrived goes back to you.')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel order' }).click()
      await expect(page.getByText('Cancelled', { exact: true })).toBeVisible()
      await expect(toastOf(page, /The order was not cancelled/)).toHaveCount(0)
      expect(cut.met()).toBe(2)

      const lapsed = await placed(guest, 2, 'upi')
      await server.stop()
      server.change('update orders set hold_until = ?', Date.now() - 1_000)
      await server.start()
      const state = () => server.rows('select state from orders where code = ?', lapsed)
      await expect.poll(state).toEqual([{ state: 'expired' }])
      await page.goto(`/orders/${lapsed}`)
      await expect(page.getByText('If you have paid, do not pay again')).toBeVisible()
      await expect(page.getByText(/^Write to \S+@\S+\.$/)).toBeVisible()
      await expect(page.getByText(/Nothing was bought/)).toHaveCount(0)
      await expect(page.getByRole('link', { name: 'I have not paid: buy again' })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Buy again', exact: true })).toHaveCount(0)

      const paid = await placed(guest, 1, 'upi')
      const credit = `Date,Narration,Credit\n08/08/2025,UPI/412345678901/${paid},299`
      const mapping = { date: 0, description: 1, amount: 2 }
      await admin.call('importStatement', { body: { csv: credit, mapping } })
      await page.goto(GUEST)
      await expect(page.getByText(/Do not pay again/)).toBeVisible()
      await expect(page.getByRole('link', { name: `Order ${paid}` })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Cancel order' })).toHaveCount(0)
      await admin.call('confirmOrder', { params: { code: paid }, body: { amount: 299 } })
      const [{ id } = { id: '' }] = server.rows<{ id: string }>('select id from tickets')
      await guest.call('cancelTicket', { params: { id }, body: { reason: 'Ill' } })
      await admin.call('refund', { params: { id }, body: { isRefundDone: true } })
      await page.goto(`/orders/${paid}`)
      await expect(page.getByText('Paid by hand')).toBeVisible()
      await expect(page.getByText(/^The organiser paid this back on \d/)).toBeVisible()
    })
  })

  test.describe('where only the desk sells', () => {
    test.use({ serverOptions: { env: { PAYMENTS: 'desk' } } })

    test('the home leads to the counter instead of a purchase', async ({ page }) => {
      await openDashboard(page)
      await expect(page.getByText('Tickets are sold at the counter.')).toBeVisible()
      await expect(buyButton(page)).toHaveCount(0)
      await expect(page.getByRole('button', { name: /^Group/ })).toBeDisabled()
    })
  })

  test('mails of an order come in the language of the app', async ({ page, server }) => {
    await openDashboard(page)
    await page.getByRole('banner').getByRole('combobox').selectOption('gu')
    await page.getByRole('button', { name: 'તમારી પહેલી ટિકિટ ખરીદો' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: 'આગળ વધો' }).click()
    await dialog.getByRole('button', { name: /ચૂકવો/ }).click()
    await expect.poll(() => server.rows('select language from orders')).toEqual([{ language: 'gu' }])
    await expect(toastOf(page, /Failed/)).toHaveCount(0)
  })

  test('where payments are only tried out, every page is marked', async ({ page }) => {
    await page.route('**/api/config', async (route) => {
      const { payments, ...config } = (await (await route.fetch()).json()) as { payments: object }
      await route.fulfill({ json: { ...config, demo: false, payments: { ...payments, test: true } } })
    })
    for (const path of ['/', '/privacy-policy']) {
      await page.goto(path)
      await expect(page.getByText('Test payments: no real money is taken.')).toBeVisible()
    }
  })
})

test('an order without payment says "No payment" instead of "Paid"; a list opened without a network comes when that is back, and shows each order once', async ({
  page,
  server,
}) => {
  const guest = await server.api('guest')
  for (let n = 0; n < 21; n++) await guest.buy(1)
  await restoreSession(page, 'guest')
  const cut = await cutBefore(page, EVERYTHING)
  await page.clock.install()
  await page.goto(`${GUEST}/orders`)
  await expectInTime(page.getByText(/Your order will appear here as soon as the connection is back/))
  await page.clock.runFor(20_000)
  await cut.end()
  const orders = page.getByRole('link', { name: /Order .*1 ticket.*No payment$/ })
  await expectInTime(orders.first())
  // Bought on another device, which moves the others down by one.
  await guest.buy(1)
  await page.getByRole('button', { name: 'Show earlier orders' }).click()
  await expect(page.getByRole('button', { name: 'Show earlier orders' })).toBeHidden()
  await expect(orders).toHaveCount(21)
  await orders.first().click()
  await expect(page.getByRole('heading', { name: /^Order / })).toBeVisible()
  await expect(page.getByText('Paid', { exact: true })).toBeHidden()
})
