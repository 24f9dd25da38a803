import { SPLASH_FIRST_WORD_MS, SPLASH_NEXT_WORD_MS } from '@garba/shared/constants'
import { expect, type Page, test } from '../support/fixtures.ts'
import { section } from '../support/guest.ts'

const splash = (page: Page) => page.getByRole('button', { name: 'Skip intro' })

/** What moves stands still, so that the splash cannot end by itself. Resolves with the way to let it play, quickly. */
async function holdMotion(page: Page): Promise<() => Promise<unknown>> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Animation.enable')
  await devtools.send('Animation.setPlaybackRate', { playbackRate: 0 })
  return () => devtools.send('Animation.setPlaybackRate', { playbackRate: 20 })
}

/** The sections come when everything that a page does at its start is done; the splash would still be there. */
async function expectLandingWithoutSplash(page: Page) {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Garba Rass 2025')
  await expect(section(page, 'faq')).toBeAttached()
  await expect(splash(page)).toHaveCount(0)
}

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('the title comes word by word over the mounted page, and goes by itself', async ({ page }) => {
  const play = await holdMotion(page)
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
  await play()
  await expect(splash(page)).toHaveCount(0)
})

test('it has the focus once the app has started, and Esc ends it', async ({ page }) => {
  await holdMotion(page)
  await page.goto('/')
  // The app starts at the first use after the paint.
  const isFocused = async () => {
    await page.keyboard.press('Shift')
    return splash(page).evaluate((cover) => cover === document.activeElement)
  }
  await expect.poll(isFocused).toBe(true)
  await page.keyboard.press('Escape')
  await expect(splash(page)).toHaveCount(0)
})

test('it shows on / only, once in a browser session, whichever tab, and a tap ends it', async ({ page, context }) => {
  await holdMotion(page)
  await page.goto('/privacy-policy')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy Policy')
  await expect(splash(page)).toHaveCount(0)
  await page.goto('/')
  await splash(page).click()
  await expect(splash(page)).toHaveCount(0)
  // The visit counts once the app has started.
  await expect(page.locator('[data-splash]')).toHaveCount(0)
  await page.reload()
  await expectLandingWithoutSplash(page)
  await page.goto('/terms-of-service')
  await page.getByRole('link', { name: 'Back to Home' }).first().click()
  await expectLandingWithoutSplash(page)
  const another = await context.newPage()
  await holdMotion(another)
  await another.goto('/')
  await expectLandingWithoutSplash(another)
})
