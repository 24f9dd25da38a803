import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, type TestServer, test } from '../support/fixtures.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

const PAYING = { PAYMENTS: 'upi', UPI_ID: 'garba@bank', UPI_NAME: 'Garba' }

/** As the server writes them: named by time and key. */
function writeMail({ dataDir }: TestServer, minute: number, subject: string): void {
  mkdirSync(join(dataDir, 'mail'), { recursive: true })
  const lines = [
    'From: Garba <support@garba.test>',
    'To: Meera <meera@example.org>',
    `Subject: ${subject}`,
    `Date: Mon, 1 Sep 2025 10:0${minute}:00 +0000`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=part',
    '',
    '--part',
    'Content-Type: text/plain; charset=utf-8',
    '',
    `The text of ${subject}`,
    '--part',
    'Content-Type: text/html; charset=utf-8',
    '',
    `<html><head></head><body><h1>The page of ${subject}</h1></body></html>`,
    '--part--',
  ]
  writeFileSync(join(dataDir, 'mail', `2025-09-01T10-0${minute}-00-000Z.mail.paid.${minute}.eml`), lines.join('\r\n'))
}

const openMails = async (page: Page) => {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/mails')
}

test.describe('a demo where tickets are paid for', () => {
  test.use({ serverOptions: { env: PAYING } })

  test('shows its admins the mails that guests would get, and lets them tell ticket holders of a change', async ({
    page,
    server,
  }) => {
    await openMails(page)
    await expect(page.getByRole('heading', { name: 'No emails yet' })).toBeVisible()
    writeMail(server, 1, 'Your ticket')
    writeMail(server, 2, 'Your refund')
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(page.getByRole('heading', { name: 'Your refund' })).toBeVisible()
    await page.getByRole('button', { name: /^Your ticket/ }).click()
    await expect(page.getByRole('heading', { name: 'Your ticket' })).toBeVisible()
    await page.getByRole('button', { name: 'Plain text' }).click()
    await expect(page.getByText('The text of Your ticket')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Emails', exact: true })).toBeVisible()

    await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Event' }).click()
    await page.getByRole('button', { name: 'Edit Event Details' }).click()
    await page.getByLabel('Venue', { exact: true }).fill('The hall')
    await page.getByRole('checkbox', { name: 'Tell ticket holders by email' }).click()
    await page.getByLabel('Your message to them').fill('It will rain.')
    await page.reload()
    await expect(page.getByText('Your unsaved changes were restored.')).toBeVisible()
    await expect(page.getByLabel('Your message to them')).toHaveValue('It will rain.')
    const save = async () => {
      await page.getByRole('button', { name: 'Save Changes' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
    }
    // The server fails after its commit, so the admin opens the page again, looks for the fault in the message, and saves
    // the same once more: nobody gets the mail twice.
    await page.route('**/api/event', async (route) => {
      if (route.request().method() === 'GET') return route.continue()
      await route.fetch()
      const body = JSON.stringify({ success: false, code: 'UNAVAILABLE', message: 'Try again' })
      await route.fulfill({ status: 503, contentType: 'application/json', body })
    })
    await save()
    await expect(toastOf(page, /Failed to update event/)).toBeVisible()
    await page.unrouteAll()
    await page.reload()
    await expect(page.getByLabel('Your message to them')).toHaveValue('It will rain.')
    await page.getByLabel('Your message to them').fill('It will rain')
    await page.getByLabel('Your message to them').fill('It will rain.')
    await save()
    await expect(toastOf(page, 'Event updated successfully!')).toBeVisible()
    const mails = server.rows<{ payload: string }>("select payload from jobs where kind = 'announce'")
    expect(mails.map(({ payload }) => JSON.parse(payload))).toMatchObject([{ words: 'It will rain.' }])
  })
})

test('a demo without payments has nobody to tell, and no mails but sign-in links', async ({ page }) => {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/event')
  await page.getByRole('button', { name: 'Edit Event Details' }).click()
  await expect(page.getByRole('button', { name: 'Save Changes' })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Tell ticket holders by email' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Emails', exact: true })).toBeVisible()
})
