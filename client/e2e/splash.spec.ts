import { expect, type Page, test } from './support/fixtures.ts'

test.use({ serviceWorkers: 'block' })

const splash = (page: Page) => page.getByRole('button', { name: 'Skip intro' })
const wordsShown = (page: Page) => splash(page).locator('[data-shown]')

/** Time stands still, so that the splash cannot end by itself. */
async function stopTime(page: Page) {
  const now = Date.now()
  await page.clock.install({ time: now })
  await page.clock.pauseAt(now + 1_000)
}

/** Past Playwright's wait for a still element: the lamp never is one. */
async function tap(page: Page) {
  await expect(splash(page)).toBeVisible()
  await page.mouse.click(200, 300)
}

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } })

  test('the title comes word by word over the mounted page, and goes by itself', async ({ page }) => {
    await page.goto('/')
    await expect(splash(page)).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
    for (const words of [['Garba'], ['Garba', 'Rass'], ['Garba', 'Rass', '2025']])
      await expect(wordsShown(page)).toHaveText(words)
    await expect(splash(page)).toBeHidden()
  })

  test('a tap ends it', async ({ page }) => {
    await stopTime(page)
    await page.goto('/')
    await tap(page)
    await expect(splash(page)).toHaveCount(0)
  })

  test('Esc ends it', async ({ page }) => {
    await stopTime(page)
    await page.goto('/')
    await expect(splash(page)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(splash(page)).toHaveCount(0)
  })

  test('it shows once in a browser session', async ({ page, context }) => {
    await page.goto('/')
    await tap(page)
    await expect(splash(page)).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(splash(page)).toHaveCount(0)
    await page.goto('/terms-of-service')
    await page.getByRole('link', { name: 'Back to Home' }).first().click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Garba Rass 2025')
    await expect(splash(page)).toHaveCount(0)
    const another = await context.newPage()
    await another.goto('/')
    await expect(splash(another)).toBeVisible()
  })

  test('it shows on / only', async ({ page }) => {
    await page.goto('/privacy-policy')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy Policy')
    await expect(splash(page)).toHaveCount(0)
  })
})

test('readers who asked for less motion see no splash, and a lamp that stands still', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(splash(page)).toHaveCount(0)
  const running = await page.evaluate(() =>
    document.getAnimations().filter((animation) => animation.playState === 'running'),
  )
  expect(running).toEqual([])
})
