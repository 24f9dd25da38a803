import { expect, test } from './support/fixtures.ts'
import { restoreSession } from './support/session.ts'

test.use({ serviceWorkers: 'block' })

test('a short page fills the window and does not scroll', async ({ page }) => {
  await restoreSession(page, 'admin')
  for (const [width, height, path, sign] of [
    [1280, 1200, 'tickets', 'No tickets found'],
    [390, 1400, 'tickets', 'No tickets found'],
    [1280, 1400, 'gate', 'Recent refusals'],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto(`/dashboard/admin/${path}`)
    await expect(page.getByRole('heading', { name: sign })).toBeVisible()
    const look = () =>
      page.evaluate(() => ({
        over: document.documentElement.scrollHeight - window.innerHeight,
        foot: document
          .elementFromPoint(window.innerWidth / 2, window.innerHeight - 2)
          ?.closest('[data-surface]')
          ?.getAttribute('data-surface'),
      }))
    expect(await look(), `${path} at ${width} px`).toEqual({ over: 0, foot: 'paper' })
  }
})
