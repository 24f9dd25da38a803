import { PAGE_COOKIES } from '@garba/shared/contracts/pageData'
import { formatRupees } from '@garba/shared/rules/money'
import { changeEvent, eventOf } from './support/event.ts'
import { expect, type Page, test } from './support/fixtures.ts'
import { hero } from './support/landing.ts'

/** What React and the page write about a rendering that does not fit. */
function complaints(page: Page): string[] {
  const found: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') found.push(message.text())
  })
  page.on('pageerror', (error) => found.push(error.message))
  return found
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the landing page shows the event, its price, and what buying needs', async ({ page, server }) => {
    const event = await eventOf(server)
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(event.name)
    await expect(hero(page)).toContainText(event.venue)
    await expect(hero(page)).toContainText(formatRupees(event.ticketPrice))
    await expect(page.getByText('Buying tickets needs JavaScript.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Book Your Tickets Now' })).toBeHidden()
    await expect(page.getByRole('button', { name: 'Skip intro' })).toBeHidden()
    await page.getByRole('link', { name: 'Refund Policy' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Refund Policy')
    await expect(page.getByText('UPI and wallets: 2-3 business days.')).toBeVisible()
  })

  test('the reader’s language is the one kept in the cookie', async ({ page, context, server }) => {
    await context.addCookies([{ name: PAGE_COOKIES.language, value: 'gu', url: server.url }])
    await page.goto('/')
    await expect(page.locator('html')).toHaveAttribute('lang', 'gu')
    await expect(hero(page)).toContainText('નવરાત્રિ પહેલાંની ભવ્ય ઉજવણી')
  })
})

for (const path of ['/', '/terms-of-service'])
  test(`the app takes ${path} over as the server rendered it`, async ({ page }) => {
    const found = complaints(page)
    await page.goto(path)
    await page.evaluate(() => {
      const heading = document.querySelector('h1')
      heading?.setAttribute('data-rendered', 'by the server')
    })
    await page.getByRole('combobox', { name: 'Language' }).selectOption('hi')
    await expect(page.locator('html')).toHaveAttribute('lang', 'hi')
    await expect(page.locator('h1')).toHaveAttribute('data-rendered', 'by the server')
    expect(found).toEqual([])
  })

test('an English page fetches no Gujarati or Devanagari letters of its own', async ({ page, server }) => {
  // The demo's event brings a line in Gujarati.
  await changeEvent(await server.api('admin'), { aboutText: null })
  const fonts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.push(request.url())
  })
  await page.goto('/')
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  await page.evaluate(() => document.fonts.ready)
  expect(fonts.length).toBeGreaterThan(0)
  expect(fonts.filter((url) => /gujarati|devanagari/.test(url))).toEqual([])
})

test('the lazy parts of the page do not change how the header looks', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const width = async () => (await page.getByRole('banner').getByRole('button').last().boundingBox())?.width
  await page.goto('/')
  const before = await width()
  await page.getByRole('contentinfo').waitFor()
  await page.getByRole('button', { name: 'Book Your Tickets Now' }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await width()).toBe(before)
})

test('a change of the event is in the next page, and its words cannot break out of it', async ({ request, server }) => {
  const evil = '</script><script>alert(1)</script><!--'
  await changeEvent(await server.api('admin'), { name: 'Raas under lamps', description: evil })
  const page = await (await request.get('/')).text()
  expect(page).toContain('>Raas under lamps</h1>')
  expect(page).not.toContain('<script>alert(1)')
  // The module, the structured data and the page's own data.
  expect(page.match(/<script/g)).toHaveLength(3)
})

test('the page that an app starts from offline shows no event of the day it was kept', async ({ request, server }) => {
  const event = await eventOf(server)
  const bare = await (await request.get('/index.html')).text()
  expect(bare).toContain('<div id="root"></div>')
  expect(bare).not.toContain(event.venue)
})
