import type { Locator, Page } from '@playwright/test'
import { rows } from '../support/desk.ts'
import { expect, test } from '../support/fixtures.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

const PRESSES_MAX = 120

/** Presses Tab, as often as it takes, until the control has the focus. */
async function tabTo(page: Page, control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  await expect(control).toBeVisible()
  // Found once: a search of the page for each press takes longer than all presses.
  const element = await control.elementHandle()
  for (let press = 0; press < PRESSES_MAX; press += 1) {
    if (await page.evaluate((wanted) => wanted === document.activeElement, element)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} does not reach ${control}`)
}

/** Goes to a control of the table's first rows: Tab into the table, which is one stop, and then the arrows. */
async function arrowTo(page: Page, control: Locator, tab: 'Tab' | 'Shift+Tab' = 'Tab') {
  await expect(control).toBeVisible()
  const element = await control.elementHandle()
  const at = () =>
    page.evaluate((wanted) => {
      const here = document.activeElement
      const row = (of: Element | null | undefined) => of?.closest('tr')?.rowIndex ?? -1
      return { there: here === wanted, inTable: here?.closest('table') != null, down: row(wanted) - row(here) }
    }, element)
  for (let press = 0; press < PRESSES_MAX; press += 1) {
    const { there, inTable, down } = await at()
    if (there) return
    if (!inTable) await page.keyboard.press(tab)
    else if (down !== 0) await page.keyboard.press(down > 0 ? 'ArrowDown' : 'ArrowUp')
    else {
      await page.keyboard.press('Home')
      for (let step = 0; step < 12 && !(await at()).there; step += 1) await page.keyboard.press('ArrowRight')
    }
  }
  throw new Error(`The arrows do not reach ${control}`)
}

/** Opens the focused select, steps down some options and chooses the current one. */
async function chooseByKeys(page: Page, option: string) {
  await page.keyboard.press('Enter')
  const wanted = page.getByRole('option', { name: option, exact: true })
  await expect(wanted).toBeVisible()
  for (let step = 0; step < 6; step += 1) {
    if ((await wanted.getAttribute('data-highlighted')) !== null) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await expect(wanted).toBeHidden()
}

test('tickets are filtered, paged, selected and changed with the keyboard alone', async ({ page, server }) => {
  await (await server.api('guest')).buy(23)
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/tickets')
  await expect(page.getByText('1-20 of 23')).toBeVisible()
  await page.getByRole('searchbox').focus()
  await page.keyboard.type('garima')
  await expect(page).toHaveURL(/search=garima/)

  await tabTo(page, page.getByRole('combobox', { name: 'Status', exact: true }))
  await chooseByKeys(page, 'Active')
  await expect(page).toHaveURL(/status=active/)
  await expect(page.getByRole('combobox', { name: 'Status', exact: true })).toBeFocused()

  await tabTo(page, page.getByRole('button', { name: 'Next' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('21-23 of 23')).toBeVisible()
  await expect(page).toHaveURL(/page=2/)

  const boxes = rows(page, 'Tickets').getByRole('checkbox')
  for (const at of [0, 1]) {
    await arrowTo(page, boxes.nth(at), 'Shift+Tab')
    await page.keyboard.press('Space')
    await expect(boxes.nth(at)).toBeChecked()
  }
  await expect(page.getByText('2 tickets selected')).toBeVisible()

  const status = page.getByRole('combobox', { name: /Status of ticket/ }).last()
  await arrowTo(page, status)
  await chooseByKeys(page, 'Used')
  await expect(toastOf(page, 'Ticket status updated successfully')).toBeVisible()
  await expect(page.getByText('21-22 of 22')).toBeVisible()

  await tabTo(page, page.getByRole('button', { name: 'Bulk update' }).last())
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await tabTo(page, dialog.getByRole('combobox'))
  await chooseByKeys(page, 'Cancelled')
  await tabTo(page, dialog.getByRole('button', { name: 'Update tickets' }))
  await page.keyboard.press('Enter')
  await expect(toastOf(page, 'Updated 2 tickets successfully')).toBeVisible()
  // The second page no longer exists, so the first one is shown.
  await expect(page.getByText('20 tickets', { exact: true })).toBeVisible()
  expect(server.rows("select 1 from tickets where status = 'cancelled'")).toHaveLength(2)
})
