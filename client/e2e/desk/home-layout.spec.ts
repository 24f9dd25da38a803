import { changeEvent } from '../support/event.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoViolations, follow } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

test('a short page fills the window and does not scroll, and a large sum stays on one line at every width; paper has no buttons; the wall fits a tablet, a laptop and a large screen, with its rings beside or below the number', async ({
  page,
  server,
}) => {
  const admin = await server.api('admin')
  const gates = ['રિવરફ્રન્ટ ગ્રાઉન્ડ, ઉત્તર દરવાજો', 'VIP and guests of the committee', 'East', 'West']
  await admin.call('saveGates', { body: { gates: gates.map((name) => ({ name, kinds: [] })) } })
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
    const readLayout = () =>
      page.evaluate(() => ({
        over: document.documentElement.scrollHeight - window.innerHeight,
        foot: document
          .elementFromPoint(window.innerWidth / 2, window.innerHeight - 2)
          ?.closest('[data-surface]')
          ?.getAttribute('data-surface'),
      }))
    await expect.poll(readLayout, `${path} at ${width} px`).toEqual({ over: 0, foot: 'paper' })
  }

  await changeEvent(admin, { ticketPrice: 999_990, groupPrice4: 999_990 })
  await (await server.api('guest')).buy(10)
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

  await page.setViewportSize({ width: 1280, height: 800 })
  for (const [path, stays] of [
    ['', 'Total Revenue'],
    ['/tickets', 'Garima Guest'],
    ['/orders', 'Garima Guest'],
    ['/gate', 'East'],
  ] as const) {
    await page.emulateMedia({ media: null })
    await follow(page, `/dashboard/admin${path}`)
    await expect(page.getByText(stays).first()).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByText(stays).first()).toBeVisible()
    // Column headings and statuses are buttons too, but they are part of what is printed.
    const pressed = page.locator('main :is(button:not([role="combobox"], th button), input[type="checkbox"]):visible')
    await expect(pressed).toHaveCount(0)
  }
  await expect(page.getByRole('main').locator('ol[aria-hidden]')).toBeHidden()
  await expect(page.getByRole('table', { name: 'People let in every 15 minutes, last two hours' })).toBeInViewport()
  await page.emulateMedia({ media: null })

  await page.setViewportSize({ width: 1280, height: 800 })
  await follow(page, '/dashboard/admin/gate')
  await page.evaluate(() => Object.assign(document.documentElement, { requestFullscreen: () => Promise.reject() }))
  await page.getByRole('button', { name: 'Wall mode' }).click()
  const wall = page.getByRole('region', { name: 'The evening on the wall' })
  const settings = await page.context().newCDPSession(page)
  const textSize = () => wall.evaluate((section) => Number.parseFloat(getComputedStyle(section).fontSize))
  for (const [width, height, text] of [
    [768, 1024, 16],
    [1280, 800, 16],
    [1920, 1080, 16],
    [1280, 800, 32],
    [1920, 1080, 32],
  ] as const) {
    await page.setViewportSize({ width, height })
    await settings.send('Page.setFontSizes', { fontSizes: { standard: text } })
    await expect.poll(textSize).toBeGreaterThanOrEqual(text)
    const size = `${width}x${height}, letters of ${text} px`
    // Twelve thousand people, as the widest number of a large evening.
    await wall
      .locator('strong')
      .first()
      .evaluate((number: HTMLElement) => {
        number.style.setProperty('--digits', '6')
        number.textContent = '12,345'
      })
    // All boxes are of one moment: while the window changes, two looks can show two layouts.
    const faults = () =>
      wall.evaluate(
        (section, { width, height }) => {
          const parts = ['strong', 'dl', 'svg', 'ol', 'footer'].map((tag) => {
            const part = section.querySelector(tag)
            if (part === null) throw new Error(`No ${tag} on the wall`)
            return { tag, box: part.getBoundingClientRect() }
          })
          const outside = [...section.querySelectorAll('strong, dl, svg, ol, footer')].flatMap((part) => {
            const { left, top, right, bottom } = part.getBoundingClientRect()
            return left < 0 || top < 0 || right > width || bottom > height ? [`${part.tagName} outside`] : []
          })
          const touching = parts.flatMap((one, at) =>
            parts
              .slice(at + 1)
              .filter(
                (other) =>
                  one.box.left < other.box.right - 1 &&
                  other.box.left < one.box.right - 1 &&
                  one.box.top < other.box.bottom - 1 &&
                  other.box.top < one.box.bottom - 1,
              )
              .map((other) => `${one.tag} ${other.tag}`),
          )
          return [...outside, ...touching]
        },
        { width, height },
      )
    await expect.poll(faults, size).toEqual([])
  }
  await expectNoViolations(page, 'the wall')
})
