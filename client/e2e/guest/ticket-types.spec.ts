import { choose } from '../support/desk.ts'
import { UPI_AND_DESK } from '../support/deskMoney.ts'
import { changeEvent } from '../support/event.ts'
import { expect, type Locator, type Page, test } from '../support/fixtures.ts'
import { buyButton, moment, openDashboard, ticketCards } from '../support/guest.ts'
import { restoreSession } from '../support/session.ts'

const one = (price: number, more = {}) => ({ price, groupPrice: price, ...more })
const TYPES = [
  { name: { en: 'General' }, phases: [one(200, { sold: 40 }), one(300)] },
  { name: { en: 'VIP' }, note: 'Front rows', seats: 10, phases: [one(1_000)] },
  { name: { en: 'Student' }, paused: true, phases: [one(100)] },
  { name: { en: 'Crew' }, hidden: true, phases: [one(50)] },
]

async function confirmOrder(page: Page, dialog: Locator) {
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page
    .getByRole('dialog', { name: 'Confirm Your Order' })
    .getByRole('button', { name: /^(Get|Pay) / })
    .click()
}

test('a guest buys of two types in one order, and a code shows what is hidden', async ({ page, server }) => {
  const admin = await server.api('admin')
  await changeEvent(admin, { types: TYPES })
  await admin.call('makePromoCode', { body: { code: 'Crew 25', kind: 'access' } })
  await openDashboard(page)
  await buyButton(page).click()
  const dialog = page.getByRole('dialog', { name: 'Get Your Tickets' })
  await expect(dialog).toContainText('40 more at this price')
  await expect(dialog).toContainText('Front rows')
  await expect(dialog).toContainText('Paused')
  await expect(dialog).not.toContainText('Crew')
  await dialog.getByRole('button', { name: 'VIP: One ticket more' }).click()
  await expect(dialog).toContainText('₹1,200')
  await dialog.getByRole('textbox', { name: 'Code (optional)' }).fill('crew24')
  await dialog.getByRole('button', { name: 'Use code' }).click()
  await expect(dialog).toContainText('This code is not known')
  await dialog.getByRole('textbox', { name: 'Code (optional)' }).fill('crew25')
  await dialog.getByRole('button', { name: 'Use code' }).click()
  await dialog.getByRole('button', { name: 'Crew: One ticket more' }).click()
  await expect(dialog).toContainText('₹1,250')
  await confirmOrder(page, dialog)
  await expect(moment(page, 3)).toBeVisible()
  await expect(ticketCards(page)).toHaveCount(3)
  expect(server.rows('select price_paise as paise from tickets order by price_paise')).toEqual([
    { paise: 5_000 },
    { paise: 20_000 },
    { paise: 100_000 },
  ])
})

test('an admin adds a type with its seats, and reads why a wrong one is refused', async ({ page, server }) => {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/event')
  await page.getByRole('button', { name: 'Edit ticket types' }).click()
  await page.getByRole('button', { name: 'Add a type' }).click()
  const added = page.getByRole('group', { name: 'New type' })
  await page.getByRole('button', { name: 'Save ticket types' }).click()
  await expect(page.getByText('Type 2: Enter an English name')).toBeVisible()
  await added.getByLabel('Name', { exact: true }).fill('VIP')
  const vip = page.getByRole('group', { name: 'VIP' })
  await vip.getByLabel('Price (₹)').fill('900')
  await vip.getByLabel('Seats (empty: as many as the event has)').fill('20')
  await page.getByRole('button', { name: 'Save ticket types' }).click()
  await expect(page.getByText('0 of 20 taken · ₹900')).toBeVisible()
  await page.getByRole('button', { name: 'Edit ticket types' }).click()
  await vip.getByRole('button', { name: 'Add an earlier price' }).click()
  await vip.getByLabel('or until this many are sold').fill('5')
  await vip.getByLabel('Price (₹)').first().fill('750')
  await expect(vip).toContainText('Guests pay ₹750 until 5 sold, then ₹900.')
  await vip.getByRole('button', { name: 'Move up' }).click()
  await vip.getByRole('button', { name: 'Move down' }).click()
  await vip.getByRole('button', { name: 'Move up' }).click()
  await page.getByRole('button', { name: 'Save ticket types' }).click()
  await expect(page.getByText('0 of 20 taken · ₹750 until 5 sold, then ₹900')).toBeVisible()
  await expect(page.getByText(/taken ·/).first()).toContainText('₹750')
  expect(server.rows('select count(*) as n from type_seats')).toEqual([{ n: 2 }])
})

test('a code is asked for where only one type is seen, only while one can be used, and lowers the price', async ({
  page,
  server,
}) => {
  const admin = await server.api('admin')
  const { body } = await admin.call('makePromoCode', { body: { code: 'GARBA20', kind: 'percent', value: 20 } })
  const { id } = body.code as { id: string }
  await openDashboard(page)
  await buyButton(page).click()
  const dialog = page.getByRole('dialog', { name: 'Get Your Tickets' })
  await dialog.getByRole('textbox', { name: 'How many tickets?' }).fill('2')
  await dialog.getByRole('button', { name: 'Have a code?' }).click()
  const field = dialog.getByRole('textbox', { name: 'Code (optional)' })
  await expect(field).toBeFocused()
  await field.fill('garba 20')
  await dialog.getByRole('button', { name: 'Use code' }).click()
  await expect(dialog.locator('dl')).toHaveText(/2 × ₹239\.20Total₹478\.40$/)
  await confirmOrder(page, dialog)
  await expect(moment(page, 2)).toBeVisible()
  expect(server.rows('select price_paise as paise from tickets')).toEqual([{ paise: 23_920 }, { paise: 23_920 }])
  await admin.call('changePromoCode', { params: { id }, body: { paused: true } })
  await page.reload()
  await buyButton(page).click()
  await expect(dialog.getByRole('textbox', { name: 'How many tickets?' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Have a code?' })).toHaveCount(0)
})

test.describe('while the only type has an early price', () => {
  test.use({ serverOptions: { env: UPI_AND_DESK } })

  test('the landing page, the purchase and the counter ask for it', async ({ page, server }) => {
    await changeEvent(await server.api('admin'), {
      types: [{ name: { en: 'General' }, phases: [one(200, { sold: 40 }), one(300)] }],
    })
    await openDashboard(page)
    await expect(page.getByRole('main')).toContainText('₹200')
    await buyButton(page).click()
    await expect(page.getByRole('dialog', { name: 'Get Your Tickets' })).toContainText('40 more at this price')
    await page.keyboard.press('Escape')
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin/orders')
    await page.getByRole('link', { name: 'Sell' }).click()
    await page.getByRole('button', { name: 'Card', exact: true }).click()
    await page.getByRole('button', { name: 'Take ₹200 and make 1 ticket' }).click()
    await expect.poll(() => server.rows('select total_paise as paise from orders')).toEqual([{ paise: 20_000 }])
  })
})

test('the counter sells several types at once, a hidden one too, and paper tickets are of a type', async ({
  page,
  server,
}) => {
  const takenSeats = () => server.rows('select taken from type_seats order by taken desc limit 1')
  await changeEvent(await server.api('admin'), { types: TYPES })
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/orders/sell')
  await page.getByLabel('Name of the block').fill('Rajwadi Sweets')
  await page.getByLabel('How many').fill('4')
  await choose(page.getByRole('combobox', { name: 'Ticket type' }).last(), 'VIP')
  await page.getByRole('button', { name: 'Make a block' }).click()
  await expect.poll(takenSeats).toEqual([{ taken: 4 }])
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'Rajwadi Sweets' })).toContainText('VIP')
  await expect(page.getByText('₹1,000 · 6 left', { exact: true })).toBeVisible()
  await expect(page.getByText('Hidden: you need no code')).toHaveCount(1)
  await expect(page.getByText('Guests cannot buy it now')).toHaveCount(1)
  await page.getByRole('button', { name: 'General: One ticket less' }).click()
  await expect(page.getByText('Choose a ticket.')).toBeVisible()
  for (const name of ['VIP', 'Crew']) await page.getByRole('button', { name: `${name}: One ticket more` }).click()
  await page.getByLabel('Reason').fill('Guests of the committee')
  await page.getByRole('button', { name: 'Give 2 tickets' }).click()
  await expect
    .poll(() => server.rows('select count(distinct type_id) as types, sum(price_paise) as paise from tickets'))
    .toEqual([{ types: 2, paise: 0 }])
  expect(takenSeats()).toEqual([{ taken: 5 }])
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('textbox', { name: 'General' })).toHaveValue('1')
})
