import { cutBefore, EVERYTHING } from '../support/faults.ts'
import { expect, type Page, type TestServer, test } from '../support/fixtures.ts'
import { buyButton, codes, GUEST, inMenu, openDashboard, ticketCards, total } from '../support/guest.ts'
import { goBack, keepCopy } from '../support/restore.ts'
import { accountMenu, signInAsOther } from '../support/session.ts'

const checked = (page: Page) => page.getByRole('region', { name: /^Tickets being checked/ })
const kept = (page: Page) => checked(page).getByRole('listitem')

interface Lost {
  id: string
  ticketId: string
}
const lostOf = async (server: TestServer) => {
  const { body } = await (await server.api('admin')).call('lostTickets')
  return body.lost as Lost[]
}

test('tickets that a restored server lost are offered to it, stay with their codes below those ready for entry, until the desk has taken them back or refused them', async ({
  page,
  server,
}) => {
  keepCopy(server)
  const guest = await server.api('guest')
  const [first, second] = await guest.buy(2)
  await openDashboard(page)
  await expect(ticketCards(page)).toHaveCount(2)
  await goBack(server)

  // What could not be offered yet survives a restart, and is offered then.
  const refused = { success: false, code: 'UNAVAILABLE', message: 'Later' }
  await page.route('**/api/tickets/lost', (route) => route.fulfill({ status: 503, json: refused }))
  for (const _ of [1, 2]) {
    await page.reload()
    await expect(kept(page).getByText('To be checked')).toHaveCount(2)
    await expect(codes(checked(page))).toHaveCount(2)
  }
  expect(await lostOf(server)).toEqual([])
  await page.unroute('**/api/tickets/lost')
  await page.reload()
  await expect(kept(page).getByText('Being checked', { exact: true })).toHaveCount(2)
  await expect(codes(checked(page))).toHaveCount(2)
  await expect(ticketCards(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'No Tickets Yet' })).toHaveCount(0)
  const lost = await lostOf(server)
  expect(lost).toHaveLength(2)

  const [ready] = await guest.buy(1)
  await page.reload()
  await expect(page.getByText('2 more are being checked.')).toBeVisible()
  const shown = codes(page.getByRole('region', { name: 'My Tickets' }))
  await expect(shown).toHaveCount(3)
  await expect(shown.first()).toHaveAccessibleName(new RegExp(ready._id.slice(-8)))
  const cut = await cutBefore(page, EVERYTHING)
  await page.reload()
  await expect(codes(checked(page))).toHaveCount(2)
  await cut.end()

  const desk = await server.api('admin')
  const params = (ticketId: string) => ({ id: lost.find((one) => one.ticketId === ticketId)?.id ?? '' })
  const body = { note: 'It was given back on Friday.' }
  await desk.call('refuseLost', { params: params(second._id), body })
  await page.reload()
  await expect(page.getByText('One more is being checked.')).toBeVisible()
  await expect(kept(page)).toHaveCount(2)
  await expect(codes(checked(page))).toHaveCount(1)
  await desk.call('confirmLost', { params: params(first._id), body: {} })
  await page.reload()
  await expect(ticketCards(page)).toHaveCount(2)
  const back = ticketCards(page).filter({ hasText: first._id.slice(-8) })
  await (await inMenu(page, back, 'Details')).click()
  await expect(codes(back)).toHaveAccessibleName(new RegExp(first._id.slice(-8)))
  await expect(kept(page)).toHaveCount(1)
  await expect(kept(page)).toContainText('Not accepted')
  await expect(kept(page)).toContainText('The organiser says: It was given back on Friday.')
  await kept(page)
    .getByRole('button', { name: /^Remove ticket/ })
    .click()
  await expect(checked(page)).toHaveCount(0)
  await page.reload()
  await expect(total(page, 'Active')).toHaveText('2')
  await expect(checked(page)).toHaveCount(0)
})

test('a ticket that was deleted is not lost', async ({ page, server }) => {
  const [gone] = await (await server.api('guest')).buy(2)
  keepCopy(server)
  await openDashboard(page)
  await expect(ticketCards(page)).toHaveCount(2)
  await (await server.api('admin')).call('deleteTicket', { params: { id: gone?._id ?? '' } })
  await page.reload()
  await expect(ticketCards(page)).toHaveCount(1)
  await expect(checked(page)).toHaveCount(0)
  await goBack(server)
  await page.reload()
  await expect(ticketCards(page)).toHaveCount(2)
  await expect(checked(page)).toHaveCount(0)
  await expect(ticketCards(page).getByRole('link', { name: /^Show at gate/ })).toHaveCount(2)
})

test('somebody whose account was lost as well keeps the tickets under the new one', async ({ page, server }) => {
  keepCopy(server)
  await page.goto('/')
  await signInAsOther(page, { name: 'Kavya Patel', email: 'kavya@example.test' })
  await expect(accountMenu(page)).toHaveAccessibleName(/Kavya Patel/)
  await page.goto(GUEST)
  await buyButton(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('button', { name: /^(Get|Pay) / }).click()
  await expect(ticketCards(page)).toHaveCount(1)
  await goBack(server)
  await page.reload()
  await expect(kept(page).getByText('Being checked', { exact: true })).toBeVisible()
  await expect(codes(checked(page))).toHaveCount(1)
  expect(server.rows('select email from users where email = ?', 'kavya@example.test')).toHaveLength(1)
})
