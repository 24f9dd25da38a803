import { spoil } from '../support/deskMoney.ts'
import { expect, type TestServer, test } from '../support/fixtures.ts'
import { follow, toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

/** Tickets that a guest holds and the server has lost. */
async function bereft(server: TestServer, { name, quantity }: { name: string; quantity: number }) {
  const guest = await server.apiAs({ uid: name, email: 'guest@example.test', name })
  const tickets = await guest.buy(quantity)
  spoil(server, 'delete from tickets')
  spoil(server, 'delete from orders')
  spoil(server, 'update events set taken_seats = 0')
  await guest.call('offerLost', { body: { codes: tickets.map(({ qrCode }) => qrCode) } })
  return tickets
}

test('lost tickets draw the eye only while some wait, and are confirmed or refused with a note', async ({
  page,
  server,
}) => {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/tickets/lost')
  await expect(page.getByText('No lost tickets')).toBeVisible()
  await follow(page, '/dashboard/admin/tickets')
  await expect(page.getByRole('heading', { name: 'Manage Tickets' })).toBeVisible()
  await expect(page.getByText(/lost tickets? needs? your decision/)).toHaveCount(0)

  const [first, second] = await bereft(server, { name: 'Radha Patel', quantity: 2 })
  await page.goto('/dashboard/admin')
  await expect(page.getByText('2 lost tickets need your decision')).toBeVisible()
  await page.getByRole('link', { name: 'Review' }).click()
  await expect(page.getByText(/^2 tickets waiting, .* free seats$/)).toBeVisible()
  await page.getByRole('button', { name: `Confirm ticket ${first?._id.slice(-8)} of Radha Patel` }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm lost ticket' })
  await expect(confirm).toContainText('₹299')
  await confirm.getByRole('button', { name: 'Confirm' }).click()
  await expect(toastOf(page, 'Ticket confirmed')).toBeVisible()

  await page.getByRole('button', { name: `Refuse ticket ${second?._id.slice(-8)} of Radha Patel` }).click()
  const refuse = page.getByRole('dialog', { name: 'Refuse lost ticket' })
  await expect(refuse.getByRole('button', { name: 'Refuse' })).toBeDisabled()
  await refuse.getByRole('textbox').fill('It went back on Friday.')
  await refuse.getByRole('button', { name: 'Refuse' }).click()
  await expect(toastOf(page, 'Ticket refused')).toBeVisible()
  await expect(page.getByText(/tickets? waiting/)).toHaveCount(0)
  await expect(page.getByText('It went back on Friday.')).toBeVisible()
  expect(server.rows('select id, status from tickets')).toEqual([{ id: first?._id, status: 'active' }])
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Home' }).click()
  await expect(page.getByText('1,199 of 1,200 left')).toBeVisible()
  await follow(page, '/dashboard/admin/tickets')
  await expect(page.getByText(/lost tickets? needs? your decision/)).toHaveCount(0)
})

test.describe('where tickets are paid for', () => {
  test.use({ serverOptions: { env: { PAYMENTS: 'upi,desk', UPI_ID: 'garba@bank', UPI_NAME: 'Garba Rass' } } })

  test('a confirmation says how the ticket was paid', async ({ page, server }) => {
    const desk = await server.api('admin')
    const headers = { 'idempotency-key': crypto.randomUUID() }
    await desk.call('openCashSession', { body: { float: 0 } })
    const sold = await desk.call('sellAtDesk', { body: { quantity: 1, method: 'cash', name: 'Radha Patel' }, headers })
    const [ticket] = sold.body.tickets as { _id: string; qrCode: string }[]
    for (const table of ['jobs', 'tickets', 'payments', 'orders']) spoil(server, `delete from ${table}`)
    spoil(server, 'update events set taken_seats = 0')
    await (await server.api('guest')).call('offerLost', { body: { codes: [ticket?.qrCode] } })
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin/tickets/lost')
    await page.getByRole('button', { name: /^Confirm ticket/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm lost ticket' })
    const save = dialog.getByRole('button', { name: 'Confirm' })
    await expect(save).toBeDisabled()
    await dialog.getByRole('textbox', { name: 'UTR number' }).fill('41234567890')
    await expect(save).toBeDisabled()
    await expect(dialog).toContainText('Enter the 12-digit UTR')
    await dialog.getByRole('textbox', { name: 'UTR number' }).fill('412345678901')
    await save.click()
    await expect(toastOf(page, 'Ticket confirmed')).toBeVisible()
    expect(server.rows('select utr, amount_paise as paise from payments')).toEqual([
      { utr: '412345678901', paise: 29_900 },
    ])
  })
})
