import { facts } from '../../src/site/policies/texts/hi.ts'
import { expect, type Page, test } from '../support/fixtures.ts'
import { hero, section } from '../support/guest.ts'
import { expectNoViolationsInBothSizes, follow, violations } from '../support/screen.ts'
import { signInButton } from '../support/session.ts'

const chooseLanguage = async (page: Page, language: string) => {
  await page.getByRole('banner').getByRole('combobox').selectOption(language)
  await expect(page.locator('html')).toHaveAttribute('lang', language)
}

test('axe finds nothing on the landing page, in any language, and it fits a narrow phone', async ({ page }) => {
  await page.goto('/')
  await expect(section(page, 'faq')).toBeAttached()
  await section(page, 'faq').getByText('Can I cancel a ticket?').click()
  await expectNoViolationsInBothSizes(page, '/')
  await page.setViewportSize({ width: 360, height: 740 })
  for (const language of ['gu', 'hi']) {
    await chooseLanguage(page, language)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    // Their colours are those of the English page.
    expect(await violations(page, { contrast: false }), language).toEqual([])
  }
})

test('axe finds nothing on the policy pages, in another language too', async ({ page }) => {
  await page.goto('/')
  await expect(section(page, 'faq')).toBeAttached()
  for (const [path, title] of [
    ['/privacy-policy', 'Privacy Policy'],
    ['/cancellation-policy', 'Cancellation Policy'],
    ['/refund-policy', 'Refund Policy'],
    ['/terms-of-service', 'Terms of Service'],
  ] as const) {
    await follow(page, path)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expectNoViolationsInBothSizes(page, path)
  }
  await chooseLanguage(page, 'hi')
  await expect(page.getByRole('article')).toContainText(facts.children)
  expect(await violations(page, { contrast: false }), 'hi').toEqual([])
})

test('with the keyboard Skip to content comes first and leads past the header, and every link and button is reached', async ({
  page,
}) => {
  await page.goto('/')
  await expect(signInButton(page)).toBeVisible()
  await expect(section(page, 'faq')).toBeAttached()
  const buttons = page.getByRole('button', { disabled: false })
  const all = await page.getByRole('link').or(buttons).or(page.locator('summary')).all()
  for (const [at, element] of all.entries())
    await element.evaluate((node, n) => node.setAttribute('data-n', `${n}`), at)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(hero(page).getByRole('button', { name: 'One ticket more' })).toBeFocused()
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
