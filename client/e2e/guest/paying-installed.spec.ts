import { HOMES } from '@garba/shared/contracts/site/pages'
import { expect, goOffline, goOnline, test, workerReady } from '../support/fixtures.ts'
import { GUEST, openDashboard, order, ticketCards } from '../support/guest.ts'
import { linkOf, placed } from '../support/paying.ts'
import { asInstalledApp } from '../support/pwa.ts'
import { expectNoViolations } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

test.use({ serverOptions: { paid: true } })

test('a payment fails, is tried again and succeeds, and the installed app is never left for good', async ({ page }) => {
  await asInstalledApp(page)
  await openDashboard(page)
  const dialog = await order(page, 4)
  await dialog.getByRole('button', { name: /^(Get|Pay) / }).click()
  await page.getByRole('button', { name: 'Failure' }).click()
  await expect(page.getByRole('status')).toContainText('The payment failed')
  await page.getByRole('button', { name: 'Success' }).click()
  await expect(page.getByText('You’re all going!')).toBeVisible()
  await expect(ticketCards(page)).toHaveCount(4)
  const { pathname, search } = new URL(page.url())
  expect(pathname.startsWith(`${HOMES.guest}/orders/`)).toBe(true)
  expect(search).toBe('')
  await expect(page.getByRole('region', { name: 'Receipt' })).toContainText('₹996')
  await expectNoViolations(page, 'a paid order')

  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  await expect(page.getByRole('article').getByText('guest@garba.test')).toBeVisible()
  await expect(page.getByRole('banner')).toBeHidden()
})

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('the tab is closed and opened again, goes offline in the middle, and shows what was paid meanwhile', async ({
    page,
    context,
    server,
  }) => {
    const code = await placed(await server.api('guest'), 1)
    await restoreSession(page, 'guest')
    await page.goto(GUEST)
    await workerReady(page)
    await page.getByRole('link', { name: 'Pay', exact: true }).click()
    await page.getByRole('button', { name: 'Success' }).waitFor()
    await page.close()

    const again = await context.newPage()
    await again.goto(GUEST)
    await expect(again.getByText('You have an order waiting')).toBeVisible()
    await expectNoViolations(again, 'an order waiting at home')
    await again.getByRole('link', { name: 'Pay', exact: true }).click()
    await again.getByRole('link', { name: 'Close' }).click()
    await expect(again.getByRole('link', { name: 'Pay now' })).toBeVisible()
    await expectNoViolations(again, 'an order to pay')

    await goOffline(context)
    await again.goto(`/orders/${code}`)
    await expect(again.getByText('You are offline. Your order will appear here')).toBeVisible()
    server.double.pay(linkOf(server, code).id)
    await goOnline(context)
    await expect(again.getByText('1 × ₹299')).toBeVisible()
    await expect(ticketCards(again)).toHaveCount(1)
  })
})
