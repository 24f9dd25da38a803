import { SPLASH_FADE_MS, SPLASH_FIRST_WORD_MS, SPLASH_HOLD_MS, SPLASH_NEXT_WORD_MS } from '@garba/shared/constants'
import { describe } from 'vitest'
import { section } from '../e2e/support/guestPage.ts'
import { expect, type Page, test } from './support/fixtures.ts'

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
    const delays = await splash(page).evaluate((cover) =>
      [...cover.querySelectorAll('span > span')].map((word) => [
        word.textContent,
        (word as HTMLElement).style.animationDelay,
      ]),
    )
    expect(delays).toEqual([
      ['Garba', `${SPLASH_FIRST_WORD_MS}ms`],
      ['Rass', `${SPLASH_FIRST_WORD_MS + SPLASH_NEXT_WORD_MS}ms`],
      ['2025', `${SPLASH_FIRST_WORD_MS + 2 * SPLASH_NEXT_WORD_MS}ms`],
    ])
    const lastWord = SPLASH_FIRST_WORD_MS + 2 * SPLASH_NEXT_WORD_MS
    await page.clock.runFor(lastWord + SPLASH_HOLD_MS + SPLASH_FADE_MS - 100)
    await expect(splash(page)).toBeVisible()
    await page.clock.runFor(100)
    await expect(splash(page)).toHaveCount(0)
  })

  test('Esc ends it', async ({ page }) => {
    stopTime(page)
    await page.goto('/')
    await expect(splash(page)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(splash(page)).toHaveCount(0)
  })

  test('it shows on / only, once in a browser session, whichever tab, and a tap ends it', async ({ page, context }) => {
    await page.goto('/privacy-policy')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy Policy')
    await expect(splash(page)).toHaveCount(0)
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
    stopTime(another)
    await another.goto('/')
    await expectLandingWithoutSplash(another)
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
})
