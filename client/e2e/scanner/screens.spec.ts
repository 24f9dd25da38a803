import { changeEvent, runningNow } from '../support/event.ts'
import { cutBefore, EVERYTHING, hold, MARK } from '../support/faults.ts'
import { expect, type Page, test } from '../support/fixtures.ts'
import { Gate, openPaired } from '../support/gate.ts'
import { putRows, queued, storeRows } from '../support/scannerStore.ts'
import { expectNoViolations, expectNoViolationsInBothSizes } from '../support/screen.ts'

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
  test.use({ serverOptions: { env: { PAYMENTS: 'desk' } } })

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
  const choose = asks.getByRole('button', { name: 'Let in' })
  const held = await hold(page, MARK)
  const first = await gate.holdTime(async () => {
    await gate.camera.showCode(other.qrCode)
    await expect.poll(held.met).toBe(1)
    await expect(choose).toBeDisabled()
    await held.end()
    return gate.nextVerdict(0)
  })
  expect(first).toMatchObject({ look: 'allowed' })
  await choose.click()
  expect(await gate.nextVerdict(1)).toMatchObject({ words: expect.stringContaining('Ticket Already Used') })
})

test('the station by keyboard and for screen readers: find, let in, undo, history', async ({ server, page }) => {
  const [ticket] = await (await server.api('guest')).buy(2)
  const gate = await Gate.open(page)
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Find by name or code' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: /Name, order, or last/ })).toBeFocused()
  await page.keyboard.type('ga')
  const hits = page.getByRole('dialog').getByRole('listitem')
  await expect(hits).toHaveCount(2)
  await expectNoViolations(page)
  await page.getByRole('textbox').fill(ticket.id.slice(-8).toLowerCase())
  await expect(hits).toHaveCount(1)
  await hits.getByRole('button').press('Enter')
  await page.getByRole('button', { name: 'Let in' }).press('Enter')
  const verdict = await gate.nextVerdict(0)
  expect(verdict).toMatchObject({ look: 'allowed', words: expect.stringContaining('Welcome Garima Guest') })
  await expect(page.getByRole('button', { name: 'Continue' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(gate.verdict).toBeHidden()
  await expect(gate.recent).toContainText('by hand')
  expect(server.rows('select manual, outcome from scans')).toEqual([{ manual: 1, outcome: 'admitted' }])

  await page.getByRole('button', { name: /Undo the admission of Garima Guest/ }).press('Enter')
  await expect(gate.recent.locator('[data-ending="undone"]')).toHaveCount(1)
  expect(server.rows('select status from tickets where id = ?', ticket.id)).toEqual([{ status: 'active' }])
  expect(server.rows('select undone_at is not null as undone from scans')).toEqual([{ undone: 1 }])
  expect(await gate.tiles()).toEqual([1, 0, 0])
  await page.getByRole('button', { name: 'Scanner menu' }).click()
  await page.getByRole('menu').waitFor()
  await expectNoViolationsInBothSizes(page, 'the menu')
})

test.describe('a camera that cannot be opened', () => {
  test.use({
    userAgent:
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
    viewport: { width: 320, height: 568 },
  })

  test('blocked: its title, the steps of this browser, and Retry in view on the smallest screen', async ({
    server,
    page,
  }) => {
    await Gate.open(page, { failure: 'NotAllowedError' })
    await page.getByRole('button', { name: 'Start Scanner' }).click()
    // The strip about another day takes room from the words, which then scroll.
    await expect(page.getByRole('region', { name: 'The event’s day' })).toBeVisible()
    await expectNoViolations(page)
    await expect(page.getByRole('button', { name: 'Retry' })).toBeInViewport({ ratio: 1 })
    await changeEvent(await server.api('admin'), runningNow())
    await expect(page.getByRole('region', { name: 'The event’s day' })).toHaveCount(0)
    const fault = page.getByRole('region', { name: 'The camera is blocked' })
    await expect(fault.getByRole('alert')).toHaveText('Failed to access camera')
    await expect(fault.getByRole('listitem').nth(1)).toHaveText('Tap Permissions and turn Camera on.')
    await expect(fault.getByRole('button', { name: 'Retry' })).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('button', { name: 'Find by name or code' })).toBeInViewport({ ratio: 1 })
    await expectNoViolations(page)
  })
})

test('without a camera there is a checklist, finding by name lets people in, and a scanner that types like a keyboard reads: it presses no button whatever is in a code, and works without a network', async ({
  context,
  server,
  page,
}) => {
  await (await server.apiAs({ uid: 'kavya', email: 'kavya@example.test', name: 'Kavya Patel' })).buy(1)
  const [first, second] = await (await server.api('guest')).buy(2)
  await changeEvent(await server.api('admin'), runningNow())
  const gate = await Gate.open(page, { labels: [] })
  await page.getByRole('button', { name: 'Start Scanner' }).click()
  await expect(page.getByRole('heading', { name: 'No Camera Available' })).toBeVisible()
  await expect(page.getByText('No cameras detected')).toBeVisible()
  await expect(page.getByText('Are camera permissions granted?')).toBeVisible()
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { name: 'No Camera Available' })).toBeVisible()
  await page.getByRole('button', { name: 'Find by name or code' }).click()
  await page.getByRole('textbox').fill('kavya')
  await page.getByRole('dialog').getByRole('listitem').getByRole('button').click()
  await page.getByRole('button', { name: 'Let in' }).click()
  expect((await gate.nextVerdict(0)).look).toBe('allowed')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Dismiss' }).click()

  const scan = async (text: string, delay = 5) => {
    await page.keyboard.type(text, { delay })
    await page.keyboard.press('Enter')
  }
  // The focus is on the button that would start the camera.
  const start = page.getByRole('button', { name: 'Start Scanner' })
  await start.focus()
  await scan(first.qrCode)
  expect(await gate.nextVerdict(1)).toMatchObject({ look: 'allowed', by: 'server' })
  await expect(gate.verdict).toBeHidden()

  // A code with Tab, Space and Enter in it cannot undo the last admission.
  const undo = page.getByRole('button', { name: /Undo the admission/ })
  await expect(undo).toBeVisible()
  const keyboard = await context.newCDPSession(page)
  const KEYS = { Tab: [9], Enter: [13, '\r'], Space: [32, ' '] } as const
  // All sent at once, so that they arrive at a scanner's pace.
  const typed = (codes: readonly (keyof typeof KEYS)[]) =>
    Promise.all(
      codes.flatMap((code) => {
        const [windowsVirtualKeyCode, text] = KEYS[code]
        const stroke = { code, key: text === ' ' ? text : code, windowsVirtualKeyCode }
        return [
          keyboard.send('Input.dispatchKeyEvent', { ...stroke, type: 'keyDown', ...(text ? { text } : {}) }),
          keyboard.send('Input.dispatchKeyEvent', { ...stroke, type: 'keyUp' }),
        ]
      }),
    )
  for (let tabs = 1; tabs <= 12; tabs++)
    for (const press of ['Enter', 'Space'] as const) {
      await start.focus()
      await typed([...Array<'Tab'>(tabs).fill('Tab'), press, 'Enter'])
    }
  await expect(undo).toBeVisible()
  expect(server.rows('select undone_at from scans')).toEqual([{ undone_at: null }, { undone_at: null }])
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await scan(first.qrCode)
  expect(await gate.nextVerdict(2)).toMatchObject({ look: 'refused' })
  await expect(page.getByRole('heading', { name: 'No Camera Available' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Continue' }).click()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Find by name or code' }).click()
  // In a field it is text, and a person types slowly everywhere.
  await scan(second.qrCode)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  // Now nothing has the focus that Enter would press.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await scan(second.qrCode.slice(0, 12), 130)
  await scan(second.qrCode)
  expect(await gate.nextVerdict(3)).toMatchObject({ look: 'pending', by: 'device' })
  await expect.poll(() => gate.tiles()).toEqual([4, 3, 1])
})
