import { changeEvent } from '../support/event.ts'
import { hold } from '../support/faults.ts'
import { expect, test } from '../support/fixtures.ts'
import { buyButton, GUEST, inMenu, openDashboard, order, ticketCards, total } from '../support/guest.ts'
import { lastLink, orderUpToPayment, payUrlOf, wayBack } from '../support/paying.ts'
import { toastOf } from '../support/screen.ts'
import { expectInTime } from '../support/time.ts'

test.describe('where tickets are paid for', () => {
  test.use({ serverOptions: { paid: true } })

  const sold = 'select count(*) as n from tickets'

  test('an order is placed in a way that is still offered, at the price shown last, paid on the provider’s page, and shows its tickets and receipt on the way back', async ({
    page,
    server,
  }) => {
    const settings = '**/api/config'
    await page.route(settings, async (route) => {
      const { payments, ...config } = (await (await route.fetch()).json()) as { payments: { providers: string[] } }
      await route.fulfill({ json: { ...config, payments: { ...payments, providers: ['demo', 'upi'] } } })
    })
    await openDashboard(page)
    const dialog = await order(page, 4)
    const upi = dialog.getByRole('radio', { name: /^Pay by UPI/ })
    await upi.check()
    await page.unroute(settings)
    await dialog.getByRole('button', { name: 'Pay ₹996' }).click()
    await expect(toastOf(page, /How tickets are sold has just changed/)).toBeVisible()
    await expect(upi).toHaveCount(0)
    await changeEvent(await server.api('admin'), { groupPrice4: 279 })
    await dialog.getByRole('button', { name: 'Pay ₹996' }).click()
    const pay = dialog.getByRole('button', { name: 'Pay ₹1,116' })
    await expect(pay).toBeVisible()
    await expect(toastOf(page, /The price has just changed/)).toBeVisible()
    expect(server.rows('select count(*) as n from orders')).toEqual([{ n: 0 }])
    await pay.click()
    await expect.poll(() => page.url()).toContain(`${server.double.url}/pay/`)
    const { reference: code } = lastLink(server)
    expect(server.rows(sold)).toEqual([{ n: 0 }])
    expect(lastLink(server)).toMatchObject({ paise: 111_600, callbackUrl: `${server.url}${GUEST}/orders/${code}` })

    // It is paid in another tab as well, and that money goes back.
    server.double.setFaults({ secondPayment: 1 })
    server.double.pay(lastLink(server).id)
    await page.goto(wayBack(server))
    await expect(page.getByRole('heading', { level: 1, name: `Order ${code}` })).toBeVisible()
    await expect(page.getByText('You’re all going!')).toBeVisible()
    await expect(ticketCards(page)).toHaveCount(4)
    expect(page.url()).toBe(`${server.url}${GUEST}/orders/${code}`)
    const receipt = page.getByRole('region', { name: 'Receipt' })
    for (const text of [code, 'Garba Rass 2025', '4 × ₹279', '₹1,116', 'Demo payment', 'Paid'])
      await expect(receipt).toContainText(text)

    // Printed, it lists the ticket numbers, what went back and the net amount.
    const ids = server.rows<{ id: string }>('select id from tickets order by id').map(({ id }) => id)
    const guest = await server.api('guest')
    await guest.call('cancelTicket', { params: { id: ids[0] ?? '' }, body: { reason: 'Ill' } })
    await expect.poll(() => server.rows("select count(*) as n from refunds where state = 'done'")).toEqual([{ n: 2 }])
    await page.reload()
    await expect(receipt).toContainText('₹1,116')
    await expect(page.getByText('You’re all going!')).toHaveCount(0)
    await expect(page.getByText(`Cancelled ticket ${ids[0]?.slice(-8)}`).first()).toBeVisible()
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    const sheet = page.locator('body > div > article')
    for (const id of ids) await expect(sheet).toContainText(id.slice(-8))
    for (const text of ['Paid too much (Done)−₹1,116', '−₹239', 'Net amount₹877'])
      await expect(sheet).toContainText(text)
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))

    await page.goto(GUEST)
    await expect(total(page, 'Active')).toHaveText('3')
    await page.getByRole('link', { name: 'Your orders' }).click()
    await expect(page.getByRole('listitem')).toContainText([`Order ${code}`])
    await expect(page.getByRole('listitem')).toContainText(['Paid'])
  })

  test('a receipt is printed with one link that opens its tickets, without one where none can be made, and not at all once the page was left', async ({
    page,
    server,
  }) => {
    await orderUpToPayment(page, server, 2)
    server.double.pay(lastLink(server).id)
    await page.goto(wayBack(server))
    await expect(ticketCards(page)).toHaveCount(2)
    await page.evaluate(() => {
      const printed: number[] = []
      Object.assign(window, { printed })
      window.print = () => {
        window.dispatchEvent(new Event('beforeprint'))
        printed.push(
          document.querySelectorAll('body > div > article [aria-label="QR code of a link to the tickets"]').length,
        )
        window.dispatchEvent(new Event('afterprint'))
      }
    })
    const printed = () => page.evaluate(() => (window as unknown as { printed: number[] }).printed)
    const print = page.getByRole('button', { name: 'Print receipt' })
    const links = () => server.rows('select id from ticket_links').length
    const before = links()
    await page.route('**/api/tickets/links', (route) => route.abort())
    await print.click()
    await expect.poll(printed).toEqual([0])
    await page.unroute('**/api/tickets/links')
    await expect
      .poll(async () => {
        await print.click()
        return (await printed()).slice(-2)
      })
      .toEqual([1, 1])
    expect(links()).toBe(before + 1)

    // An ended link is not printed again.
    await (await inMenu(page, ticketCards(page).first(), 'Send to a friend')).click()
    const end = page.getByRole('button', { name: /^End the link/ })
    // The other one is the mail's.
    await expect(end).toHaveCount(2)
    await end.first().click()
    await expect(end).toHaveCount(1)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()
    await print.click()
    await expect.poll(links).toBe(before + 2)

    // A link that comes slowly finds the page left.
    await (await inMenu(page, ticketCards(page).first(), 'Send to a friend')).click()
    await expect(end).toHaveCount(2)
    await end.first().click()
    await expect(end).toHaveCount(1)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()
    const prints = (await printed()).length
    const slow = await hold(page, '**/api/tickets/links')
    await print.click()
    await expect(print).toHaveAttribute('aria-disabled', 'true')
    await page.getByRole('link', { name: 'Your orders' }).click()
    await expect(page.getByRole('heading', { name: 'Your orders' })).toBeVisible()
    expect(links()).toBe(before + 2)
    await slow.end()
    await expect.poll(links).toBe(before + 3)
    await expect(page.getByRole('heading', { name: 'Your orders' })).toBeVisible()
    expect(await printed()).toHaveLength(prints)
  })

  test('an order that waits is shown on the home and instead of a new purchase, and can be cancelled; the next one waits for its payment by itself', async ({
    page,
    server,
  }) => {
    const code = await orderUpToPayment(page, server, 2)
    await page.goto(GUEST)
    const title = 'You have an order waiting'
    await expect(page.getByText(title)).toBeVisible()
    await expect(page.getByText(`Order ${code}: 2 tickets, ₹598`)).toBeVisible()
    await expect(page.getByText('1,198 tickets remaining')).toBeVisible()
    await buyButton(page).click()
    const dialog = page.getByRole('dialog', { name: title })
    await expect(dialog).toContainText('₹598')
    await expect(dialog.getByRole('link', { name: 'Pay' })).toHaveAttribute('href', payUrlOf(server))
    await dialog.getByRole('button', { name: 'Cancel order' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel order' }).click()
    await expect(toastOf(page, 'Your order was cancelled.')).toBeVisible()
    await expect(page.getByRole('dialog', { name: 'Get Your Tickets' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByText(title)).toHaveCount(0)
    expect(server.rows('select state from orders')).toEqual([{ state: 'cancelled' }])

    await (await order(page, 1)).getByRole('button', { name: /^(Get|Pay) / }).click()
    await expect.poll(() => page.url()).toContain(`${server.double.url}/pay/`)
    await page.goto(lastLink(server).callbackUrl)
    const pay = page.getByRole('link', { name: 'Pay now' })
    await expect(pay).toHaveAttribute('href', payUrlOf(server))
    await expect(page.getByText('Waiting for payment')).toBeVisible()
    // Back from the payment page nobody is asked to pay again for two minutes, on the home page neither.
    await page.clock.install()
    await page.goto(`${lastLink(server).callbackUrl}?back=1`)
    const checking = page.getByText('Checking with your bank. Do not pay again.')
    await expect(checking).toBeVisible()
    await expect(page.getByRole('button', { name: 'Cancel order' })).toHaveCount(0)
    await page.goto(GUEST)
    await expect(checking).toBeVisible()
    await expect(page.getByRole('link', { name: /^Pay/ })).toHaveCount(0)
    await page.clock.runFor(121_000)
    await expect(checking).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Pay', exact: true })).toBeVisible()
    // The money arrives while no page is open.
    await page.goto('/')
    server.double.pay(lastLink(server).id)
    await expect.poll(() => server.rows("select 1 as n from orders where state = 'paid'")).toEqual([{ n: 1 }])
    await page.goto(GUEST)
    await expectInTime(page.getByText('You’re going!'))
    await page.reload()
    await expect(page.getByRole('article')).toBeVisible()
    await expect(page.getByText('You’re going!')).toHaveCount(0)
    // Now there is something that the browser should keep.
    expect(await page.evaluate(() => localStorage.getItem('garba.persistenceAsked'))).toBe('1')
  })

  test('a second tab finds the order that the first one has placed', async ({ page, context, server }) => {
    await openDashboard(page)
    const dialog = await order(page, 1)
    const second = await context.newPage()
    const code = await orderUpToPayment(second, server, 3)
    await dialog.getByRole('button', { name: /^(Get|Pay) / }).click()
    const waiting = page.getByRole('dialog', { name: 'You have an order waiting' })
    await expect(waiting).toContainText(code)
    await expect(waiting).toContainText('3 × ₹299')
    expect(server.rows('select quantity from orders')).toEqual([{ quantity: 3 }])
  })
})
