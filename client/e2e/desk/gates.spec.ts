import type { AnswerOf } from '../../src/platform/http/call.ts'
import { rows } from '../support/desk.ts'
import { changeEvent } from '../support/event.ts'
import { expect, test } from '../support/fixtures.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

test('an admin names the gates and what each takes, undoing nothing that was changed elsewhere, and Evening counts who came in there', async ({
  page,
  server,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/gate')
  await expect(page.getByText('No gates yet: every phone accepts every ticket.')).toBeVisible()
  await expect(page.getByText('People let in per minute by gate')).toHaveCount(0)
  await page.getByRole('button', { name: 'Edit gates' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit gates' })
  const save = dialog.getByRole('button', { name: 'Save gates' })
  await dialog.getByRole('button', { name: 'Add a gate' }).click()
  await expect(save).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Gate 1' }).fill('North')
  await dialog.getByRole('button', { name: 'Add a gate' }).click()
  await dialog.getByRole('textbox', { name: 'Gate 2' }).fill('VIP')
  await dialog.getByRole('checkbox', { name: 'Complimentary, gate 2' }).check()
  await save.click()
  await expect(rows(page, 'Gates')).toHaveCount(2)
  await expect(toastOf(page, /./)).toHaveCount(0)
  expect(server.rows('select name, kinds from gates order by place')).toEqual([
    { name: 'North', kinds: '[]' },
    { name: 'VIP', kinds: '["complimentary"]' },
  ])
  const body = { qrCode: ticket.qrCode, scanId: crypto.randomUUID(), gate: 'North' }
  await (await server.api('checker')).call('markUsed', { body })
  await expect(rows(page, 'Gates').first()).toContainText(/North.*1/)
  // Only gates that let somebody in are drawn; screen readers get a table.
  const minutes = page.getByRole('table', { name: 'People let in per minute by gate, last two hours' })
  await expect(minutes.locator('thead th')).toHaveText(['Time', 'North'])
  await expect(minutes.getByRole('cell').filter({ hasText: '1' })).toHaveCount(1)
  await expect(minutes.getByRole('cell')).toHaveCount(12)

  // Saving undoes nothing that was changed elsewhere while the dialog was open.
  const other = await server.api('admin')
  await page.getByRole('button', { name: 'Edit gates' }).click()
  await dialog.getByRole('checkbox', { name: 'Online, gate 1' }).check()
  const gates = ['North', 'VIP'].map((name) => ({ name, kinds: [] }))
  expect(await other.call('saveGates', { body: { gates } })).toMatchObject({ status: 200 })
  await other.call('createDevice', { body: { name: 'Phone', gates: ['East'], rights: ['scan'] } })
  await save.click()
  await expect(dialog).toHaveCount(0)
  expect(server.rows('select name, kinds from gates order by place')).toEqual([
    { name: 'North', kinds: '["online"]' },
    { name: 'VIP', kinds: '[]' },
    { name: 'East', kinds: '[]' },
  ])
})

test('where the event has several ticket types, an admin ticks those that a gate takes', async ({ page, server }) => {
  const admin = await server.api('admin')
  const type = (en: string) => ({ name: { en }, phases: [{ price: 300, groupPrice: 300 }] })
  await admin.call('saveGates', { body: { gates: [{ name: 'North', kinds: [] }] } })
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/gate')
  const dialog = page.getByRole('dialog', { name: 'Edit gates' })
  await page.getByRole('button', { name: 'Edit gates' }).click()
  await expect(dialog.getByRole('checkbox')).toHaveCount(4)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)

  await changeEvent(admin, { types: [type('General'), type('Gold')] })
  await page.getByRole('button', { name: 'Edit gates' }).click()
  await expect(dialog.getByRole('checkbox')).toHaveCount(6)
  await expect(dialog).toContainText('The same goes for the types of the event’s tickets.')
  await dialog.getByRole('checkbox', { name: 'Type Gold, gate 1' }).check()
  await dialog.getByRole('button', { name: 'Save gates' }).click()
  await expect(dialog).toHaveCount(0)
  const { gates, types } = (await admin.call('gates')).body as AnswerOf<'gates'>
  const gold = types?.find(({ name }) => name.en === 'Gold')?.id
  expect(gates).toEqual([{ name: 'North', kinds: [], types: [gold] }])

  await page.getByRole('button', { name: 'Edit gates' }).click()
  await expect(dialog.getByRole('checkbox', { name: 'Type Gold, gate 1' })).toBeChecked()
  await dialog.getByRole('checkbox', { name: 'Type Gold, gate 1' }).uncheck()
  await dialog.getByRole('button', { name: 'Save gates' }).click()
  await expect(dialog).toHaveCount(0)
  expect(server.rows('select types from gates')).toEqual([{ types: '[]' }])
})
