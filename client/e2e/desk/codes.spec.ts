import { choose, rows } from '../support/desk.ts'
import { changeEvent } from '../support/event.ts'
import { expect, test } from '../support/fixtures.ts'
import { follow, toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

const TYPES = [
  { name: { en: 'General' }, phases: [{ price: 300 }] },
  { name: { en: 'VIP' }, seats: 10, phases: [{ price: 1_000 }] },
]

test('an admin makes a code for a type, pauses it, and sees who used it; one that exists already is refused where it was typed', async ({
  page,
  server,
}) => {
  const admin = await server.api('admin')
  await changeEvent(admin, { types: TYPES })
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/event')
  await page.getByRole('link', { name: 'Promo codes' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Promo codes' })).toBeVisible()
  await expect(page.getByText('No promo codes')).toBeVisible()
  await page.getByRole('button', { name: 'Make a code' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make a promo code' })
  await expect(dialog).toContainText('Enter a code')
  await dialog.getByLabel('Code').fill('Friends 20')
  await expect(dialog).toContainText('Enter how much it takes off')
  await dialog.getByLabel('Per cent off each ticket').fill('120')
  await dialog.getByRole('checkbox', { name: 'VIP' }).check()
  await dialog.getByLabel('Tickets in total (empty: no limit)').fill('5')
  await dialog.getByLabel('Note (optional)').fill('For the drummers')
  await dialog.getByRole('button', { name: 'Make code' }).click()
  await expect(dialog).toContainText('A code can take off at most 100 per cent')
  await dialog.getByLabel('Per cent off each ticket').fill('20')
  await dialog.getByRole('button', { name: 'Make code' }).click()
  await expect(rows(page, 'Promo codes')).toHaveCount(1)
  const row = rows(page, 'Promo codes').filter({ hasText: 'Friends 20' })
  await expect(row).toContainText(/Friends 20.*For the drummers.*20% off.*VIP.*0 of 5.*No end.*In use/)

  const { types } = (await admin.call('deskTypes')).body as { types: { id: string }[] }
  const lines = [{ type: types[1]?.id ?? '', quantity: 2 }]
  const sold = await (await server.api('guest')).call('buyTickets', {
    body: { lines, code: 'FRIENDS20' },
    headers: { 'Idempotency-Key': crypto.randomUUID() },
  })
  expect(sold.status).toBe(201)
  await (await server.api('guest')).buy(1)
  await admin.call('makePromoCode', { body: { code: 'CREW', kind: 'access' } })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(rows(page, 'Promo codes').filter({ hasText: 'CREW' })).toContainText('Shows hidden types')
  await expect(row).toContainText('2 of 5')
  await page.getByRole('button', { name: 'More about code Friends 20' }).click()
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await expect(row).toContainText('Paused')

  await page.getByRole('button', { name: 'Make a code' }).click()
  await dialog.getByLabel('Code').fill('cr ew')
  await choose(dialog.getByRole('combobox', { name: 'What it does' }), 'Show hidden types')
  await dialog.getByRole('button', { name: 'Make code' }).click()
  await expect(dialog).toContainText('This code exists already')
  await expect(toastOf(page, 'This code exists already')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await row.getByRole('link').click()
  await expect(rows(page, 'Orders')).toHaveCount(1)
  await expect(rows(page, 'Orders').first()).toContainText(/2 VIP.*₹1,600/)
  await rows(page, 'Orders').first().getByRole('link').first().click()
  await expect(page.getByRole('main')).toContainText('Friends 20, made by ')
})

test('tickets and orders have a column and a filter for the type where there are several', async ({ page, server }) => {
  await changeEvent(await server.api('admin'), { types: TYPES })
  const { types } = (await (await server.api('admin')).call('deskTypes')).body as { types: { id: string }[] }
  const body = { lines: types.map(({ id }, at) => ({ type: id, quantity: at + 1 })) }
  await (await server.api('guest')).call('buyTickets', { body, headers: { 'Idempotency-Key': crypto.randomUUID() } })
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/tickets')
  await expect(page.getByRole('columnheader', { name: 'Type' })).toBeVisible()
  await expect(rows(page, 'Tickets')).toHaveCount(3)
  await choose(page.getByRole('combobox', { name: 'Ticket type' }), 'General')
  await expect(rows(page, 'Tickets')).toHaveCount(1)
  await expect(rows(page, 'Tickets').first()).toContainText('General')
  await follow(page, '/dashboard/admin/analytics')
  await expect(rows(page, 'By Ticket Type').last()).toContainText(/VIP.*2.*8.*₹2,000/)
  await follow(page, '/dashboard/admin/orders')
  await expect(rows(page, 'Orders').first()).toContainText('1 General, 2 VIP')
  await choose(page.getByRole('combobox', { name: 'Ticket type' }), 'VIP')
  await expect(page).toHaveURL(new RegExp(`type=${types[1]?.id}`))
  await expect(rows(page, 'Orders')).toHaveCount(1)
})

test('with one type and no code the tables are as they were', async ({ page, server }) => {
  await (await server.api('guest')).buy(1)
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/tickets')
  await expect(rows(page, 'Tickets')).toHaveCount(1)
  await expect(page.getByRole('columnheader', { name: 'Type' })).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: 'Ticket type' })).toHaveCount(0)
  await follow(page, '/dashboard/admin/orders')
  await expect(rows(page, 'Orders')).toHaveCount(1)
  await expect(page.getByRole('combobox', { name: 'Code' })).toHaveCount(0)
})
