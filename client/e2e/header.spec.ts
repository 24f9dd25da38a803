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

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the way in stays at hand below the hero', async ({ page }) => {
    await page.goto('/')
    await section(page, 'faq').scrollIntoViewIfNeeded()
    const book = page.getByRole('button', { name: 'Book Tickets' })
    await expect(book).toBeVisible()
    await page.evaluate(() => window.scrollTo(0, 0))
    await expect(book).toBeHidden()
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

  test('a policy stays English and says so to the browser', async ({ page }) => {
    await page.goto('/')
    await choose(page, 'hi')
    await expect(page.locator('html')).toHaveAttribute('lang', 'hi')
    await page.goto('/refund-policy')
    await expect(page.locator('[lang="en"]', { has: page.getByRole('heading', { level: 1 }) })).toContainText(
      'Refund Policy',
    )
  })
})
