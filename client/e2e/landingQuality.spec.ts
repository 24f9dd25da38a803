import { gzipSync } from 'node:zlib'
import { expect, test } from './support/fixtures.ts'
import { hero, section } from './support/landing.ts'
import { expectNoViolations } from './support/screen.ts'
import { signInButton } from './support/session.ts'

test('the first load of the landing page is at most 120 kB of script, and has neither Firebase nor zod in it', async ({
  server,
}) => {
  const html = await (await fetch(server.url)).text()
  const scripts = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path)
  expect(scripts.length).toBeGreaterThan(0)
  let total = 0
  for (const path of scripts) {
    const text = await (await fetch(new URL(path, server.url))).text()
    expect(text, path).not.toMatch(/identitytoolkit|ZodError/)
    total += gzipSync(text).length
  }
  expect(total).toBeLessThanOrEqual(120_000)
})

test.describe('axe finds nothing', () => {
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ])
    for (const path of ['/', '/privacy-policy', '/cancellation-policy', '/refund-policy', '/terms-of-service'])
      test(`on ${path} at ${viewport.width} px`, async ({ page }) => {
        await page.setViewportSize(viewport)
        await page.goto(path)
        if (path === '/') {
          await expect(section(page, 'faq')).toBeAttached()
          await section(page, 'faq').getByText('Can I cancel a ticket?').click()
        } else await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expectNoViolations(page)
      })
})

for (const language of ['gu', 'hi'])
  test(`axe finds nothing on the landing page in ${language}, which is told to the browser and fits a narrow phone`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/')
    await expect(section(page, 'faq')).toBeAttached()
    await page.getByRole('banner').getByRole('combobox').selectOption(language)
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    await expectNoViolations(page)
  })

test('a visitor can reach every link and button with the keyboard', async ({ page }) => {
  await page.goto('/')
  await expect(signInButton(page)).toBeVisible()
  await expect(section(page, 'faq')).toBeAttached()
  const all = await page.getByRole('link').or(page.getByRole('button')).or(page.locator('summary')).all()
  for (const [at, element] of all.entries())
    await element.evaluate((node, n) => node.setAttribute('data-n', `${n}`), at)
  const reached = new Set<string>()
  // Selects and the like are on the way too; past the last one Tab begins again.
  for (let presses = 0; presses < all.length + 10; presses++) {
    await page.keyboard.press('Tab')
    reached.add(await page.evaluate(() => document.activeElement?.getAttribute('data-n') ?? 'other'))
  }
  const missed = all.filter((_, at) => !reached.has(`${at}`))
  expect(await Promise.all(missed.map((element) => element.evaluate((node) => node.outerHTML)))).toEqual([])
  expect(all.length).toBeGreaterThan(10)
})

test('Skip to content comes first, and leads past the header', async ({ page }) => {
  await page.goto('/')
  await expect(signInButton(page)).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(hero(page).getByRole('button', { name: 'Book Your Tickets Now' })).toBeFocused()
})
