import { expect, type Page, test } from '../support/fixtures.ts'
import { hero, section } from '../support/guest.ts'
import { recordRequests } from '../support/network.ts'
import { accountMenu, enterAs } from '../support/session.ts'

const book = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Book Tickets' })

test('the header links to the dashboard, signs in first, and hides the link on the dashboard itself', async ({
  page,
}) => {
  await page.goto('/refund-policy')
  await book(page).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Garima Guest/ })
    .click()
  await expect(page).toHaveURL(/\/dashboard\/guest$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(book(page)).toHaveCount(0)
  await page.goto('/refund-policy')
  await expect(accountMenu(page)).toBeVisible()
  await book(page).click()
  await expect(page).toHaveURL(/\/dashboard\/guest$/)
})

test('the desk is in English, dialogs included, and its header offers no other language', async ({ page }) => {
  await enterAs(page, 'admin')
  await page.goto('/privacy-policy')
  await expect(accountMenu(page)).toBeVisible()
  await page.getByRole('banner').getByRole('combobox').selectOption('gu')
  await expect(page.locator('html')).toHaveAttribute('lang', 'gu')
  await page.goto('/dashboard/admin/devices')
  await page.getByRole('button', { name: 'Add a device' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'gu')
  await expect(page.getByRole('dialog')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('banner').getByRole('combobox')).toHaveCount(0)
  await page.goto('/privacy-policy')
  await expect(page.getByRole('banner').getByRole('combobox')).toBeVisible()
})

test('only the words of the chosen language are fetched; it applies at once, is set on the document, and is remembered', async ({
  page,
}) => {
  const choose = (language: string) => page.getByRole('combobox').selectOption(language)
  const requests = recordRequests(page)
  const fetched = () => requests.flatMap((url) => /\/assets\/(gu|hi)-/.exec(url)?.[1] ?? [])
  await page.goto('/')
  await expect(section(page, 'faq')).toBeAttached()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  expect(fetched()).toEqual([])
  await choose('gu')
  await expect(hero(page)).toContainText('નવરાત્રિ પહેલાંની ભવ્ય ઉજવણી')
  await expect(section(page, 'faq')).toContainText('સવાલ અને જવાબ')
  await expect(page.locator('html')).toHaveAttribute('lang', 'gu')
  expect(new Set(fetched())).toEqual(new Set(['gu']))
  await page.reload()
  await expect(hero(page).getByRole('button', { name: 'હમણાં જ ટિકિટ બુક કરો' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'gu')
  await choose('hi')
  await expect(hero(page)).toContainText('नवरात्रि से पहले का भव्य उत्सव')
  await choose('en')
  await expect(hero(page).getByRole('button', { name: 'Book Your Tickets Now' })).toBeVisible()
})

test('the hero has the only way in while it is in sight; the header shrinks after 100 px, shows Book when the hero has scrolled away, and its title leads to the top or home', async ({
  page,
}) => {
  await page.goto('/')
  await expect(section(page, 'faq')).toBeAttached()
  const header = page.getByRole('banner')
  await expect(hero(page).getByRole('button', { name: 'Book Your Tickets Now' })).toBeVisible()
  await expect(header.getByText('Book Tickets')).toBeHidden()
  const height = async () => (await header.boundingBox())?.height ?? 0
  const tall = await height()
  await page.evaluate(() => window.scrollTo(0, 100))
  await expect(header).not.toHaveAttribute('data-small')
  await page.evaluate(() => window.scrollTo(0, 101))
  await expect(header).toHaveAttribute('data-small')
  await expect.poll(height).toBeLessThan(tall)
  await header.getByRole('link', { name: 'Garba Rass 2025' }).click()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
  const book = header.getByRole('button', { name: 'Book Tickets' })
  const account = header.getByRole('button', { name: 'Sign In with Google' })
  await expect(book).toHaveCount(0)
  const before = await account.boundingBox()
  await page.evaluate(() => document.getElementById('about')?.scrollIntoView({ behavior: 'instant' }))
  await expect(book).toBeVisible()
  const after = await account.boundingBox()
  expect([after?.x, after?.width]).toEqual([before?.x, before?.width])
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
  await expect(book).toHaveCount(0)
  await page.goto('/terms-of-service')
  await header.getByRole('link', { name: 'Garba Rass 2025' }).click()
  await expect(page).toHaveURL(/\/$/)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('title, language, way in and account have room in every language, at the top and below', async ({ page }) => {
    await page.goto('/')
    await expect(section(page, 'faq')).toBeAttached()
    const header = page.getByRole('banner')
    for (const language of ['en', 'gu', 'hi']) {
      await header.getByRole('combobox').selectOption(language)
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      for (const scrolled of [0, 800]) {
        await page.evaluate((to) => window.scrollTo(0, to), scrolled)
        const inside = header.getByRole('button').or(header.getByRole('link')).or(header.locator('label'))
        // At the top the hero's own action is in sight.
        await expect(inside).toHaveCount(scrolled === 0 ? 3 : 4)
        const boxes = await Promise.all((await inside.all()).map((one) => one.boundingBox()))
        for (const box of boxes) {
          expect(box?.x).toBeGreaterThanOrEqual(0)
          expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360)
          expect(box?.height).toBeGreaterThanOrEqual(43.9)
        }
        const [first, ...others] = boxes.toSorted((a, b) => (a?.x ?? 0) - (b?.x ?? 0))
        others.reduce((left, right) => {
          expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual(right?.x ?? 0)
          return right
        }, first)
      }
    }
  })
})
