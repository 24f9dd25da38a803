import type { DeskTicketType } from '@garba/shared/contracts/types/ticketType'
import { choose } from '../support/desk.ts'
import { changeEvent } from '../support/event.ts'
import { hold } from '../support/faults.ts'
import { expect, type Page, type TestServer, test } from '../support/fixtures.ts'
import { Gate, openPaired } from '../support/gate.ts'

const one = (price: number) => ({ price, groupPrice: price })
const TYPES = [
  { name: { en: 'General' }, phases: [one(300)] },
  { name: { en: 'VIP' }, note: 'Front rows', seats: 10, phases: [one(1_000)] },
  { name: { en: 'Student' }, paused: true, phases: [one(100)] },
]

async function openTill(page: Page, server: TestServer) {
  await openPaired(page, server, { rights: ['scan', 'sell', 'complimentary'] })
  await page.getByRole('button', { name: 'Sell tickets' }).click()
  await page.getByLabel('Cash you start with (₹)').fill('500')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
}

const sold = (server: TestServer) =>
  server.rows(
    "select json_extract(t.value, '$.name.en') as type, k.price_paise / 100 as price from tickets k, events e, json_each(e.types) t where json_extract(t.value, '$.id') = k.type_id order by k.rowid",
  )

test.describe('a phone that sells', () => {
  test.use({ serverOptions: { env: { PAYMENTS: 'desk' } } })

  test('chooses a type online and without a network; a type it has no codes of is not sold as another', async ({
    page,
    context,
    server,
  }) => {
    await changeEvent(await server.api('admin'), { types: TYPES })
    await openTill(page, server)
    const type = page.getByRole('combobox', { name: 'Ticket type' })
    await type.first().click()
    await expect(page.getByRole('option')).toHaveCount(2)
    await page.getByRole('option', { name: 'VIP' }).click()
    await expect(page.locator('[data-testid=total]')).toHaveText('₹1,000')
    await page.getByRole('button', { name: 'Take ₹1,000, sell 1 ticket' }).click()
    await expect(page.getByRole('heading', { name: 'Sold: 1 ticket' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Sales on this phone' })).toContainText('VIP')
    expect(sold(server)).toEqual([{ type: 'VIP', price: 1_000 }])

    await choose(type, 'VIP, ₹1,000')
    await page.getByLabel('How many').fill('2')
    await page.getByRole('button', { name: 'Take tickets' }).click()
    await expect(page.getByText('VIP: 2', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Next sale' }).click()
    await context.setOffline(true)
    await expect(page.getByText('Offline: selling the tickets kept on this phone')).toBeVisible()
    await expect(page.getByText('Only 0 tickets left on this phone')).toBeVisible()
    await choose(type.first(), 'VIP, ₹1,000')
    await page.getByRole('button', { name: '2', exact: true }).click()
    await page.getByRole('button', { name: 'Take ₹2,000, sell 2 tickets' }).click()
    await expect(page.getByRole('heading', { name: 'Sold: 2 tickets' })).toBeVisible()
    await context.setOffline(false)
    await expect.poll(() => sold(server)).toHaveLength(3)
    expect(sold(server).at(-1)).toEqual({ type: 'VIP', price: 1_000 })
    await expect(page.getByText('Sent', { exact: true })).toHaveCount(2)
  })

  test('sees which type is sold out before anything is sold', async ({ page, server }) => {
    const types = TYPES.map((type) => ({ ...type, seats: 'note' in type ? 1 : null }))
    await changeEvent(await server.api('admin'), { types })
    await openTill(page, server)
    const type = page.getByRole('combobox', { name: 'Ticket type' }).first()
    await choose(type, 'VIP, ₹1,000')
    await page.getByRole('button', { name: 'Take ₹1,000, sell 1 ticket' }).click()
    await page.getByRole('button', { name: 'Next sale' }).click()
    await type.click()
    await expect(page.getByRole('option', { name: 'VIP, sold out' })).toBeVisible()
    await expect(page.getByRole('option', { name: 'General, ₹300' })).toBeVisible()
  })

  test('sees nothing of types where there is one', async ({ page, server }) => {
    await openTill(page, server)
    await page.getByRole('button', { name: 'Take tickets' }).click()
    await expect(page.locator('[data-testid=stock]')).toHaveText('20')
    await expect(page.getByRole('combobox', { name: 'Ticket type' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Take ₹299, sell 1 ticket' }).click()
    await expect(page.getByRole('heading', { name: 'Sold: 1 ticket' })).toBeVisible()
    await expect(page.getByRole('main')).not.toContainText('General')
  })

  test('sells nothing once the chosen type has been paused, and says why', async ({ page, server }) => {
    const admin = await server.api('admin')
    await changeEvent(admin, { types: TYPES })
    await openTill(page, server)
    const type = page.getByRole('combobox', { name: 'Ticket type' }).first()
    await choose(type, 'VIP, ₹1,000')
    const { types } = (await admin.call('deskTypes')).body as { types: DeskTicketType[] }
    await changeEvent(admin, {
      types: types.map(({ taken: _, ...each }) => ({ ...each, paused: each.name.en !== 'General' })),
    })
    await page.getByRole('button', { name: 'Take ₹1,000, sell 1 ticket' }).click()
    await expect(page.getByRole('alert')).toContainText('This ticket type is not on sale now.')
    expect(sold(server)).toEqual([])
    await choose(type, 'General, ₹300')
    await page.getByRole('button', { name: 'Take ₹300, sell 1 ticket' }).click()
    await expect.poll(() => sold(server)).toEqual([{ type: 'General', price: 300 }])
  })
})

test('the verdict names the type of a ticket that is not in the phone’s list yet, from the server’s answer', async ({
  page,
  server,
}) => {
  await changeEvent(await server.api('admin'), { types: TYPES })
  await hold(page, /\/api\/scanner\/live/)
  const gate = await Gate.open(page)
  await gate.start()
  // From now on the list is asked for and does not come, which is no sign of a bad network yet.
  await hold(page, /\/api\/scanner\/roster/)
  const guest = await server.api('guest')
  const { types } = ((await guest.call('event')).body.data ?? {}) as { types: { id: string; name: { en: string } }[] }
  const vip = types.find(({ name }) => name.en === 'VIP')?.id ?? ''
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const bought = await guest.call('buyTickets', { body: { lines: [{ type: vip, quantity: 1 }] }, headers })
  const [ticket] = bought.body.tickets as { qrCode: string }[]
  const verdict = await gate.scan(ticket?.qrCode ?? '')
  expect(verdict).toMatchObject({ look: 'allowed', by: 'server', words: expect.stringContaining('VIP: Front rows') })
})
