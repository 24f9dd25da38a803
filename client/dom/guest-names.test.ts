import { expect, test } from './support/fixtures.ts'
import { openDashboard, ticketCards } from './support/guest.ts'
import { toastOf } from './support/screen.ts'

test('the owner writes who uses a ticket: card and gate have the name, and an empty field gives the buyer back', async ({
  page,
  server,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  await openDashboard(page)
  const card = ticketCards(page).first()
  const open = async () => {
    await card.getByRole('button', { name: 'Name on ticket' }).click()
    return page.getByRole('dialog', { name: /^Name on ticket/ })
  }
  const dialog = await open()
  const field = dialog.getByRole('textbox', { name: 'Who uses this ticket?' })
  await expect(dialog).toContainText('Left empty: Garima Guest')
  await field.fill('M'.repeat(61))
  await expect(dialog).toContainText('At most 60 characters.')
  await expect(dialog.getByRole('button', { name: 'Save name' })).toBeDisabled()
  await field.fill('  Meera Joshi ')
  await dialog.getByRole('button', { name: 'Save name' }).click()
  await expect(toastOf(page, 'Name saved')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(card.getByRole('heading', { name: /Meera Joshi/ })).toBeVisible()
  const roster = await (await server.api('checker')).call('roster')
  expect(roster.body).toMatchObject({ tickets: [{ id: ticket._id, name: 'Meera Joshi' }] })

  const again = await open()
  await expect(again.getByRole('textbox')).toHaveValue('Meera Joshi')
  await again.getByRole('textbox').fill('')
  await again.getByRole('button', { name: 'Save name' }).click()
  await expect(again).toBeHidden()
  await expect(card.getByRole('heading', { name: /Garima Guest/ })).toBeVisible()
})

test('a name that comes too late is kept in the field, with the reason', async ({ page, server }) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  await openDashboard(page)
  await ticketCards(page).first().getByRole('button', { name: 'Name on ticket' }).click()
  const dialog = page.getByRole('dialog', { name: /^Name on ticket/ })
  await dialog.getByRole('textbox').fill('Meera')
  const admin = await server.api('admin')
  await admin.call('setTicketStatus', { params: { id: ticket._id }, body: { status: 'used' } })
  await dialog.getByRole('button', { name: 'Save name' }).click()
  await expect(dialog).toContainText('The name can only be changed while the ticket is active.')
  await expect(dialog.getByRole('textbox')).toHaveValue('Meera')
})
