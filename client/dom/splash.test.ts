import { SPLASH_FADE_MS, SPLASH_FIRST_WORD_MS, SPLASH_HOLD_MS, SPLASH_NEXT_WORD_MS } from '@garba/shared/constants'
import { describe } from 'vitest'
import { expect, type Page, test } from './support/fixtures.ts'
import { section } from './support/landing.ts'

const splash = (page: Page) => page.getByRole('button', { name: 'Skip intro' })

/** The splash cannot end by itself. */
const stopTime = (page: Page) => page.clock.pauseAt(Date.now())

describe('with motion', () => {
  test.override({ browserOptions: { reducedMotion: false } })

  test('the title comes word by word over the mounted page, and goes by itself', async ({ page }) => {
    stopTime(page)
    await page.goto('/')
    await expect(splash(page)).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
    const shown = splash(page).locator('[data-shown]')
    for (const [after, words] of [
      [SPLASH_FIRST_WORD_MS, ['Garba']],
      [SPLASH_NEXT_WORD_MS, ['Garba', 'Rass']],
      [SPLASH_NEXT_WORD_MS, ['Garba', 'Rass', '2025']],
    ] as const) {
      await page.clock.runFor(after)
      await expect(shown).toHaveText(words)
    }
    await page.clock.runFor(SPLASH_HOLD_MS)
    await expect(splash(page)).toHaveAttribute('data-fading')
    await page.clock.runFor(SPLASH_FADE_MS)
    await expect(splash(page)).toHaveCount(0)
  })

  test('a tap ends it', async ({ page }) => {
    stopTime(page)
    await page.goto('/')
    await splash(page).click()
    await expect(splash(page)).toHaveCount(0)
  })

  test('Esc ends it', async ({ page }) => {
    stopTime(page)
    await page.goto('/')
    await expect(splash(page)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(splash(page)).toHaveCount(0)
  })

  test('it shows once in a browser session', async ({ page, context }) => {
    stopTime(page)
    await page.goto('/')
    await splash(page).click()
    await expect(splash(page)).toHaveCount(0)
    await page.reload()
    await expectLandingWithoutSplash(page)
    await page.goto('/terms-of-service')
    await page.getByRole('link', { name: 'Back to Home' }).first().click()
    await expectLandingWithoutSplash(page)
    const another = context.newPage()
    await another.goto('/')
    await expect(splash(another)).toBeVisible()
  })

  /** The sections come when everything that a page does at its start is done; the splash would still be there. */
  async function expectLandingWithoutSplash(page: Page) {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Garba Rass 2025')
    const isComplete = async () => {
      await page.clock.runFor(10)
      return section(page, 'faq').count()
    }
    await expect.poll(isComplete).toBe(1)
    await expect(splash(page)).toHaveCount(0)
  }

  test('it shows on / only', async ({ page }) => {
    await page.goto('/privacy-policy')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy Policy')
    await expect(splash(page)).toHaveCount(0)
  })
})
