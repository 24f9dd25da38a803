import type { Page } from '@playwright/test'
import { rows } from '../support/desk.ts'
import { changeDevice, prepareDevice } from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoViolations, follow } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

const LONG_NAME = 'Shrimati Dharmishthaben Parshottambhai Chandrashekharrao Vishwanathan'

/** How many rows are wholly in the window, and how wide the columns of names and emails are. */
const measureTable = (page: Page) =>
  page.evaluate(() => {
    const wholly = [...document.querySelectorAll('tbody tr')].filter(
      (row) => row.getBoundingClientRect().bottom <= window.innerHeight,
    )
    const heads = [...document.querySelectorAll('thead th')]
    const widths = heads
      .filter(({ textContent }) => /^(User|Email|Holder|Buyer)$/.test(textContent?.replace(/^Select.*page/, '') ?? ''))
      .map((head) => head.getBoundingClientRect().width)
    const heightOf = (row: Element | null) => Math.round(row?.getBoundingClientRect().height ?? 0)
    return {
      rows: wholly.length,
      widths,
      wider: document.documentElement.scrollWidth - window.innerWidth,
      row: heightOf(document.querySelector('tbody tr:nth-child(2)')),
      search: document.querySelector('input[type="search"]')?.getBoundingClientRect().width ?? 0,
    }
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
  await page.goto('/dashboard/admin/tickets')
  for (const [path, table, columns] of [
    ['tickets', 'Tickets', 1],
    ['orders', 'Orders', 1],
    ['users', 'Users', 2],
  ] as const) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await follow(page, `/dashboard/admin/${path}`)
    await expect(rows(page, table)).toHaveCount(20)
    await page.evaluate(() => document.fonts.ready)
    // The page is laid out for its new width a moment before its media queries know it.
    await expect.poll(async () => (await measureTable(page)).rows, path).toBeGreaterThanOrEqual(14)
    const wide = await measureTable(page)
    expect(wide.widths, path).toHaveLength(columns)
    expect(Math.min(...wide.widths), path).toBeGreaterThanOrEqual(180)
    for (const width of [900, 899, 360]) {
      await page.setViewportSize({ width, height: 800 })
      const fits = async () => (await measureTable(page)).wider
      await expect.poll(fits, `${path} at ${width} px`).toBeLessThanOrEqual(0)
      await expect(rows(page, table).first()).toHaveCSS('display', width < 900 ? 'flex' : 'table-row')
      const { row, search } = await measureTable(page)
      expect(row, `a row of ${path} at ${width} px`).toBe(width < 900 ? 64 : 40)
      // On a phone the filters and the menu stand beside it.
      expect(search, `the search of ${path} at ${width} px`).toBeGreaterThanOrEqual(width < 768 ? 130 : 240)
    }
  }
  const gate = 'VIP and guests of the committee'
  await (await server.api('admin')).call('saveGates', { body: { gates: [{ name: gate, kinds: [] }] } })
  for (const name of ['ઉત્તર દરવાજો, રિવરફ્રન્ટ ગ્રાઉન્ડ', 'Gate 2']) {
    const { id } = await prepareDevice(server, { name, gates: [gate], rights: ['scan', 'find', 'undo', 'supervise'] })
    if (name === 'Gate 2') await changeDevice(server, id, { revoked: true })
  }
  await follow(page, '/dashboard/admin/devices')
  await expect(rows(page, 'Devices')).toHaveCount(2)
  for (const width of [1280, 900, 899, 360]) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(async () => (await measureTable(page)).wider, `devices at ${width} px`).toBeLessThanOrEqual(0)
  }
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

test('an open menu or list stays at its button while the window narrows; a deletion that waits is carried out when the page is closed, even right after the press', async ({
  page,
  server,
}) => {
  const statuses = () => server.rows<{ status: string }>('select status from tickets').map(({ status }) => status)
  await (await server.api('guest')).buy(2)
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/tickets')
  const opener = page.locator('main [aria-expanded=true], header [aria-expanded=true]')
  const gap = async () => {
    const [button, popup] = await Promise.all([
      opener.boundingBox(),
      page.locator(':is([role=menu], [role=listbox]):visible').boundingBox(),
    ])
    if (button === null || popup === null) return 'closed'
    const beside = popup.x + popup.width < button.x || button.x + button.width < popup.x
    const below = popup.y - button.y - button.height
    return beside || below < 0 || below > 12 ? `${JSON.stringify(button)} ${JSON.stringify(popup)}` : 'at its button'
  }
  // A phone folds the filters.
  for (const [press, narrow] of [
    [page.getByRole('combobox', { name: 'Status', exact: true }), 768],
    [page.getByRole('button', { name: /Account menu/ }), 390],
    [page.getByRole('row').nth(1).getByRole('button').last(), 390],
  ] as const) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await press.click()
    for (const width of [1280, 800, narrow]) {
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(gap, `${width} px`).toBe('at its button')
    }
    await page.keyboard.press('Escape')
    await expect(opener).toHaveCount(0)
  }

  await page.setViewportSize({ width: 1280, height: 800 })
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
