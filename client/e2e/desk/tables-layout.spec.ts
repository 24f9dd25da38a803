import { choose, rows } from '../support/desk.ts'
import { expect, test } from '../support/fixtures.ts'
import { follow, toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

test.use({ serverOptions: { env: { MAX_PER_ORDER: '1010' } } })

// A thousand rows take a while.
test.describe.configure({ timeout: 180_000 })

/** In the page, as step by step each of its hundred rows would be waited for: selects so many pages, turning after each. */
async function selectPages(pages: number) {
  const waitForTruthy = <T>(look: () => T | null | undefined | false) =>
    new Promise<T>((resolve) => {
      const again = () => {
        const seen = look()
        if (seen) resolve(seen)
        else setTimeout(again, 20)
      }
      again()
    })
  const selectAll = () =>
    [...document.querySelectorAll('label')].find(({ textContent }) => textContent === 'Select all on this page')
      ?.control as HTMLInputElement | undefined
  // Rows that are still to come have no checkbox.
  const firstRow = () => document.querySelector('tbody tr:has(input)')?.textContent
  for (let page = 0; page < pages; page++) {
    const all = await waitForTruthy(selectAll)
    all.click()
    await waitForTruthy(() => selectAll()?.checked)
    const next = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Next')
    const before = firstRow()
    if (!next || next.disabled) return
    next.click()
    await waitForTruthy(() => firstRow() && firstRow() !== before)
  }
}

test('on a phone the rows begin near the top, and the names of the columns, which sort, are whole; on paper a list is a table in landscape', async ({
  page,
  server,
}) => {
  await (await server.api('guest')).buy<number>(30)
  await page.setViewportSize({ width: 390, height: 844 })
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin')
  for (const [view, caption] of [
    ['tickets', 'Tickets'],
    ['users', 'Users'],
    ['orders', 'Orders'],
    ['audit', 'Audit trail'],
  ] as const) {
    await follow(page, `/dashboard/admin/${view}`)
    const first = rows(page, caption).first()
    await expect(first).toBeVisible()
    const top = async () =>
      ((await first.boundingBox())?.y ?? 0) - ((await page.getByRole('main').boundingBox())?.y ?? 0)
    expect(await top(), view).toBeLessThan(200)
    await expect(page.getByRole('button', { name: 'Refresh' })).toBeHidden()
    await page.getByRole('button', { name: 'More about this list' }).click()
    await expect(page.getByRole('button', { name: 'Refresh' })).toBeVisible()
    await page.getByRole('button', { name: 'Filter and sort' }).click()
    for (const heading of await page.getByRole('columnheader').getByRole('button').all())
      await expect(heading).toBeInViewport({ ratio: 1 })
  }
  await follow(page, '/dashboard/admin/tickets')
  await expect(rows(page, 'Tickets').first()).toBeVisible()
  const pdf = (await page.pdf()).toString('latin1')
  expect(/MediaBox \[0 0 (\d+)/.exec(pdf)?.[1]).toBe('792')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('columnheader', { name: 'Holder' })).toBeVisible()
})

test('more tickets than can be changed at once are refused before anything is sent', async ({ page, server }) => {
  await (await server.api('guest')).buy<number>(1_010)
  await restoreSession(page, 'admin')
  // Pages of 100, so that the selection grows past the limit with eleven of them.
  await page.route('**/api/admin/tickets/management?*', (route) => {
    const url = new URL(route.request().url())
    url.searchParams.set('limit', '100')
    return route.continue({ url: url.href })
  })
  const sent: string[] = []
  page.on('request', (request) => request.url().includes('bulk-update') && sent.push(request.url()))
  await page.goto('/dashboard/admin/tickets?status=active')
  await expect(page.getByText('Page 1 of')).toBeVisible()
  // Selected rows need not be drawn.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('tbody tr:nth-child(n + 3) { display: none }')
    document.adoptedStyleSheets.push(sheet)
  })
  await page.evaluate(selectPages, 10)
  await expect(page.getByText('1,000 tickets selected')).toBeVisible()
  await page.evaluate(selectPages, 1)
  const select = page.getByRole('checkbox', { name: 'Select all on this page' })
  await page.getByRole('button', { name: 'Bulk update' }).last().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('alert')).toHaveText('At most 1,000 tickets can be changed at once. Deselect 10.')
  await expect(dialog.getByRole('button', { name: 'Update tickets' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await rows(page, 'Tickets').first().getByRole('checkbox').uncheck()
  await select.check()
  await select.uncheck()
  await page.getByRole('button', { name: 'Bulk update' }).last().click()
  await choose(dialog.getByRole('combobox'), 'Used')
  await dialog.getByRole('button', { name: 'Update tickets' }).click()
  await expect(toastOf(page, 'Updated 1000 tickets successfully')).toBeVisible()
  expect(sent).toHaveLength(1)
})
