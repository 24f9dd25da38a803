import { expect, goOffline, goOnline, test, workerReady } from '../support/fixtures.ts'
import { openPaired } from '../support/gate.ts'
import { expectNoViolationsInBothSizes } from '../support/screen.ts'

test.use({ serviceWorkers: 'allow', serverOptions: { env: { PAYMENTS: 'desk' } } })

test('a seller takes tickets, sells them without a network, and the desk has the order when the phone is back', async ({
  server,
  page,
  context,
}) => {
  const gate = await openPaired(page, server, { rights: ['scan', 'sell'] })
  await workerReady(page)
  await page.getByRole('button', { name: 'Sell tickets' }).click()
  await page.getByLabel('Cash you start with (₹)').fill('500')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByRole('button', { name: 'Take tickets' }).click()
  await expect(page.getByTestId('stock')).toHaveText('20')

  await goOffline(context)
  await expect(page.getByText('Offline: selling the tickets kept on this phone')).toBeVisible()
  await page.getByRole('button', { name: '2', exact: true }).click()
  await page.getByLabel('Amount given (₹, optional)').fill('600')
  await expect(page.getByText('₹600, give back ₹2')).toBeVisible()
  await page.getByRole('button', { name: '4', exact: true }).click()
  await expect(page.getByText('₹600, ₹396 missing')).toBeVisible()
  await expect(page.getByTestId('total')).toHaveText('₹996')
  // The event is weeks away.
  const admit = page.getByRole('checkbox', { name: 'Let them in now' })
  await expect(admit).not.toBeChecked()
  await admit.check()
  await expectNoViolationsInBothSizes(page, 'the form')
  const size = page.viewportSize()
  await page.setViewportSize({ width: 360, height: 640 })
  await expect(page.getByRole('button', { name: 'Take ₹996, sell 4 tickets' })).toBeInViewport({ ratio: 1 })
  if (size) await page.setViewportSize(size)
  // Pressed twice at once: a second press that comes later meets the next screen.
  await page.getByRole('button', { name: 'Take ₹996, sell 4 tickets' }).evaluate((button: HTMLElement) => {
    button.click()
    button.click()
  })
  await expect(page.getByRole('heading', { name: 'Sold: 4 tickets' })).toBeFocused()
  await expect(page.getByText('4 people may go in now.')).toBeVisible()
  await expect(page.getByTestId('stock')).toHaveText('16')
  await expect(page.getByTestId('cash')).toHaveText('₹1,496')
  await expectNoViolationsInBothSizes(page, 'sold')

  await page.getByRole('button', { name: 'Next sale' }).click()
  await expect(admit).not.toBeChecked()
  await page.getByLabel('Name (optional)').fill('મીરાંબહેન')
  await page.getByRole('button', { name: 'Take ₹299, sell 1 ticket' }).click()
  await page.getByRole('button', { name: 'Show codes' }).click()
  await expect(page.getByRole('img', { name: /QR code of ticket/ })).toBeVisible()
  await expectNoViolationsInBothSizes(page, 'codes')
  await page.getByRole('button', { name: 'Done' }).click()
  // The phone starts again, still offline: nothing is lost.
  await page.reload()
  await expect(page.getByText('Not sent yet', { exact: true })).toHaveCount(2)

  await goOnline(context)
  await expect(page.getByText('Sent', { exact: true })).toHaveCount(2)
  await page.getByRole('button', { name: 'Back to the scanner' }).click()
  await gate.says('All sent')
  expect(
    server.rows(
      'select channel, quantity, total_paise as paise, buyer_name as name, seller_name as by from orders order by rowid',
    ),
  ).toEqual([
    { channel: 'door', quantity: 4, paise: 99_600, name: 'Sold at the door', by: 'Ravi' },
    { channel: 'door', quantity: 1, paise: 29_900, name: 'મીરાંબહેન', by: 'Ravi' },
  ])
  expect(server.rows('select status, count(*) as n from tickets group by status order by status')).toEqual([
    { status: 'active', n: 1 },
    { status: 'used', n: 4 },
  ])
})
