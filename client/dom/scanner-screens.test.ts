import { changeEvent } from '../e2e/support/event.ts'
import { cutBefore, EVERYTHING, hold, MARK } from '../e2e/support/faults.ts'
import { putRows, queued, storeRows } from '../e2e/support/scannerStore.ts'
import { expect, type Page, test } from './support/fixtures.ts'
import { Gate, openPaired } from './support/gate.ts'

const row = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2, name: title, exact: true }) })

async function openCheck(page: Page) {
  await page.getByRole('button', { name: 'Scanner menu' }).click()
  await page.getByRole('menuitem', { name: 'Readiness check' }).click()
}

test('offline: who is in is found, taken back before it was sent, and Clear History empties the list and nothing else', async ({
  server,
  page,
}) => {
  const [back, ticket] = await (await server.api('guest')).buy(2)
  const gate = await Gate.open(page)
  await gate.start()
  const cut = await cutBefore(page, EVERYTHING)
  // A scan that is asked about before the phone knows may have reached the server.
  await page.evaluate(() => window.dispatchEvent(new Event('offline')))
  await gate.says('Offline')
  expect(await gate.scan(back.qrCode)).toMatchObject({ look: 'pending' })
  await page.getByRole('button', { name: 'Find by name or code' }).click()
  await page.getByRole('textbox').fill(back.id.slice(-8))
  await expect(page.getByRole('dialog').getByRole('listitem')).toContainText('Already in')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /Undo the admission/ }).click()
  await expect(page.getByText(/Entry Undone/).first()).toBeVisible()

  await gate.scan(ticket.qrCode)
  await page.getByRole('button', { name: 'Clear History' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Clear History' }).click()
  await expect(gate.recent).toContainText('No scans yet')
  expect(await storeRows(page, 'outbox')).toMatchObject([{ ticketId: ticket.id }])
  expect(await gate.scan(ticket.qrCode)).toMatchObject({
    look: 'refused',
    words: expect.stringContaining('Already Used'),
  })
  await expect(gate.status).toContainText('1 unsent')
  await cut.end()
  await gate.says('All sent')
  expect(server.rows('select ticket_id as id, outcome from scans')).toEqual([{ id: ticket.id, outcome: 'admitted' }])
  expect(server.rows("select id from tickets where status = 'used'")).toEqual([{ id: ticket.id }])
})

test('unsent scans are shown on the readiness page and beside the test code, which the scanner does not take for a ticket', async ({
  server,
  page,
}) => {
  const [ticket, back] = await (await server.api('guest')).buy(2)
  const gate = await Gate.open(page)
  await cutBefore(page, /\/api\//)
  await putRows(page, 'outbox', [{ ...queued(back), undo: true }])
  await page.reload()
  const list = page.getByRole('dialog')
  await page.getByRole('button', { name: /^1 unsent/ }).click()
  await expect(list.getByRole('listitem')).toContainText('Undone')
  await expect(list).not.toContainText('inside')
  await page.keyboard.press('Escape')
  await putRows(page, 'outbox', [queued(ticket)])
  await page.reload()
  await expect(gate.status).toContainText('2 unsent')
  await openCheck(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Readiness check')
  await page.getByRole('button', { name: /^2 unsent, oldest \d+ s/ }).click()
  await expect(list).toContainText('Garima Guest')
  await expect(list).toContainText('This person is inside')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Back to the scanner' }).click()
  await page.getByRole('button', { name: 'Scanner menu' }).click()
  await page.getByRole('menuitem', { name: 'Test code' }).click()
  await expect(page.getByRole('button', { name: /^2 unsent, oldest \d+ s/ })).toBeVisible()
  await expect(page.getByRole('img', { name: 'Test code' })).toBeVisible()
  await expect(page).toHaveURL(/\/test-code$/)
  await page.goBack()
  await gate.start()
  expect(await gate.scan('GARBA SCANNER SELF TEST')).toMatchObject({ words: expect.stringContaining('Self-test Code') })
  expect(await gate.tiles()).toEqual([0, 0, 0])
})

test('a list that differs from the server is fetched again, another version is shown; without a server neither is green', async ({
  server,
  page,
}) => {
  await (await server.api('guest')).buy(2)
  const gate = await Gate.open(page)
  // A ticket that the server does not know.
  await putRows(page, 'roster', [
    { id: '01K5AAAAAAAAAAAAAAAAAAAAAA', status: 'active', name: 'Nobody', entryTime: null },
  ])
  await page.reload()
  await expect(gate.status).toContainText(/3 tickets/)
  await openCheck(page)
  await page.route('**/api/config', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), version: '9.9.9+abcdef0' } })
  })
  await page.getByRole('button', { name: 'Run all checks' }).click()
  await expect(row(page, 'Ticket list')).toContainText('Good: 2 tickets')
  await expect(row(page, 'App version')).toContainText(
    /Look at this: \d+\.\d+\.\d+\S* here, 9\.9\.9\+abcdef0 at the server/,
  )
  await expect(page.getByRole('button', { name: 'Run all checks' })).toBeEnabled()

  await cutBefore(page, /\/api\//)
  await page.getByRole('button', { name: 'Run all checks' }).click()
  for (const name of ['Ticket list', 'Clock', 'App version'])
    await expect(row(page, name)).toContainText('Not ready: The server does not answer')
})

test.describe('where phones sell', () => {
  test.override({ serverOptions: { env: { PAYMENTS: 'desk' } } })

  test('a wrong field is marked once and has the focus; a price that has changed is shown before anything is sold; a counted drawer shows its slip until it has been read', async ({
    page,
    server,
  }) => {
    await openPaired(page, server, { rights: ['scan', 'sell'] })
    await page.getByRole('button', { name: 'Sell tickets' }).click()
    await page.getByLabel('Cash you start with (₹)').fill('500')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    const phone = page.getByRole('textbox', { name: 'Phone (optional)' })
    await phone.fill('12')
    await page.getByRole('button', { name: 'Take ₹299, sell 1 ticket' }).click()
    await expect(phone).toBeFocused()
    await expect(page.getByText(/Enter a phone number/)).toHaveCount(1)
    await phone.fill('')
    await changeEvent(await server.api('admin'), { ticketPrice: 349, groupPrice4: 349 })
    await page.getByRole('button', { name: 'Take ₹299, sell 1 ticket' }).click()
    await expect(page.getByText('The price has just changed.')).toBeVisible()
    await page.getByRole('button', { name: 'Take ₹349, sell 1 ticket' }).click()
    await expect(page.getByText('₹849')).toBeVisible()
    await page.getByRole('button', { name: 'Back to the scanner' }).click()
    await page.getByRole('button', { name: 'Scanner menu' }).click()
    await page.getByRole('menuitem', { name: 'Change shift' }).click()
    const shift = page.getByRole('dialog', { name: 'Change shift' })
    await expect(shift).toContainText("Ravi's drawer is open: count it first, or hand it over with a count.")
    await expect(shift.getByRole('button', { name: 'Start the shift' })).toBeDisabled()
    await shift.getByRole('button', { name: 'Count the drawer' }).click()
    await expect(shift).toBeHidden()
    // What this phone sold as another device keeps nobody from counting this drawer.
    const at = new Date(Date.now() - 86_400_000).toISOString()
    const parked = { code: 'TICKET_NOT_FOUND', message: 'Sold as another device', at }
    const sold = { quantity: 1, method: 'cash', total: 299, admit: false, tickets: [], order: null, parked }
    const by = { deviceId: 'another', checkerName: 'Ravi', soldAt: at, clockOffset: 0 }
    await putRows(page, 'sales', [{ key: 'other', state: 'unsent', ...sold, ...by }])
    await page.reload()
    await expect(page.getByText('1 unsent')).toBeVisible()
    await page.getByRole('button', { name: 'Count and close' }).click()
    await page.getByLabel('Counted (₹)').fill('780')
    await page.getByLabel('Note (optional)').fill('દસની નોટ ફાટેલી')
    await page.getByRole('button', { name: 'Close session' }).click()
    const slip = page.getByRole('dialog', { name: 'Cash session closed' })
    await expect(slip).toContainText('Expected₹849Counted₹780Difference−₹69Noteદસની નોટ ફાટેલી')
    await expect(page.getByLabel('Cash you start with (₹)')).toBeAttached()
    await slip.getByRole('button', { name: 'Done' }).click()
    await expect(slip).toHaveCount(0)
  })

  test('without a network and without an open drawer a phone takes no cash', async ({ page, server }) => {
    await openPaired(page, server, { rights: ['scan', 'sell'] })
    await expect(page.getByRole('button', { name: 'Sell tickets' })).toBeVisible()
    await cutBefore(page, /\/api\//)
    await page.reload()
    await page.getByRole('button', { name: 'Sell tickets' }).click()
    await expect(page.getByText('Until then this phone takes no cash.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Cash', exact: true })).toHaveCount(0)
  })

  test('a phone that may only give tickets away does so, and is asked for no money, drawer or codes', async ({
    server,
    page,
  }) => {
    await openPaired(page, server, { rights: ['complimentary'] })
    await page.getByRole('button', { name: 'Sell tickets' }).click()
    await expect(page.getByRole('form', { name: 'Sale' })).toContainText('can give free tickets')
    await expect(page.getByRole('group', { name: 'Paid by' }).getByRole('button')).toHaveText(['Free'])
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Sales on this phone'])
    await page.getByLabel('Reason').fill('Crew')
    await page.getByRole('button', { name: 'Give 1 ticket' }).click()
    await expect(page.getByRole('heading', { name: 'Given: 1 ticket' })).toBeVisible()
    expect(server.rows('select provider, reason from orders')).toEqual([{ provider: 'complimentary', reason: 'Crew' }])
  })
})

test('a ticket that is renamed and used elsewhere while the checker asks for the name shows both; choosing it waits for a code being judged', async ({
  server,
  page,
}) => {
  const guest = await server.api('guest')
  const [ticket, other] = await guest.buy(2)
  const gate = await Gate.open(page)
  await gate.start()
  await page.getByRole('button', { name: 'Find by name or code' }).click()
  await page.getByRole('textbox').fill(ticket.id.slice(-8))
  await page.getByRole('button', { name: /Garima Guest/ }).click()
  await guest.call('nameTicket', { params: { id: ticket.id }, body: { name: 'Asha' } })
  const asks = page.getByRole('dialog', { name: 'Let Asha in?' })
  await expect(asks).toContainText('Not yet in')
  const elsewhere = { qrCode: ticket.qrCode, deviceId: 'gate-b', deviceName: 'Gate B' }
  await (await server.api('checker')).call('markUsed', { body: elsewhere })
  await expect(asks).toContainText('Already in')

  // Held up meanwhile, another code is judged first; the choice is not lost over it.
  const held = await hold(page, MARK)
  await gate.camera.showCode(other.qrCode)
  await expect.poll(held.met).toBe(1)
  const pressed = asks.getByRole('button', { name: 'Let in' }).click()
  await held.end()
  expect(await gate.nextVerdict(0)).toMatchObject({ look: 'allowed' })
  await pressed
  expect(await gate.nextVerdict(1)).toMatchObject({ words: expect.stringContaining('Ticket Already Used') })
})
