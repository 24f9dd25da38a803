import { UNDO_MS } from '@garba/shared/constants'
import { rows } from '../support/desk.ts'
import { expect, type Page, type TestServer, test } from '../support/fixtures.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession, signOutByMenu } from '../support/session.ts'

const BUYERS = ['Hetal', 'Jignesh', 'Kokila'] as const
const emailOf = (name: string) => `${name.toLowerCase()}@buyers.test`

/** The three buyers, newest first, on a page whose time can be moved. */
async function openBuyers(page: Page, server: TestServer) {
  for (const name of BUYERS) await server.apiAs({ uid: name, email: emailOf(name), name })
  await restoreSession(page, 'admin')
  await page.clock.install()
  await page.goto('/dashboard/admin/users?search=buyers.test')
  await expect(rows(page, 'Users')).toHaveCount(3)
}

const row = (page: Page, name: string) => rows(page, 'Users').filter({ hasText: emailOf(name) })
const deleteUser = (page: Page, name: string) => page.getByRole('button', { name: `Delete user: ${name}` })
const undo = (page: Page, name: string) => toastOf(page, `Deleting ${name}`).getByRole('button', { name: 'Undo' })
const known = (server: TestServer) =>
  server
    .rows<{ name: string }>("select name from users where email like '%@buyers.test' order by name")
    .map(({ name }) => name)
const recordDeletions = async (page: Page) => {
  const asked: string[] = []
  await page.route('**/api/admin/users/*', (route) => {
    if (route.request().method() === 'DELETE') asked.push(route.request().url())
    return route.continue()
  })
  return asked
}

test('a deleted user is out of the list at once, comes back by Undo, and is deleted on the server after 8 seconds; the tickets stay', async ({
  page,
  server,
}) => {
  await (await server.apiAs({ uid: 'Hetal', email: emailOf('Hetal'), name: 'Hetal' })).buy(3)
  await openBuyers(page, server)
  const asked = await recordDeletions(page)
  await page.getByRole('checkbox', { name: 'Select Hetal' }).check()
  await deleteUser(page, 'Hetal').click()
  await expect(page.getByText('1 user selected')).toHaveCount(0)
  await undo(page, 'Hetal').click()
  await expect(row(page, 'Hetal')).toBeVisible()
  await expect(page.getByText('3 users', { exact: true })).toBeVisible()
  await page.clock.runFor(2 * UNDO_MS)
  await expect(row(page, 'Hetal')).toBeVisible()
  expect(asked).toEqual([])

  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
  await deleteUser(page, 'Hetal').click()
  await expect(row(page, 'Hetal')).toHaveCount(0)
  await expect(page.getByText('2 users', { exact: true })).toBeVisible()
  await page.clock.runFor(UNDO_MS - 1_000)
  expect(asked).toEqual([])
  expect(known(server)).toEqual(BUYERS)
  await expect(undo(page, 'Hetal')).toBeVisible()
  await expect(toastOf(page, 'User deleted successfully')).toHaveCount(0)
  await page.clock.runFor(1_000)
  await page.clock.resume()
  await expect(toastOf(page, 'User deleted successfully')).toBeVisible()
  await expect(toastOf(page, 'Deleting Hetal')).toHaveCount(0)
  await expect(row(page, 'Hetal')).toHaveCount(0)
  expect(known(server)).toEqual(['Jignesh', 'Kokila'])
  // The tickets stay, with the buyer's name and email on them.
  expect(
    server.rows("select 1 from tickets where buyer_email = 'hetal@buyers.test' and status = 'active'"),
  ).toHaveLength(3)
})

test('after a deletion the focus is on the next row, where a held key does no harm; a double click deletes one person, not the one who moves up under the pointer', async ({
  page,
  server,
}) => {
  await openBuyers(page, server)
  const boxes = page.getByRole('checkbox', { name: /^Select (Hetal|Jignesh|Kokila)$/ })
  const first = page.getByRole('button', { name: /Delete user/ }).first()
  const before = await rows(page, 'Users').allTextContents()
  await first.press('Enter')
  await expect(rows(page, 'Users')).toHaveCount(2)
  expect(await rows(page, 'Users').allTextContents()).toEqual(before.slice(1))
  await expect(boxes.first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(rows(page, 'Users')).toHaveCount(2)
  await undo(page, BUYERS.find((name) => before[0]?.includes(emailOf(name))) ?? '').click()
  await expect(rows(page, 'Users')).toHaveCount(3)
  await page.clock.runFor(1_000)

  await first.click()
  await expect(rows(page, 'Users')).toHaveCount(2)
  await first.click()
  expect(await rows(page, 'Users').allTextContents()).toEqual(before.slice(1))
  // A second later it is meant.
  await page.clock.runFor(1_000)
  await first.click()
  expect(await rows(page, 'Users').allTextContents()).toEqual(before.slice(2))
})

test('a deletion is carried out when the desk is left or the user signs out', async ({ page, server }) => {
  await openBuyers(page, server)
  await deleteUser(page, 'Hetal').click()
  // Another view of the desk is no reason to hurry.
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(undo(page, 'Hetal')).toBeVisible()
  expect(known(server)).toEqual(BUYERS)
  await page.getByRole('link', { name: 'Garba Rass 2025' }).click()
  await expect.poll(() => known(server)).toEqual(['Jignesh', 'Kokila'])

  await page.goto('/dashboard/admin/users?search=buyers.test')
  await deleteUser(page, 'Jignesh').click()
  await expect(row(page, 'Jignesh')).toHaveCount(0)
  await signOutByMenu(page)
  await expect.poll(() => known(server)).toEqual(['Kokila'])
})

test('a deleted ticket goes at once, even the only one of the last page, and comes back by Undo', async ({
  page,
  server,
}) => {
  await (await server.api('guest')).buy(21)
  await restoreSession(page, 'admin')
  await page.clock.install()
  await page.goto('/dashboard/admin/tickets?page=2')
  await expect(page.getByText('21-21 of 21')).toBeVisible()
  await page.getByRole('button', { name: /Delete ticket/ }).click()
  // Nothing is left on the second page, so the first one is shown.
  await expect(rows(page, 'Tickets')).toHaveCount(20)
  await toastOf(page, /^Deleting ticket/)
    .getByRole('button', { name: 'Undo' })
    .click()
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await expect(page.getByText('21-21 of 21')).toBeVisible()
  await page.getByRole('button', { name: 'Previous', exact: true }).click()
  await expect(rows(page, 'Tickets')).toHaveCount(20)

  const first = page.getByRole('button', { name: /Delete ticket/ }).first()
  const name = await first.getAttribute('aria-label')
  await page.clock.runFor(1_000)
  await first.click()
  await expect(page.getByRole('button', { name: name ?? '' })).toHaveCount(0)
  // Until the server has deleted it, the last row stays on the second page.
  await expect(page.getByText('1-19 of 20')).toBeVisible()
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await expect(page.getByText('21-21 of 21')).toBeVisible()
  await page.getByRole('button', { name: 'Previous', exact: true }).click()
  await page.clock.runFor(UNDO_MS)
  await expect(toastOf(page, 'Ticket deleted successfully')).toBeVisible()
  await expect(page.getByText('20 tickets, with cancelled ones', { exact: true })).toBeVisible()
  expect(server.rows("select 1 from tickets where status = 'active'")).toHaveLength(20)
})
