import { describe } from 'vitest'
import { changeEvent } from '../e2e/support/event.ts'
import { expect, test } from './support/fixtures.ts'
import { GUEST, inMenu, openDashboard, order, ticketCards, total } from './support/guest.ts'
import { lastLink, orderUpToPayment, payUrlOf, wayBack } from './support/paying.ts'
import { toastOf } from './support/screen.ts'

describe('where tickets are paid for', () => {
  test.override({ serverOptions: { paid: true } })

  const sold = 'select count(*) as n from tickets'

  test('an order is placed, paid on the provider’s page, and shows its tickets and receipt on the way back', async ({
    page,
    server,
  }) => {
    const code = await orderUpToPayment(page, server, 4)
    expect(server.rows(sold)).toEqual([{ n: 0 }])
    expect(lastLink(server)).toMatchObject({ paise: 99_600, callbackUrl: `${server.url}${GUEST}/orders/${code}` })

    server.double.pay(lastLink(server).id)
    await page.goto(wayBack(server))
    await expect(page.getByRole('heading', { level: 1, name: `Order ${code}` })).toBeVisible()
    await expect(page.getByText('You’re all going!')).toBeVisible()
    await expect(ticketCards(page)).toHaveCount(4)
    expect(page.url()).toBe(`${server.url}${GUEST}/orders/${code}`)
    const receipt = page.getByRole('region', { name: 'Receipt' })
    for (const text of [code, 'Garba Rass 2025', '4 × ₹249', '₹996', 'Demo payment', 'Paid'])
      await expect(receipt).toContainText(text)

    await page.reload()
    await expect(receipt).toContainText('₹996')
    await expect(page.getByText('You’re all going!')).toHaveCount(0)
    await page.goto(GUEST)
    await expect(total(page, 'Active')).toHaveText('4')
    await page.getByRole('link', { name: 'Your orders' }).click()
    await expect(page.getByRole('listitem')).toContainText([`Order ${code}`])
    await expect(page.getByRole('listitem')).toContainText(['Paid'])
  })

  test('a price that has changed since it was shown is shown before it is paid', async ({ page, server }) => {
    await openDashboard(page)
    const dialog = await order(page, 4)
    await expect(dialog.getByRole('button', { name: 'Pay ₹996' })).toBeVisible()
    await changeEvent(await server.api('admin'), { groupPrice4: 279 })
    await dialog.getByRole('button', { name: 'Pay ₹996' }).click()
    const pay = dialog.getByRole('button', { name: 'Pay ₹1,116' })
    await expect(pay).toBeVisible()
    await expect(toastOf(page, /The price has just changed/)).toBeVisible()
    expect(server.rows('select count(*) as n from orders')).toEqual([{ n: 0 }])
    await pay.click()
    await expect.poll(() => page.url()).toContain(`${server.double.url}/pay/`)
    expect(lastLink(server)).toMatchObject({ paise: 111_600 })
  })

  test('back from the payment page there is nothing to pay for 30 seconds, while the payment is looked for', async ({
    page,
    server,
  }) => {
    const code = await orderUpToPayment(page, server, 2)
    page.clock.install()
    await page.goto(`${GUEST}/orders/${code}?back=1`)
    const pay = page.getByRole('link', { name: /^Pay / }).or(page.getByRole('button', { name: /^Pay / }))
    await expect(page.getByText('Checking your payment')).toBeVisible()
    await page.clock.runFor(29_000)
    await expect(pay).toHaveCount(0)
    await page.clock.runFor(2_000)
    await expect(pay).toBeVisible()
    await expect(page.getByText('Checking your payment')).toHaveCount(0)
  })

  test('the printed receipt lists the ticket numbers, what went back and the net amount', async ({ page, server }) => {
    await orderUpToPayment(page, server, 4)
    server.double.pay(lastLink(server).id)
    await page.goto(wayBack(server))
    await expect(ticketCards(page)).toHaveCount(4)
    const ids = server.rows<{ id: string }>('select id from tickets order by id').map(({ id }) => id)
    const guest = await server.api('guest')
    await guest.call('cancelTicket', { params: { id: ids[0] ?? '' }, body: { reason: 'Ill' } })
    await expect.poll(() => server.rows("select count(*) as n from refunds where state = 'done'")).toEqual([{ n: 1 }])
    await page.reload()
    await expect(page.getByText(`Cancelled ticket ${ids[0]?.slice(-8)}`).first()).toBeVisible()
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    const sheet = page.locator('body > div > article')
    for (const id of ids) await expect(sheet).toContainText(id.slice(-8))
    for (const text of ['₹996', '−₹209', 'Net amount₹787']) await expect(sheet).toContainText(text)
  })

  test('a receipt is printed with one link that opens its tickets, and without one where none can be made', async ({
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
  })

  test('a receipt whose link comes slowly is not printed once the page was left', async ({ page, server }) => {
    await orderUpToPayment(page, server, 1)
    server.double.pay(lastLink(server).id)
    await page.goto(wayBack(server))
    await expect(ticketCards(page)).toHaveCount(1)
    await page.evaluate(() => {
      Object.assign(window, { printed: 0 })
      window.print = () => Object.assign(window, { printed: 1 })
    })
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/tickets/links', async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('button', { name: 'Print receipt' }).click()
    await expect(page.getByRole('button', { name: 'Print receipt' })).toHaveAttribute('aria-disabled', 'true')
    await page.getByRole('link', { name: 'Your orders' }).click()
    await expect(page.getByRole('heading', { name: 'Your orders' })).toBeVisible()
    const before = server.rows('select id from ticket_links').length
    answer()
    await expect.poll(() => server.rows('select id from ticket_links').length).toBe(before + 1)
    await expect(page.getByRole('heading', { name: 'Your orders' })).toBeVisible()
    expect(await page.evaluate(() => (window as unknown as { printed: number }).printed)).toBe(0)
  })

  test('the page waits for a payment that comes later, and then lights the lamp by itself', async ({
    page,
    server,
  }) => {
    await orderUpToPayment(page, server, 1)
    await page.goto(lastLink(server).callbackUrl)
    await expect(page.getByRole('link', { name: 'Pay now' })).toHaveAttribute('href', payUrlOf(server))
    await expect(page.getByText('Waiting for payment')).toBeVisible()
    server.double.pay(lastLink(server).id)
    await expect(page.getByText('You’re going!')).toBeVisible()
    // Now there is something that the browser should keep.
    expect(await page.evaluate(() => localStorage.getItem('garba.persistenceAsked'))).toBe('1')
  })

  test('an order that waits is shown on the home and instead of a new purchase, and can be cancelled', async ({
    page,
    server,
  }) => {
    const code = await orderUpToPayment(page, server, 2)
    await page.goto(GUEST)
    const title = 'You have an order waiting'
    await expect(page.getByText(title)).toBeVisible()
    await expect(page.getByText(`Order ${code}: 2 tickets, ₹598`)).toBeVisible()
    await expect(page.getByText('1,198 tickets remaining')).toBeVisible()
    await page.getByRole('button', { name: 'Buy Tickets' }).click()
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
  })

  test('a second tab finds the order that the first one has placed', async ({ page, context, server }) => {
    await openDashboard(page)
    const dialog = await order(page, 1)
    const second = context.newPage()
    const code = await orderUpToPayment(second, server, 3)
    await dialog.getByRole('button', { name: /^(Get|Pay) / }).click()
    const waiting = page.getByRole('dialog', { name: 'You have an order waiting' })
    await expect(waiting).toContainText(code)
    await expect(waiting).toContainText('3 × ₹299')
    expect(server.rows('select quantity from orders')).toEqual([{ quantity: 3 }])
  })
})
