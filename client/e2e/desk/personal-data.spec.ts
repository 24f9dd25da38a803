import { cutFirst } from '../support/faults.ts'
import { expect, test } from '../support/fixtures.ts'
import { openDashboard, openLine } from '../support/guest.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

test("a person's data is exported, and a guest erased, from the row's menu", async ({ page, server }) => {
  const radha = { uid: 'radha', email: 'radha@example.test', name: 'Radha Patel' }
  const guest = await server.apiAs(radha)
  const [ticket] = await guest.buy(1)
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/users?search=radha')
  const exported = Promise.withResolvers<number>()
  await page.route('**/api/admin/users/*/export', async (route) => {
    const answer = await route.fetch()
    exported.resolve(answer.status())
    await route.fulfill({ status: answer.status(), json: {} })
  })
  const menu = page.getByRole('button', { name: 'More about Radha Patel' })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Export their data' }).click()
  expect(await exported.promise).toBe(200)

  const erase = async () => {
    await menu.click()
    await page.getByRole('menuitem', { name: 'Erase person' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Erase Radha Patel?' })
    await dialog.getByRole('button', { name: 'Erase person' }).click()
    await expect(dialog).toBeHidden()
  }
  await erase()
  await expect(
    toastOf(
      page,
      'Failed to erase the person: This person still has active tickets. Cancel them first, or wait until the event is over.',
    ),
  ).toBeVisible()
  await guest.call('cancelTicket', { params: { id: ticket.id }, body: { reason: 'Ill' } })
  const cut = await cutFirst(page, '**/api/admin/users/*/erase')
  await page.getByRole('checkbox', { name: 'Select Radha Patel' }).check()
  await erase()
  await expect(toastOf(page, 'Person erased')).toBeVisible()
  await expect(page.getByText('1 user selected')).toHaveCount(0)
  expect(cut.met()).toBe(2)
  await expect(page.getByRole('heading', { name: 'No users found' })).toBeVisible()
  expect(server.rows('select buyer_name as name, price_paise as paise from tickets')).toEqual([
    { name: 'Erased person', paise: 29_900 },
  ])
})

test('a buyer without an account is exported and erased on the order', async ({ page, server }) => {
  const admin = await server.api('admin')
  const sale = {
    quantity: 1,
    method: 'complimentary',
    name: 'Meera Joshi',
    phone: '98250 12345',
    reason: 'A gift',
  } as const
  const sold = await admin.call('sellAtDesk', { body: sale, headers: { 'Idempotency-Key': crypto.randomUUID() } })
  const { order, tickets } = sold.body as unknown as { order: { code: string }; tickets: { id: string }[] }
  await admin.call('setTicketStatus', { params: { id: String(tickets[0]?.id) }, body: { status: 'cancelled' } })
  await restoreSession(page, 'admin')
  await page.goto(`/dashboard/admin/orders/${order.code}`)
  const exported = Promise.withResolvers<unknown>()
  await page.route('**/api/admin/orders/*/export', async (route) => {
    const answer = await route.fetch()
    exported.resolve(await answer.json())
    await route.fulfill({ status: answer.status(), json: {} })
  })
  await page.getByRole('button', { name: 'Export their data' }).click()
  expect(await exported.promise).toMatchObject({ orders: [{ code: order.code, phone: '98250 12345' }] })

  await page.getByRole('button', { name: 'Erase buyer' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Erase Meera Joshi?' })
  await dialog.getByRole('button', { name: 'Erase buyer' }).click()
  await expect(toastOf(page, 'Buyer erased')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Erase buyer' })).toBeHidden()
  await expect(page.getByText('98250 12345')).toHaveCount(0)
})

test('a mistyped address is corrected on the order: the stranger’s tickets leave, and the reason is asked for', async ({
  page,
  server,
}) => {
  const admin = await server.api('admin')
  const sale = {
    quantity: 2,
    method: 'complimentary',
    name: 'Hetal Vyas',
    email: 'ila@example.test',
    reason: 'A gift',
  } as const
  const sold = await admin.call('sellAtDesk', { body: sale, headers: { 'Idempotency-Key': crypto.randomUUID() } })
  const { order } = sold.body as unknown as { order: { code: string } }
  // Signing in with the address takes the tickets.
  const stranger = await server.apiAs({ uid: 'ila', email: 'ila@example.test', name: 'Ila Dave' })
  expect((await stranger.call('myTickets', {})).body.tickets).toHaveLength(2)
  await restoreSession(page, 'admin')
  await page.goto(`/dashboard/admin/orders/${order.code}`)
  await page.getByRole('button', { name: 'Change buyer' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change the buyer' })
  await expect(dialog.getByText('Change something first.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Phone' }).fill('98250 12345')
  await expect(dialog.getByText('Links and codes stay as they are.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Email' }).fill('hetal@example.test')
  await expect(dialog.getByText(/^2 tickets get new codes; the old ones let nobody in/)).toBeVisible()
  await expect(dialog.getByText('Write a reason first.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Why?' }).fill('Typed wrongly')
  await dialog.getByRole('button', { name: 'Change buyer' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('hetal@example.test')).toBeVisible()
  await expect(toastOf(page, /./)).toHaveCount(0)
  expect(
    server.rows("select distinct user_id as owner, buyer_email as email from tickets where status = 'active'"),
  ).toEqual([{ owner: null, email: 'hetal@example.test' }])
  expect((await stranger.call('myTickets', {})).body.tickets).toEqual([])
})

test('a guest deletes their account, is asked about the tickets of the coming event, and is signed out', async ({
  page,
  server,
}) => {
  await (await server.api('guest')).buy(2)
  await openDashboard(page)
  await openLine(page, 'Your details')
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete your account?' })
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(dialog.getByText(/You still have 2 tickets for an event to come/)).toBeVisible()
  expect(server.rows("select count(*) as n from tickets where status = 'active'")).toEqual([{ n: 2 }])
  await dialog.getByRole('button', { name: 'Keep account' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByRole('button', { name: 'Give up tickets and delete' }).click()
  await expect(toastOf(page, 'Your account is deleted.')).toBeVisible()
  await expect.poll(() => server.rows("select 1 from users where email = 'guest@garba.test'")).toEqual([])
  await expect(page.getByRole('heading', { level: 1, name: /Garima Guest/ })).toHaveCount(0)
  expect(server.rows('select distinct status, buyer_name as name from tickets')).toEqual([
    { status: 'cancelled', name: 'Erased person' },
  ])
})
