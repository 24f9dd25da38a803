import { expect, test } from '../support/fixtures.ts'
import { restoreSession } from '../support/session.ts'

test.use({
  serverOptions: { env: { PAYMENTS: 'upi,desk', UPI_ID: 'garba@bank', UPI_NAME: 'Garba' } },
})

test('the mail of a demo order is read on the desk, with its codes, in a frame that runs nothing', async ({
  page,
  server,
}) => {
  const admin = await server.api('admin')
  await admin.call('openCashSession', { body: { float: 0 } })
  const { status, body } = await admin.call('sellAtDesk', {
    body: { quantity: 2, method: 'cash', name: 'મીરાં <b>પટેલ</b>', email: 'meera@example.org' },
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  expect(status).toBe(201)
  const ids = (body.tickets as { id: string }[]).map(({ id }) => id.slice(-8))

  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/mails')
  // The mail is written after the sale was answered.
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(page.getByRole('heading', { name: 'Your 2 tickets for Garba Rass 2025' })).toBeVisible()
  }).toPass()
  const mail = page.frameLocator('iframe')
  await expect(mail.getByText('મીરાં <b>પટેલ</b>', { exact: true })).toHaveCount(2)
  for (const id of ids) {
    const code = mail.getByRole('img', { name: `QR code of ticket ${id}` })
    await expect.poll(() => code.evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBe(360)
  }
  // The frame's own policy, and the styles of the mail under the page's.
  expect(await page.locator('iframe').getAttribute('sandbox')).not.toContain('allow-scripts')
  await expect(mail.getByRole('link', { name: 'Open My Tickets' })).toHaveCSS('background-color', 'rgb(194, 24, 60)')
  for (const width of [360, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
})
