import { expect, type Page, test } from './support/fixtures.ts'
import { hero, section } from './support/landing.ts'

test('the header shrinks after 100 px, and its title leads to the top or home', async ({ page }) => {
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
  await page.goto('/terms-of-service')
  await header.getByRole('link', { name: 'Garba Rass 2025' }).click()
  await expect(page).toHaveURL(/\/$/)
})

const book = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Book Tickets' })

test('the way in stands in the header, signs in first, and is gone where it leads', async ({ page }) => {
  await page.goto('/refund-policy')
  await book(page).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Garima Guest/ })
    .click()
  await expect(page).toHaveURL(/\/dashboard\/guest$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(book(page)).toHaveCount(0)
  await page.goto('/')
  await book(page).click()
  await expect(page).toHaveURL(/\/dashboard\/guest$/)
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
      for (const scrolled of [0, 600]) {
        await page.evaluate((to) => window.scrollTo(0, to), scrolled)
        const inside = header.getByRole('button').or(header.getByRole('link')).or(header.locator('label'))
        await expect(inside).toHaveCount(4)
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

test.describe('languages', () => {
  const choose = (page: Page, language: string) => page.getByRole('combobox').selectOption(language)

  test('the chosen language is spoken at once, told to the browser, and remembered', async ({ page }) => {
    await page.goto('/')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await choose(page, 'gu')
    await expect(hero(page)).toContainText('નવરાત્રિ પહેલાંની ભવ્ય ઉજવણી')
    await expect(section(page, 'faq')).toContainText('સવાલ અને જવાબ')
    await expect(page.locator('html')).toHaveAttribute('lang', 'gu')
    await page.reload()
    await expect(hero(page).getByRole('button', { name: 'હમણાં જ ટિકિટ બુક કરો' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'gu')
    await choose(page, 'en')
    await expect(hero(page).getByRole('button', { name: 'Book Your Tickets Now' })).toBeVisible()
  })

  test('only the words of the chosen language are fetched', async ({ page }) => {
    const fetched: string[] = []
    page.on('request', (request) => {
      const name = /\/assets\/(gu|hi)-/.exec(request.url())?.[1]
      if (name) fetched.push(name)
    })
    await page.goto('/')
    await expect(section(page, 'faq')).toBeAttached()
    expect(fetched).toEqual([])
    await choose(page, 'hi')
    await expect(hero(page)).toContainText('नवरात्रि से पहले का भव्य उत्सव')
    expect(new Set(fetched)).toEqual(new Set(['hi']))
  })
})
