import { readFile } from 'node:fs/promises'
import { choose, fillEvent, rows } from '../support/desk.ts'
import { expect, type Page, type TestServer, test } from '../support/fixtures.ts'
import { toastOf } from '../support/screen.ts'
import { enterAs } from '../support/session.ts'

/** Presses a button that exports: the name of the file that was saved, and its text. */
async function exported(page: Page, button: string): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ])
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

/** Presses Export CSV: the lines of the file below its head, which a spreadsheet knows for UTF-8 by its byte order mark. */
async function exportedCsv(page: Page, name: string): Promise<string[]> {
  const file = await exported(page, 'Export CSV')
  expect(file.name).toBe(name)
  return file.text.trimEnd().split('\r\n').slice(1)
}

/** What a spreadsheet would run is text. */
const BUYER_IN_CSV = `,"'=1+1, હેતલ ""H"" વ્યાસ`

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
  await page.getByText('Other views and system').click()
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
  expect(records).toHaveLength(3)
  for (const record of records) expect(record).toContain(BUYER_IN_CSV)
}

test.describe('from the first event on', () => {
  test.use({ serverOptions: { data: 'empty', env: { ADMIN_EMAILS: 'admin@garba.test' } } })

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
    await page.getByText('Other views and system').click()
    await page.getByRole('link', { name: /Sales by day and hour/ }).click()
    await expect(page.getByText('4 sold, 0 available')).toBeVisible()
    // All tickets are sold, and every guest has bought.
    await expect(page.getByText('100%')).toHaveCount(2)

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
    for (const { id } of tickets) expect(records.filter((record) => record.includes(id))).toHaveLength(1)
    for (const record of records) expect(record).toContain(BUYER_IN_CSV)
    for (const refund of ['Done', 'Pending'])
      expect(records.filter((record) => record.includes(refund))).toHaveLength(1)

    const json = await exported(page, 'Export JSON')
    expect(json.name).toBe('tickets.json')
    expect(JSON.parse(json.text).tickets).toHaveLength(4)

    await page.goto('/dashboard/admin/audit?action=event.updated')
    await expect(rows(page, 'Audit trail')).toHaveCount(1)
    await expect(rows(page, 'Audit trail')).toContainText('Asha Admin')
    await expect(page.getByRole('columnheader', { name: 'Subject' })).toBeVisible()
    await expect(rows(page, 'Audit trail')).toContainText(/ -> /)
    await exportRoleChanges(page, server)
  })
})
