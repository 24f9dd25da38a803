import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { choose, fillEvent, rows } from './support/desk.ts'
import { expect, type Page, type TestServer, test } from './support/fixtures.ts'
import { toastOf } from './support/screen.ts'
import { enterAs } from './support/session.ts'

/** Presses Export CSV: the records of the file, which a spreadsheet knows for UTF-8 by its byte order mark. */
async function exportedCsv(page: Page, name: string): Promise<Record<string, string>[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe(name)
  const text = await readFile(await download.path(), 'utf8')
  expect(text.startsWith('\uFEFF')).toBe(true)
  return parse(text, { bom: true, columns: true })
}

test.use({ serverOptions: { data: 'empty', env: { ADMIN_EMAILS: 'admin@garba.test' } } })

async function createEvent(page: Page) {
  await page.goto('/dashboard/admin')
  await expect(page.getByText('Not Configured')).toBeVisible()
  await page.getByRole('link', { name: 'Create Event' }).click()
  await fillEvent(page)
  await page.getByRole('button', { name: 'Create Event' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  await expect(toastOf(page, 'Event created successfully! 🎉')).toBeVisible()
  // The page reloads and shows what was saved, with no draft brought back.
  await expect(page.getByRole('button', { name: 'Edit Event Details' })).toBeVisible()
  await expect(page.getByText('4 of 4 available')).toBeVisible()
}

async function editEvent(page: Page) {
  await page.getByRole('button', { name: 'Edit Event Details' }).click()
  await page.getByLabel('Event name').fill('Garba Rass, the last night')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  await expect(toastOf(page, 'Event updated successfully! ✨')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit Event Details' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Garba Rass, the last night' })).toBeVisible()
  await expect(page.getByText('Your unsaved changes were restored.')).toBeHidden()
}

/** Everything is bought by somebody whose name a spreadsheet would run. */
async function sellOut(server: TestServer) {
  const buyer = await server.apiAs({ uid: 'formula', email: 'hetal@example.test', name: '=1+1, હેતલ "H" વ્યાસ' })
  return buyer.buy(4)
}

async function changeRole(page: Page) {
  await page.getByRole('link', { name: 'Back to Dashboard' }).click()
  await page.getByRole('link', { name: /Manage Users/ }).click()
  const row = rows(page, 'Users').filter({ hasText: 'hetal@example.test' })
  await row.getByRole('button', { name: /Change role/ }).click()
  const dialog = page.getByRole('dialog')
  await choose(dialog.getByRole('combobox', { name: 'New role' }), 'Manager')
  await dialog.getByRole('button', { name: 'Change role' }).click()
  await expect(toastOf(page, 'User role updated successfully')).toBeVisible()
  await expect(row.getByText('Manager')).toBeVisible()
  await expect(rows(page, 'Users').filter({ hasText: 'admin@garba.test' }).getByRole('button').first()).toBeDisabled()
}

async function cancelTwo(page: Page) {
  await page.goto('/dashboard/admin/tickets')
  for (const at of [0, 1]) await rows(page, 'Tickets').nth(at).getByRole('checkbox').check()
  await expect(page.getByText('2 tickets selected')).toBeVisible()
  await page.getByRole('button', { name: 'Bulk update' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Update tickets' }).click()
  await expect(toastOf(page, 'Please select tickets and status')).toBeVisible()
  await choose(page.getByRole('dialog').getByRole('combobox'), 'Cancelled')
  await page.getByRole('dialog').getByRole('button', { name: 'Update tickets' }).click()
  await expect(toastOf(page, 'Updated 2 tickets successfully')).toBeVisible()
  await expect(page.getByText('2 tickets selected')).toBeHidden()
}

/** The audit trail is exported as it is filtered, and reads back row by row. */
async function exportRoleChanges(page: Page, server: TestServer) {
  const admin = await server.api('admin')
  const [buyer] = server.rows<{ id: string }>("select id from users where email = 'hetal@example.test'")
  for (const role of ['qrchecker', 'guest'])
    expect((await admin.call('setRole', { params: { id: String(buyer?.id) }, body: { role } })).status).toBe(200)
  await choose(page.getByRole('combobox', { name: 'What' }), 'Role changed')
  await expect(rows(page, 'Audit trail')).toHaveCount(3)
  const records = await exportedCsv(page, 'audit.csv')
  await expect(toastOf(page, 'Audit trail exported successfully')).toBeVisible()
  const { body } = await admin.call('audit', { query: { action: 'user.role' } })
  const entries = body.rows as { at: string; actorName: string; subject: string; subjectName: string; detail: string }[]
  expect(entries).toHaveLength(3)
  expect(records).toHaveLength(3)
  const cells = records.map((record) => Object.values(record))
  for (const [index, { at, actorName, subject, subjectName, detail }] of entries.entries())
    for (const value of [at, actorName, subject, subjectName, detail])
      expect(
        cells[index]?.some((cell) => cell === value || cell === `'${value}`),
        value,
      ).toBe(true)
  // What a spreadsheet would run is text.
  expect(cells.flat().filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([])
}

test('an admin creates the event, edits it, sees it sold out, changes a role, cancels, refunds and exports, also the audit trail', async ({
  page,
  server,
}) => {
  await enterAs(page, 'admin')
  await createEvent(page)
  await editEvent(page)
  const tickets = await sellOut(server)
  expect(tickets.map(({ price }) => price)).toEqual([249.5, 249.5, 249.5, 249.5])

  await page.goto('/dashboard/admin')
  await expect(page.getByText('0 of 4 left').first()).toBeVisible()
  await page.getByRole('link', { name: /Sales by day and hour/ }).click()
  await expect(page.getByText('4 sold, 0 available')).toBeVisible()
  await expect(page.getByText('100%')).toBeVisible()

  await changeRole(page)
  await cancelTwo(page)

  const refund = page.getByRole('combobox', { name: /Refund of ticket/ }).first()
  await choose(refund, 'Done')
  await expect(toastOf(page, 'Refund state updated successfully')).toBeVisible()
  await expect(refund).toHaveText('Done')
  expect(server.rows('select 1 from tickets where is_refund_done = 1')).toHaveLength(1)

  const records = await exportedCsv(page, 'tickets.csv')
  await expect(toastOf(page, 'Tickets exported successfully')).toBeVisible()
  expect(records).toHaveLength(4)
  expect(new Set(records.map((row) => row['Ticket ID']))).toEqual(new Set(tickets.map(({ id }) => id)))
  expect(new Set(records.map((row) => row.Name))).toEqual(new Set([`'=1+1, હેતલ "H" વ્યાસ`]))
  expect(records.map((row) => row.Refund).toSorted()).toEqual(['', '', 'Done', 'Pending'])

  const [json] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export JSON' }).click(),
  ])
  expect(json.suggestedFilename()).toBe('tickets.json')
  expect(JSON.parse(await readFile(await json.path(), 'utf8')).tickets).toHaveLength(4)

  await page.goto('/dashboard/admin/audit?action=event.updated')
  await expect(rows(page, 'Audit trail')).toHaveCount(1)
  await expect(rows(page, 'Audit trail')).toContainText('Asha Admin')
  await expect(page.getByRole('columnheader', { name: 'Subject' })).toBeVisible()
  await expect(rows(page, 'Audit trail')).toContainText(/ -> /)
  await exportRoleChanges(page, server)
})
