import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { GUEST } from '../support/guest.ts'
import { restoreSession } from '../support/session.ts'

/** The server no longer has these files for so many requests, as after an update. */
async function lose(page: Page, file: RegExp, times: number): Promise<() => number> {
  let lost = 0
  await page.route(file, (route) => {
    if (lost >= times) return route.continue()
    lost += 1
    return route.fulfill({ status: 404, body: 'Not found' })
  })
  return () => lost
}

const dialog = (page: Page) => page.getByRole('dialog')

test('Book pressed in a tab from before an update keeps its press and its number, also when a second file is missing soon after', async ({
  page,
}) => {
  await restoreSession(page, 'guest')
  const losses = await lose(page, /PurchaseDialog[^/]*\.js/, 2)
  await page.goto('/')
  const more = page.getByRole('button', { name: 'One ticket more' }).first()
  await more.click()
  await more.click()
  await page.getByRole('button', { name: /^Book/ }).first().click()
  await expect(dialog(page)).toContainText('₹897')
  expect(losses()).toBe(2)
  await expect(page).toHaveURL(new RegExp(`${GUEST}$`))
  // The press is answered: another reload opens nothing.
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
})

test('a dashboard that cannot be fetched at first opens with the number chosen on the landing page', async ({
  page,
}) => {
  await restoreSession(page, 'guest')
  await page.goto('/')
  const more = page.getByRole('button', { name: 'One ticket more' }).first()
  await more.click()
  await more.click()
  const losses = await lose(page, /GuestDashboard[^/]*\.js/, 1)
  await page.getByRole('button', { name: /^Book/ }).first().click()
  await expect(dialog(page)).toContainText('₹897')
  expect(losses()).toBeLessThanOrEqual(1)
})
