import { orderPage } from '@garba/shared/contracts/site/pages'
import type { TicketTypeInput, TicketTypeOffer } from '@garba/shared/contracts/types/ticketType'
import { changeEvent } from '../support/event.ts'
import { expect, type Page, type TestServer, test, workerReady } from '../support/fixtures.ts'
import { entryPass, openDashboard, ticketCards } from '../support/guest.ts'

const one = (price: number) => ({ price, groupPrice: price })
const TYPES = [
  { name: { en: 'General', gu: 'સામાન્ય' }, phases: [one(300)] },
  { name: { en: 'Couple', gu: 'યુગલ' }, admits: 2, phases: [one(500)] },
  { name: { en: 'Student', gu: 'વિદ્યાર્થી' }, hidden: true, phases: [one(100)] },
]

/** Sells one of each of these types to the guest, the hidden one by its code. */
async function sell(
  server: TestServer,
  types: readonly TicketTypeInput[] = TYPES,
): Promise<{ ids: string[]; code: string }> {
  const admin = await server.api('admin')
  await changeEvent(admin, { types })
  await admin.call('makePromoCode', { body: { code: 'CAMPUS', kind: 'access' } })
  const guest = await server.api('guest')
  const { body } = await guest.call('event', { query: { code: 'campus' } })
  const offers = (body.data as { types: TicketTypeOffer[] }).types
  const lines = offers.map(({ id, price }) => ({ type: id, quantity: 1, price }))
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const sold = await guest.call('buyTickets', { body: { lines, code: 'campus' }, headers })
  const [order] = server.rows('select code from orders') as { code: string }[]
  return { ids: (sold.body.tickets as { _id: string }[]).map(({ _id }) => _id), code: order?.code ?? '' }
}

const print = (page: Page) =>
  page.evaluate(() => {
    window.dispatchEvent(new Event('beforeprint'))
    const text = document.querySelector('body > div[data-surface="paper"]')?.textContent ?? ''
    window.dispatchEvent(new Event('afterprint'))
    return text
  })

test.describe('with the server gone', () => {
  test.use({ serviceWorkers: 'allow' })

  test('My Tickets, the pass, the print and an order’s lines name each type, in the guest’s language, without the server too', async ({
    page,
    server,
  }) => {
    const { code } = await sell(server)
    await openDashboard(page)
    const rows = ticketCards(page)
    await expect(rows).toHaveCount(4)
    await expect(rows.filter({ hasText: 'Couple' })).toHaveCount(2)
    await expect(rows.filter({ hasText: 'Student' })).toHaveCount(1)
    expect(await print(page)).toMatch(/General.*Couple.*Student/s)
    await page.goto(orderPage(code))
    const receipt = page.getByRole('region', { name: 'Receipt' })
    await expect(receipt).toContainText('Couple1 × ₹500')
    await expect(receipt).toContainText('General1 × ₹300')
    expect(await print(page)).toContain('Student1 × ₹100')
    await page.goBack()
    await page.getByRole('banner').getByRole('combobox').selectOption('gu')
    await expect(rows.filter({ hasText: 'યુગલ' })).toHaveCount(2)
    await workerReady(page)
    await server.stop()
    await page.reload()
    await expect(rows.filter({ hasText: 'વિદ્યાર્થી' })).toHaveCount(1)
    await rows.filter({ hasText: 'વિદ્યાર્થી' }).getByRole('link').first().click()
    await expect(page.getByRole('dialog')).toContainText('વિદ્યાર્થી')
  })

  test('a shared link names the types, on its pass too', async ({ page, server }) => {
    const { ids } = await sell(server)
    const made = await (await server.api('guest')).call('makeLink', { body: { ticketIds: ids, purpose: 'share' } })
    const { url } = made.body.link as { url: string }
    await page.goto(url.slice(url.indexOf('/dashboard')))
    const codes = page.getByRole('button', { name: /Show the code$/ })
    await expect(codes.filter({ hasText: 'Couple' })).toHaveCount(2)
    await workerReady(page)
    await server.stop()
    await page.reload()
    await codes.filter({ hasText: 'Student' }).click()
    await expect(entryPass(page)).toContainText('Student')
  })
})

test('where only one type is seen, its tickets, orders and links do not name it', async ({ page, server }) => {
  const { ids, code } = await sell(server, [{ name: { en: 'General' }, phases: [one(300)] }])
  await openDashboard(page)
  await expect(ticketCards(page)).toHaveCount(1)
  await expect(page.getByRole('main')).not.toContainText('General')
  expect(await print(page)).not.toContain('General')
  await page.goto(orderPage(code))
  await expect(page.getByRole('region', { name: 'Receipt' })).toContainText('1 × ₹300')
  await expect(page.getByRole('main')).not.toContainText('General')
  const made = await (await server.api('guest')).call('makeLink', { body: { ticketIds: ids, purpose: 'share' } })
  const { url } = made.body.link as { url: string }
  await page.goto(url.slice(url.indexOf('/dashboard')))
  await page.getByRole('button', { name: /Show the code$/ }).click()
  await expect(entryPass(page)).toBeVisible()
  await expect(page.getByRole('dialog')).not.toContainText('General')
})
