import { changeEvent } from './support/event.ts'
import { expect, test } from './support/fixtures.ts'
import { follow } from './support/screen.ts'
import { restoreSession } from './support/session.ts'

test('a short page fills the window and does not scroll, and a large sum stays on one line at every width', async ({
  page,
  server,
}) => {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/tickets')
  for (const [width, height, path, sign] of [
    [1280, 1200, 'tickets', 'No tickets found'],
    [390, 1400, 'tickets', 'No tickets found'],
    [1280, 1400, 'gate', 'Recent refusals'],
  ] as const) {
    await page.setViewportSize({ width, height })
    await follow(page, `/dashboard/admin/${path}`)
    await expect(page.getByRole('heading', { name: sign })).toBeVisible()
    const look = () =>
      page.evaluate(() => ({
        over: document.documentElement.scrollHeight - window.innerHeight,
        foot: document
          .elementFromPoint(window.innerWidth / 2, window.innerHeight - 2)
          ?.closest('[data-surface]')
          ?.getAttribute('data-surface'),
      }))
    await expect.poll(look, `${path} at ${width} px`).toEqual({ over: 0, foot: 'paper' })
  }

  await changeEvent(await server.api('admin'), { ticketPrice: 99_999, groupPrice4: 99_999 })
  await (await server.api('guest')).buy<number>(100)
  await follow(page, '/dashboard/admin')
  const sum = page.getByText('₹99,99,900', { exact: true })
  await expect(sum).toBeVisible()
  for (const width of [320, 360, 390, 768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const lines = () =>
      sum.evaluate((figure) => {
        const range = document.createRange()
        range.selectNodeContents(figure)
        return range.getClientRects().length
      })
    await expect.poll(lines, `${width} px`).toBe(1)
    const over = await sum.evaluate((figure) => figure.scrollWidth - figure.clientWidth)
    expect(over, `${width} px`).toBeLessThanOrEqual(0)
  }
})
