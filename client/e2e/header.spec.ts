import { expect, test } from './support/fixtures.ts'
import { section } from './support/guestPage.ts'

test('the header shrinks after 100 px, shows Book when the hero has scrolled away, and its title leads to the top or home', async ({
  page,
}) => {
  await page.goto('/')
  await expect(section(page, 'faq')).toBeAttached()
  const header = page.getByRole('banner')
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
