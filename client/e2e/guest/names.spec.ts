import type { RosterEntry } from '@garba/shared/contracts/phones/scan'
import { expect, type Page, test } from '../support/fixtures.ts'
import { entryPass, GUEST, inMenu, openDashboard, openLine, order, ticketCards } from '../support/guest.ts'
import { toastOf } from '../support/screen.ts'
import { accountMenu } from '../support/session.ts'

async function buyAndOpenNames(page: Page, count: number) {
  await (await order(page, count)).getByRole('button', { name: /^(Get|Pay) / }).click()
  await expect(page.getByText(`Your ${count} tickets are ready for the gate.`)).toBeVisible()
  const names = page.getByRole('form', { name: 'Who is coming with you?' })
  await expect(names).toBeHidden()
  await page.getByText('Who is coming with you?').click()
  return names
}

test('the owner writes who uses a ticket: card and gate have the name, and an empty field gives the buyer back', async ({
  page,
  server,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  await openDashboard(page)
  const card = ticketCards(page).first()
  const open = async () => {
    await (await inMenu(page, card, 'Name on ticket')).click()
    return page.getByRole('dialog', { name: /^Name on ticket/ })
  }
  const dialog = await open()
  const field = dialog.getByRole('textbox', { name: 'Who uses this ticket?' })
  await expect(dialog).toContainText('Leave empty to use Garima Guest.')
  await field.fill('M'.repeat(61))
  await expect(dialog).toContainText('At most 60 characters.')
  await expect(dialog.getByRole('button', { name: 'Save name' })).toBeDisabled()
  await field.fill('🪔'.repeat(60))
  await expect(dialog.getByRole('button', { name: 'Save name' })).toBeEnabled()
  await field.fill('  Meera Joshi ')
  await dialog.getByRole('button', { name: 'Save name' }).click()
  await expect(dialog).toBeHidden()
  await expect(card.getByRole('heading', { name: /Meera Joshi/ })).toBeVisible()
  await expect(toastOf(page, /./)).toHaveCount(0)
  const roster = await (await server.api('checker')).call('roster')
  expect(roster.body).toMatchObject({ tickets: [{ id: ticket._id, name: 'Meera Joshi' }] })

  const again = await open()
  await expect(again.getByRole('textbox')).toHaveValue('Meera Joshi')
  await again.getByRole('textbox').fill('')
  await again.getByRole('button', { name: 'Save name' }).click()
  await expect(again).toBeHidden()
  await expect(card.getByRole('heading', { name: /Garima Guest/ })).toBeVisible()

  // A name that comes too late is kept in the field, with the reason.
  const late = await open()
  await late.getByRole('textbox').fill('Meera')
  const admin = await server.api('admin')
  await admin.call('setTicketStatus', { params: { id: ticket._id }, body: { status: 'used' } })
  await late.getByRole('button', { name: 'Save name' }).click()
  await expect(late).toContainText('The name can only be changed while the ticket is active.')
  await expect(late.getByRole('textbox')).toHaveValue('Meera')
})

test('names that are saved by two presses are saved once and are not undone by a list that was under way', async ({
  page,
}) => {
  const pressTwice = (form: Element) => {
    for (let n = 0; n < 2; n += 1) (form as HTMLFormElement).requestSubmit()
  }
  let asked = 0
  await page.route(/\/api\/(tickets\/[^/]+\/name|auth\/profile)$/, (route) => {
    if (route.request().method() !== 'GET') asked += 1
    return route.continue()
  })
  await openDashboard(page)
  const names = await buyAndOpenNames(page, 2)
  await names.getByRole('textbox').fill('Asha')
  await names.evaluate(pressTwice)
  await expect(names).toHaveCount(0)
  expect(asked).toBe(1)
  await openLine(page, 'Your details')
  for (const opener of ['Change name', 'Name on ticket']) {
    if (opener === 'Change name') await page.getByRole('button', { name: opener }).click()
    else await (await inMenu(page, ticketCards(page).first(), opener)).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('Meera')
    await dialog.locator('form').evaluate(pressTwice)
    await expect(dialog).toBeHidden()
  }
  expect(asked).toBe(3)

  await buyAndOpenNames(page, 3)
  await names.getByRole('textbox', { name: 'Name on ticket 4' }).fill('Bhavesh')
  const named = Promise.withResolvers<void>()
  let lists = 0
  await page.route('**/api/tickets/my-tickets', async (route) => {
    lists += 1
    if (lists > 1) return route.continue()
    const old = await (await route.fetch()).json()
    await named.promise
    await route.fulfill({ json: old })
  })
  const refresh = page.getByRole('button', { name: 'Refresh', exact: true })
  await refresh.click()
  await expect.poll(() => lists).toBeGreaterThan(0)
  await names.getByRole('button', { name: 'Save names' }).click()
  await expect(names).toHaveCount(0)
  named.resolve()
  await expect(refresh).toBeEnabled()
  await expect(ticketCards(page).getByRole('heading', { name: /Bhavesh/ })).toBeVisible()
})

test('the name in the profile is on the tickets and at the gate, except where a ticket has its own', async ({
  page,
  server,
}) => {
  const guest = await server.api('guest')
  const [named] = await guest.buy(1)
  await guest.call('nameTicket', { params: { id: named._id }, body: { name: 'Meera Joshi' } })
  const [plain] = await guest.buy(1)
  await openDashboard(page)
  await openLine(page, 'Your details')
  await page.getByRole('button', { name: 'Change name' }).click()
  const dialog = page.getByRole('dialog', { name: 'Name on your tickets' })
  const field = dialog.getByRole('textbox', { name: 'Your name' })
  await expect(field).toHaveValue('Garima Guest')
  await field.fill('  ')
  await expect(dialog).toContainText('Please write a name.')
  await expect(dialog.getByRole('button', { name: 'Save name' })).toBeDisabled()
  await field.fill('ક'.repeat(81))
  await expect(dialog).toContainText('At most 80 characters.')
  await field.fill('ગરિમા જોશી')
  await dialog.getByRole('button', { name: 'Save name' }).click()
  await expect(dialog).toBeHidden()

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, ગરિમા જોશી!')
  await expect(accountMenu(page)).toHaveAccessibleName(/ગરિમા જોશી/)
  await expect(ticketCards(page).getByRole('heading', { name: /ગરિમા જોશી/ })).toHaveCount(1)
  await expect(ticketCards(page).getByRole('heading', { name: /Meera Joshi/ })).toHaveCount(1)
  const roster = await (await server.api('checker')).call('roster')
  const onRoster = new Map((roster.body.tickets as RosterEntry[]).map(({ id, name }) => [id, name]))
  expect(onRoster.get(named._id)).toBe('Meera Joshi')
  expect(onRoster.get(plain._id)).toBe('ગરિમા જોશી')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, ગરિમા જોશી!')
})

test('a line below the moment of a purchase opens for the names of the others; what was saved stays when one fails, and can be taken back', async ({
  page,
}) => {
  await openDashboard(page)
  const names = await buyAndOpenNames(page, 4)
  await expect(names.getByRole('textbox')).toHaveCount(3)
  await names.getByRole('textbox', { name: 'Name on ticket 2' }).fill('Asha')
  await names.getByRole('textbox', { name: 'Name on ticket 3' }).fill('x'.repeat(61))
  await expect(names.getByText('At most 60 characters.')).toBeVisible()
  await expect(names.getByRole('button', { name: 'Save names' })).toBeDisabled()
  await names.getByRole('textbox', { name: 'Name on ticket 3' }).fill('Dev')
  await names.getByRole('textbox', { name: 'Name on ticket 4' }).fill(' Bhavesh ')
  let asked = 0
  await page.route('**/api/tickets/*/name', (route) => {
    asked += 1
    return asked === 3
      ? route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'x' } })
      : route.continue()
  })
  await names.getByRole('button', { name: 'Save names' }).click()
  await expect(names.getByRole('alert')).toHaveText('Server error. Please try again later.')
  await expect(names.getByRole('textbox', { name: 'Name on ticket 4' })).toHaveValue(' Bhavesh ')
  await names.getByRole('textbox', { name: 'Name on ticket 3' }).fill('')
  await names.getByRole('button', { name: 'Save names' }).click()
  await expect(page.getByText('Your 4 tickets are ready for the gate.')).toBeFocused()
  await expect(page.getByText(/open without a network/)).toBeVisible()
  // The buyer's flame was lit before; those of the two who have names are now.
  await expect(page.locator('svg path[data-lit]')).toHaveCount(3)
  await page.evaluate(() => {
    Object.assign(window, {
      opened: [],
      open: (url: string) => (window as unknown as { opened: string[] }).opened.push(url) && {},
    })
  })
  await page.getByRole('button', { name: 'Send Asha the ticket by WhatsApp' }).click()
  const opened = () => page.evaluate(() => (window as unknown as { opened: string[] }).opened)
  await expect
    .poll(opened)
    .toEqual([
      expect.stringMatching(/^https:\/\/wa\.me\/\?text=Your%20ticket%20for%20Garba%20Rass%202025%0A.*wallet%23/),
    ])
  expect(asked).toBe(5)
  await expect(ticketCards(page).getByRole('heading')).toHaveText([
    /^Garima Guest, Ticket /,
    /^Asha, Ticket /,
    /^Ticket 3, Garima Guest, Ticket /,
    /^Bhavesh, Ticket /,
  ])
})

test('tickets are numbered in the order of buying, in My Tickets, at the gate and on paper', async ({
  page,
  server,
}) => {
  const guest = await server.api('guest')
  const [first] = await guest.buy(2)
  await guest.buy(1)
  await (await server.api('admin')).call('setTicketStatus', { params: { id: first._id }, body: { status: 'used' } })
  await openDashboard(page)
  await expect(ticketCards(page).getByRole('heading')).toHaveText([/^Ticket 2, /, /^Ticket 3, /, /^Garima Guest, /])
  await page.evaluate(() => void dispatchEvent(new Event('beforeprint')))
  await expect(page.getByText(/^Ticket 2 · /)).toBeAttached()
  await page.goto(`${GUEST}/gate`)
  await expect(entryPass(page)).toContainText('2 of 3')
})
