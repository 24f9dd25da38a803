import type { Page } from '@playwright/test'
import { rows } from './support/desk.ts'
import { expect, test } from './support/fixtures.ts'
import { expectNoViolations } from './support/screen.ts'
import { restoreSession } from './support/session.ts'

test.use({ serviceWorkers: 'block' })

const LONG_NAME = 'Shrimati Dharmishthaben Parshottambhai Chandrashekharrao Vishwanathan'

/** How many rows are wholly in the window, and how wide the columns of names and emails are. */
const look = (page: Page) =>
  page.evaluate(() => {
    const wholly = [...document.querySelectorAll('tbody tr')].filter(
      (row) => row.getBoundingClientRect().bottom <= window.innerHeight,
    )
    const heads = [...document.querySelectorAll('thead th')]
    const widths = heads
      .filter(({ textContent }) => /^(User|Email|Holder|Buyer)$/.test(textContent?.replace(/^Select.*page/, '') ?? ''))
      .map((head) => head.getBoundingClientRect().width)
    return { rows: wholly.length, widths, wider: document.documentElement.scrollWidth - window.innerWidth }
  })

test('at 1280x800 tables show at least 14 rows, with room for names and emails; below 900 px rows have two lines', async ({
  page,
  server,
}) => {
  const guest = await server.api('guest')
  for (let order = 1; order <= 20; order++) await guest.buy(1)
  const long = await server.apiAs({ uid: 'long', email: `${'long'.repeat(15)}@example.test`, name: LONG_NAME })
  await long.buy(1)
  // Twenty with the accounts of the demo, so that every role is on the first page.
  for (let number = 1; number <= 15; number++)
    await server.apiAs({ uid: `user-${number}`, email: `user-${number}@garba.test`, name: `હેતલ વ્યાસ ${number}` })
  // The widest role, with a login.
  await server.api('checker')
  await restoreSession(page, 'admin')
  for (const [path, table, columns] of [
    ['tickets', 'Tickets', 1],
    ['orders', 'Orders', 1],
    ['users', 'Users', 2],
  ] as const) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`/dashboard/admin/${path}`)
    await expect(rows(page, table)).toHaveCount(20)
    await page.evaluate(() => document.fonts.ready)
    const wide = await look(page)
    expect(wide.rows, path).toBeGreaterThanOrEqual(14)
    expect(wide.widths, path).toHaveLength(columns)
    expect(Math.min(...wide.widths), path).toBeGreaterThanOrEqual(180)
    for (const width of [1024, 900, 899, 768, 360]) {
      await page.setViewportSize({ width, height: 800 })
      // The page is laid out for its new width a moment before its media queries know it.
      const fits = async () => (await look(page)).wider
      await expect.poll(fits, `${path} at ${width} px`).toBeLessThanOrEqual(0)
      await expect(rows(page, table).first()).toHaveCSS('display', width < 900 ? 'flex' : 'table-row')
    }
  }
})

test('a deletion that still waits is carried out when the browser closes the page, even right after the press', async ({
  page,
  server,
}) => {
  const statuses = () => server.rows<{ status: string }>('select status from tickets').map(({ status }) => status)
  await (await server.api('guest')).buy(2)
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/tickets')
  const erase = page.getByRole('button', { name: /Delete ticket/ }).first()
  await erase.click()
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  expect(statuses()).toEqual(['active', 'active'])
  await page.goto('about:blank')
  await expect.poll(() => statuses().toSorted()).toEqual(['active', 'deleted'])

  await page.goto('/dashboard/admin/tickets')
  await erase.evaluate((button: HTMLButtonElement) => {
    button.click()
    setTimeout(() => location.assign('about:blank'))
  })
  await page.waitForURL('about:blank')
  await expect.poll(statuses).toEqual(['deleted', 'deleted'])
})

test('the rail leads to every view by keyboard, and a new page begins at its content', async ({ page }) => {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin')
  const rail = page.getByRole('navigation', { name: 'Dashboard' })
  const names = ['Home', 'Evening', 'Tickets', 'Users', 'Orders', 'Analytics', 'Event', 'Devices', 'Audit', 'Mail']
  await expect(rail.getByRole('link')).toHaveText(names)
  await expect(rail.getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page')
  await rail.getByRole('link', { name: 'Home' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(rail.getByRole('link', { name: 'Tickets' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Manage Tickets' })).toBeVisible()
  await expect(rail.getByRole('link', { name: 'Tickets' })).toHaveAttribute('aria-current', 'page')
  // A new page begins at its content, not at the rail.
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Back to Dashboard' })).toBeFocused()
})

test('the palette opens by Ctrl and K, passes axe, and one Enter leads to a view', async ({ page }) => {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin')
  await expect(page.getByRole('button', { name: 'Find' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: /^Find a view/ })
  await expect(palette.getByRole('combobox')).toBeFocused()
  await expectNoViolations(page, 'the palette')
  // The second time the view is there already.
  for (const time of ['first', 'second']) {
    if (time === 'second') await page.keyboard.press('Control+k')
    await page.keyboard.type('tick')
    await expect(palette.getByRole('option')).toHaveText(['Tickets'])
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Manage Tickets' })).toBeVisible()
    await expect(palette).toHaveCount(0)
    await expect(page.getByRole('main')).toBeFocused()
  }
  const refresh = page.getByRole('button', { name: 'Refresh' })
  await refresh.focus()
  await page.keyboard.press('Control+k')
  await expect(palette.getByRole('combobox')).toBeFocused()
  // As a view does that was chosen before and has only now been loaded.
  await page.evaluate(() => document.querySelector('main')?.focus())
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(refresh).toBeFocused()
})

test('on a phone the rail is a bar at the foot, with the rest under More and targets for a finger', async ({
  browser,
  server,
}) => {
  const context = await browser.newContext({
    viewport: { width: 360, height: 640 },
    hasTouch: true,
    isMobile: true,
    baseURL: server.url,
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const guest = await server.api('guest')
  const [ticket] = await guest.buy(2)
  const reason = 'My grandmother goes to hospital in that week'
  await guest.call('cancelTicket', { params: { id: ticket.id }, body: { reason } })
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/tickets')
  await expect(rows(page, 'Tickets')).toHaveCount(2)
  const refund = page.getByText(reason)
  expect(await refund.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0)
  const rail = page.getByRole('navigation', { name: 'Dashboard' })
  await expect(rail.getByRole('link').filter({ visible: true })).toHaveText(['Home', 'Evening', 'Tickets', 'Users'])
  const bar = await rail.boundingBox()
  expect(bar?.width).toBe(360)
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBe(640)
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('main :is(a, button, input, [role=combobox]), nav :is(a, button)')]
      .map((one) => ({ one, box: (one.closest('label') ?? one).getBoundingClientRect() }))
      .filter(({ one }) => one.getAttribute('aria-hidden') !== 'true')
      .filter(({ box }) => box.width > 0 && Math.min(box.width, box.height) < 44)
      .map(({ one, box }) => `${one.outerHTML.slice(0, 90)} ${box.width}x${box.height}`),
  )
  expect(small).toEqual([])
  await expectNoViolations(page, 'admin/tickets at 360 px')
  const more = rail.getByRole('button', { name: 'More' })
  await expect(more).not.toHaveAttribute('aria-current')
  await more.click()
  await page.getByRole('menuitem', { name: 'Audit' }).click()
  await expect(page.getByRole('heading', { name: 'Audit trail' })).toBeVisible()
  await expect(more).toHaveAttribute('aria-current', 'true')
  await context.close()
})
