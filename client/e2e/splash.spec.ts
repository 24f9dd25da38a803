import { expect, type Page, test } from './support/fixtures.ts'

test.use({ serviceWorkers: 'block' })

const splash = (page: Page) => page.getByRole('button', { name: 'Skip intro' })
const wordsShown = (page: Page) => splash(page).locator('[data-shown]')

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
