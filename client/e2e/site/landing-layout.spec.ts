import type { Locator } from '@playwright/test'
import { changeEvent, runningNow } from '../support/event.ts'
import { expect, test } from '../support/fixtures.ts'
import { hero, section } from '../support/guest.ts'

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('on a 360 px phone the event and the way in are seen without scrolling, nothing moves under reduced motion, and the spinner of signing in stands beside the words of its button', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto('/')
  for (const text of ['6:30 PM - 10:30 PM', 'Ahmedabad', 'Book Your Tickets Now']) {
    const box = await hero(page).getByText(text).first().boundingBox()
    expect(box, text).not.toBeNull()
    expect((box?.y ?? 0) + (box?.height ?? 0), text).toBeLessThanOrEqual(640)
  }
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBe(360)
  await expect(page.getByRole('button', { name: 'Skip intro' })).toHaveCount(0)
  const running = await page.evaluate(() =>
    document.getAnimations().filter((animation) => animation.playState === 'running'),
  )
  expect(running).toEqual([])

  await page.setViewportSize({ width: 390, height: 844 })
  await page.route('**/api/auth/google-signin', () => undefined)
  const book = hero(page).getByRole('button', { name: 'Book Your Tickets Now' })
  const before = await book.boundingBox()
  await book.click()
  await page.getByRole('dialog').getByRole('button', { name: 'guest@garba.test' }).click()
  await expect(book).toHaveAttribute('aria-disabled', 'true')
  expect(await book.boundingBox()).toEqual(before)
})

test('on a laptop the evening itself leaves the way in on the first screen', async ({ page, server }) => {
  await changeEvent(await server.api('admin'), runningNow())
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto('/')
  await expect(hero(page).getByText('The garba is on')).toBeVisible()
  await expect(hero(page).getByText('Book Your Tickets Now')).toBeInViewport({ ratio: 1 })
})

/** How many parts of the header overlap another part or stick out of their own place. */
const clashesIn = (header: Locator) =>
  header.evaluate((one) => {
    const parts = [...one.querySelectorAll('a, button, label')]
    const boxes = parts.map((part) => part.getBoundingClientRect())
    const over = boxes.filter((a, at) =>
      boxes.slice(at + 1).some((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom),
    )
    return over.length + parts.filter((part) => part.scrollWidth > part.clientWidth + 1).length
  })

test('with letters twice as large nothing in the header or of the evening runs into the next', async ({
  page,
  context,
}) => {
  const settings = await context.newCDPSession(page)
  await page.goto('/')
  const facts = hero(page).locator('dl > *')
  const letters = () => page.evaluate(() => getComputedStyle(document.documentElement).fontSize)
  for (const width of [320, 360, 768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    // Resizing the window resets this setting.
    await settings.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
    await expect.poll(letters, `${width} px`).toBe('32px')
    const over = () => facts.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)
    await expect.poll(over, `${width} px`).toBe(0)
    await expect.poll(() => clashesIn(page.getByRole('banner')), `${width} px`).toBe(0)
  }
  expect(await facts.count()).toBe(4)
})

test('the sections come after the first load, their picture when it is near; footer links and the questions work', async ({
  page,
  server,
}) => {
  await changeEvent(await server.api('admin'), { eventImage: PIXEL })
  const html = await (await fetch(server.url)).text()
  expect(html).not.toMatch(/assets\/Sections/)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/event/image/')) asked.push(request.url())
  })
  await page.setViewportSize({ width: 1280, height: 400 })
  await page.goto('/')
  for (const id of ['about', 'details', 'countdown', 'features', 'venue', 'faq'])
    await expect(section(page, id)).toBeAttached()
  expect(asked).toEqual([])
  await section(page, 'about').scrollIntoViewIfNeeded()
  await expect(page.getByRole('img', { name: 'Picture of the event', exact: true })).toBeVisible()
  expect(asked).not.toEqual([])
  const footer = page.getByRole('contentinfo')
  await footer.getByRole('link', { name: 'FAQ' }).click()
  await expect(section(page, 'faq')).toBeInViewport()
  await expect(section(page, 'faq')).toBeFocused()
  await footer.getByRole('link', { name: 'About' }).click()
  await expect(section(page, 'about').getByRole('heading')).toBeInViewport()
  const faq = section(page, 'faq')
  await faq.getByText('How do I get my tickets?').focus()
  await page.keyboard.press('Enter')
  await expect(faq.getByText(/choose how many you need/)).toBeVisible()
  await faq.getByText('Can I cancel a ticket?').click()
  await expect(faq.getByText(/10 days before the event/)).toBeVisible()
  await expect(faq.getByText(/choose how many you need/)).toBeHidden()
})
