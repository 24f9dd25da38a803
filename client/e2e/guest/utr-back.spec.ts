import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { placed } from '../support/paying.ts'
import { restoreSession } from '../support/session.ts'

const HOME = '/dashboard/guest'

test.use({
  serverOptions: {
    paid: true,
    env: { PAYMENTS: 'upi', UPI_ID: 'garba@bank', UPI_NAME: 'Garba Rass', UPI_BANK: 'sbi' },
  },
})

/** The browser's own questions, each answered with no: stay on the page. */
function staying(page: Page): string[] {
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.dismiss()
  })
  return asked
}

test('where the bank cuts off the order’s code, Back and a closed tab wait for the UTR, and the payment app does not', async ({
  page,
  server,
}) => {
  const code = await placed(await server.api('guest'), 2, 'upi')
  await restoreSession(page, 'guest')
  await page.goto(HOME)
  await page.locator(`main a[href$="/orders/${code}"]`).click()
  const dialog = page.getByRole('dialog', { name: 'Have you paid?' })
  const app = page.getByRole('link', { name: 'Open your UPI app' })
  await expect(app).toBeVisible()
  const asked = staying(page)
  await page.goBack()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(new RegExp(code))

  await page.close({ runBeforeUnload: true })
  await expect.poll(() => asked).toEqual(['beforeunload'])
  await app.click()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  expect(asked).toEqual(['beforeunload'])

  // Who has not paid goes on, and Forward brings the page back as it was.
  await page.goBack()
  await dialog.getByRole('button', { name: 'I have not paid yet' }).click()
  await expect(page).toHaveURL(/dashboard\/guest$/)
  await page.goForward()
  await expect(app).toBeVisible()
  await page.goBack()
  await dialog.getByRole('textbox', { name: 'UTR number' }).fill('412345678901')
  await dialog.getByRole('button', { name: 'I have paid' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('We are checking your payment')).toBeVisible()
  expect(server.rows('select utr from payments')).toEqual([{ utr: '412345678901' }])
  await page.goBack()
  await expect(page).toHaveURL(/dashboard\/guest$/)
  expect(asked).toEqual(['beforeunload'])
})

test.describe('on Android', () => {
  test.use({ userAgent: 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/156.0.0.0 Mobile Safari/537.36' })

  test('Back on the first page of the app, which would close it, asks once', async ({ page, server }) => {
    const code = await placed(await server.api('guest'), 1, 'upi')
    await restoreSession(page, 'guest')
    await page.goto(`${HOME}/orders/${code}`)
    await expect(page.getByRole('link', { name: 'Open your UPI app' })).toBeVisible()
    const dialog = page.getByRole('dialog', { name: 'Have you paid?' })
    // The key that stands for the phone's Back.
    await page.keyboard.press('Escape')
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page).toHaveURL(new RegExp(code))
  })
})
