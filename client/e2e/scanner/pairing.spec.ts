import { HOUR_MS } from '@garba/shared/constants'
import { PAIR_PAGE } from '@garba/shared/contracts/site/pages'
import { changeDevice, otherGateSends, prepareDevice } from '../support/devices.ts'
import { cutBefore, EVERYTHING } from '../support/faults.ts'
import { expect, test } from '../support/fixtures.ts'
import { Gate, openPaired, startShift } from '../support/gate.ts'
import { storeRows } from '../support/scannerStore.ts'
import { restoreSession } from '../support/session.ts'

const QUARTER_MS = 15 * 60_000

test('a code is typed in any form and pairs one phone; used twice, wrong, half and expired have their own words', async ({
  browser,
  server,
  page,
}) => {
  const first = await prepareDevice(server)
  const second = await prepareDevice(server, { name: 'Gate B' })
  const other = await (await browser.newContext()).newPage()
  for (const phone of [page, other]) await phone.goto(PAIR_PAGE)
  const field = page.getByRole('textbox', { name: 'Pairing code' })
  const pair = page.getByRole('button', { name: 'Pair', exact: true })
  const says = page.getByRole('alert')
  await field.fill('7k3m')
  await pair.click()
  await expect(says).toContainText('A code has 8 letters and digits.')
  await field.fill('0000-0000')
  await pair.click()
  await expect(says).toContainText('This code is not known.')

  await other.getByRole('textbox', { name: 'Pairing code' }).fill(` ${first.code.toLowerCase().replaceAll('0', 'o')} `)
  await other.getByRole('textbox', { name: 'Pairing code' }).press('Enter')
  await expect(other.getByRole('heading', { name: 'Who is scanning?' })).toBeVisible()
  await field.fill(first.code)
  await pair.click()
  await expect(says).toContainText('Another phone was paired with this code.')

  await server.stop()
  server.change("update paired_devices set code_expires_at = '2020-01-01T00:00:00.000Z' where id = ?", second.id)
  await field.fill(second.code)
  await pair.click()
  await expect(says).toContainText('The server does not answer. The code is still good')
  await server.start()
  await pair.click()
  await expect(says).toContainText('This code has expired.')
})

test('the next checker takes over without pairing anew, and earlier scans keep their name; a link alone does not pair anew, and says what is unsent and how old it is', async ({
  server,
  page,
}) => {
  const [first, second, third] = await (await server.api('guest')).buy(3)
  const gate = await openPaired(page, server)
  await gate.start()
  await gate.scan(first.qrCode)
  await page.getByRole('button', { name: 'Scanner menu' }).click()
  await expect(page.getByRole('menu')).toContainText('Ravi')
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeHidden()
  await page.getByRole('menuitem', { name: 'Change shift' }).click()
  // The server takes no name that nobody sees, and no scan in such a name.
  await startShift(page, '\u200b')
  await expect(page.getByRole('dialog')).toContainText('Type a first name.')
  await startShift(page, 'Meera\u200b')
  await expect(page.getByRole('dialog')).toBeHidden()
  await gate.scan(second.qrCode)
  expect(server.rows('select checker_name as who from scans order by rowid')).toEqual([
    { who: 'Ravi' },
    { who: 'Meera' },
  ])
  await expect(gate.recent).toContainText('Meera')
  await expect(gate.recent).toContainText('Ravi')

  const cut = await cutBefore(page, /\/api\/tickets\//)
  expect(await gate.scan(third.qrCode)).toMatchObject({ look: 'pending' })
  const { code } = await prepareDevice(server, { name: 'Gate B', rights: ['supervise'] })
  await page.goto(`${PAIR_PAGE}#${code}`)
  await expect(page.getByText('This phone is paired as “Gate A”. Another code takes its place.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Pairing code' })).toHaveValue(code)
  await expect(page).toHaveURL(new RegExp(`${PAIR_PAGE}$`))
  const unsent = page.getByText(/^1 unsent, oldest \d+ s$/)
  await expect(unsent).toBeVisible()
  await page.getByRole('button', { name: 'Pair', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Who is scanning?' })).toBeVisible()
  await expect(unsent).toBeVisible()
  expect(await storeRows(page, 'outbox')).toHaveLength(1)
  await cut.end()
  await startShift(page, 'Meera')
  await expect(page.getByText('This phone is not allowed to scan tickets. Ask the organiser.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Start Scanner' })).toBeHidden()
  await expect(gate.status).toContainText('Online')
})

test('a lost phone that is revoked loses the list and every name at its next contact, and still sends what it let in', async ({
  server,
  page,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const gate = await openPaired(page, server)
  await gate.start()
  const cut = await cutBefore(page, EVERYTHING)
  expect(await gate.scan(ticket.qrCode)).toMatchObject({ look: 'pending' })
  await changeDevice(server, gate.id, { revoked: true })
  await gate.says('1 unsent')
  await cut.end()
  const heading = page.getByRole('heading', { name: 'This phone was disconnected' })
  await expect
    .poll(async () => {
      await page.clock.fastForward(1_000)
      return heading.isVisible()
    })
    .toBe(true)
  await expect(page.getByText('The ticket list and all names have been removed from it.')).toBeVisible()
  await expect
    .poll(async () => {
      await page.clock.fastForward(1_000)
      return storeRows(page, 'outbox')
    })
    .toEqual([])
  expect(await storeRows(page, 'roster')).toEqual([])
  for (const store of ['qr_scan_history', 'admitted', 'conflicts'])
    expect(JSON.stringify(await storeRows(page, store)), store).not.toContain('Garima')
  expect(server.rows('select outcome, flag from scans')).toEqual([{ outcome: 'admitted', flag: 'revoked' }])
  // It stays so without a network, and a new code makes it a scanner again.
  await page.reload()
  await expect(heading).toBeVisible()
  await page.getByRole('button', { name: 'Pair this phone again' }).click()
  const { code } = await prepareDevice(server, { name: 'Gate C' })
  await page.getByRole('textbox', { name: 'Pairing code' }).fill(code)
  await page.getByRole('button', { name: 'Pair', exact: true }).click()
  await startShift(page, 'Ravi')
  await expect(page.getByRole('button', { name: 'Start Scanner' })).toBeVisible()
})

test('without a network a phone warns near its end, stops at it, and says until when it could scan', async ({
  server,
  page,
}) => {
  await (await server.api('guest')).buy(1)
  const until = new Date(Date.now() + 2 * HOUR_MS).toISOString()
  const gate = await openPaired(page, server, { until })
  await cutBefore(page, EVERYTHING)
  await expect(gate.status).not.toContainText('Scans until')
  await page.clock.fastForward(1.75 * HOUR_MS)
  await expect(gate.status).toContainText(/Scans until \d+:\d\d [AP]M/)
  await page.clock.fastForward(0.5 * HOUR_MS)
  await expect(page.getByRole('heading', { name: 'This phone’s time is up' })).toBeVisible()
  await expect(page.getByText(/It could scan until .*\d+:\d\d [AP]M/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Start Scanner' })).toBeHidden()
  // Only the server's own word erases the list: the phone's clock may be wrong.
  expect(await storeRows(page, 'roster')).toHaveLength(1)
})

test('what a phone may not do has no button; selling is one tap from scanning; a supervisor sees the whole gate, live', async ({
  server,
  page,
}) => {
  const [ticket, other] = await (await server.api('guest')).buy(2)
  const gate = await openPaired(page, server, { rights: ['scan', 'sell', 'supervise'] })
  await expect(page.getByRole('button', { name: 'Find by name or code' })).toBeHidden()
  await gate.start()
  await page.getByRole('button', { name: 'Sell tickets' }).click()
  await expect(page.getByRole('heading', { name: 'Sell tickets' })).toBeVisible()
  await page.getByRole('button', { name: 'Back to the scanner' }).click()
  await expect(page.getByText('Scanning', { exact: true })).toBeVisible()
  await gate.scan(ticket.qrCode)
  await expect(page.getByRole('button', { name: /Undo the admission/ })).toBeHidden()
  await page.getByRole('button', { name: 'Scanner menu' }).click()
  await page.getByRole('menuitem', { name: 'Evening' }).click()
  await expect(page.locator('[data-testid=people]')).toHaveText('1')
  await expect(page.getByRole('region', { name: 'Phones' })).toContainText('Gate A')
  await expect(page.getByRole('region', { name: 'Double admissions' })).toContainText('No ticket was used twice.')
  await otherGateSends(server, other.qrCode)
  await expect(page.locator('[data-testid=people]')).toHaveText('2')
  await otherGateSends(server, ticket.qrCode)
  const double = page.getByRole('region', { name: 'Double admissions' }).getByRole('listitem')
  await expect(double).toContainText('Gate A (this device)')
  await expect(double).toContainText('Gate B')
  // A live row comes below the others: what is under the finger stays there.
  await otherGateSends(server, other.qrCode)
  await expect(double).toHaveCount(2)
  await expect(double.first()).toContainText('Gate A (this device)')
  await expect.poll(() => storeRows(page, 'conflicts')).toMatchObject([{ acknowledgedAt: null }])
  const acknowledge = (which: typeof double) =>
    which.getByRole('button', { name: 'Acknowledge the double admission of Garima Guest' }).click()
  // Nobody signs off the people that they let in themselves; those at the other gate they may.
  await acknowledge(double.first())
  await expect(page.getByText(/You let this person in, so somebody else must look at it\./)).toBeVisible()
  await acknowledge(double.last())
  await expect(double.last()).toContainText('Acknowledged by Ravi')
  await expect(double.first()).not.toContainText('Acknowledged')
  await expect.poll(() => storeRows(page, 'conflicts')).toMatchObject([{ acknowledgedAt: null }])
})

test('a used ticket: the supervisor looks whose it is and lets the holder in; the desk sees the first as disputed', async ({
  server,
  page,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const gate = await openPaired(page, server, { rights: ['scan', 'supervise'] })
  await otherGateSends(server, ticket.qrCode)
  await gate.start()
  expect(await gate.scan(ticket.qrCode)).toMatchObject({ look: 'refused' })
  await page.getByRole('button', { name: 'Check ID: Garima Guest' }).click()
  const check = page.getByRole('dialog', { name: 'Check ID' })
  await expect(check).toContainText('Garima Guest')
  await expect(check).toContainText('Gate B')
  await check.getByRole('button', { name: 'It does not match' }).click()
  await expect(check).toBeHidden()
  await page.getByRole('button', { name: 'Check ID: Garima Guest' }).click()
  const verdict = await gate.holdTime(async () => {
    await check.getByRole('button', { name: 'It matches: let in' }).click()
    return gate.nextVerdict(1)
  })
  expect(verdict).toMatchObject({ look: 'allowed', by: 'server' })
  expect(server.rows('select disputed, acknowledged_by_name as who from conflicts')).toEqual([
    { disputed: 1, who: null },
  ])
})

test('who lacks the right to the figures, or loses it, sees none, but why; a phone that is revoked changes its screen at once', async ({
  browser,
  server,
  page,
}) => {
  const gate = await openPaired(page, server, { rights: ['scan', 'supervise'] })
  await page.getByRole('button', { name: 'Scanner menu' }).click()
  await page.getByRole('menuitem', { name: 'Evening' }).click()
  await expect(page.locator('[data-testid=people]')).toHaveText('0')
  await changeDevice(server, gate.id, { rights: ['scan'] })
  const refusal = page.getByRole('alert').filter({ hasText: 'Only a phone with the right "Supervise"' })
  await expect(refusal).toBeVisible()
  await expect(page.locator('[data-testid=people]')).toBeHidden()
  await page.getByRole('button', { name: 'Back to the scanner' }).click()
  await expect(gate.status).toContainText('Online')
  await changeDevice(server, gate.id, { revoked: true })
  await expect(page.getByRole('heading', { name: 'This phone was disconnected' })).toBeVisible()

  const checker = await (await browser.newContext()).newPage()
  await restoreSession(checker, 'checker')
  await checker.goto('/dashboard/qrchecker/evening')
  await expect(checker.getByRole('alert')).toContainText('Only a phone with the right "Supervise"')
  await expect(checker.getByRole('button', { name: 'Try again' })).toHaveCount(0)
  await checker.getByRole('button', { name: 'Back to the scanner' }).click()
  await expect(checker).toHaveURL(/\/dashboard\/qrchecker$/)
})

test('a clock that is off by 15 minutes, before pairing and after, stops nothing', async ({ server, page }) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const gate = await openPaired(page, server, {}, { time: Date.now() - QUARTER_MS })
  await expect(gate.status).toContainText('This device’s clock is 15 min behind')
  await page.clock.install({ time: Date.now() + QUARTER_MS })
  await page.reload()
  await expect(gate.status).toContainText('This device’s clock is 15 min ahead')
  await page.getByRole('button', { name: 'Find by name or code' }).click()
  await page.getByRole('textbox').fill(ticket.id.slice(-8))
  await page.getByRole('button', { name: /Garima Guest/ }).click()
  await page.getByRole('button', { name: 'Let in' }).click()
  await expect(page.locator('[data-look="allowed"]')).toBeVisible()
})

/** In the page: counts what is pressed, over reloads too. */
function countTaps(): void {
  document.addEventListener(
    'click',
    () => sessionStorage.setItem('taps', `${Number(sessionStorage.getItem('taps')) + 1}`),
    true,
  )
}

test('from the landing page to the first scan on a guest’s own phone: five taps', async ({ server, page }) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const { url } = await prepareDevice(server)
  const gate = await Gate.on(page)
  await page.addInitScript(countTaps)
  await restoreSession(page, 'guest')
  // The link in the footer is the first tap. A signed-in guest is not sent to their tickets.
  let taps = 1
  await page.goto(PAIR_PAGE)
  await expect(page.getByRole('heading', { name: 'Pair this phone' })).toBeVisible()
  await page.getByRole('button', { name: 'Scan the code' }).click()
  await gate.camera.showCode(url)
  await expect(page.getByRole('textbox', { name: 'First name' })).toBeVisible()
  await gate.camera.showCode(null)
  // Into the field, which the test fills without pressing it.
  taps += 1
  await startShift(page, 'Ravi')
  await gate.start()
  expect(await gate.scan(ticket.qrCode)).toMatchObject({ look: 'allowed' })
  taps += await page.evaluate(() => Number(sessionStorage.getItem('taps')))
  // The last one dismissed the verdict, which goes by itself too.
  expect(taps - 1).toBe(5)
})

test('a phone that may be at any gate asks which, and one that the desk takes from its gate asks for the new one; one that only sells does not ask again after the question was closed', async ({
  server,
  page,
}) => {
  const gates = ['North gate', 'South gate', 'East gate']
  const admin = await server.api('admin')
  const body = { gates: gates.map((name) => ({ name, kinds: [] })) }
  expect(await admin.call('saveGates', { body })).toMatchObject({ status: 200 })
  const { id } = await openPaired(page, server, { rights: ['sell'], gates: [] })
  const question = page.getByRole('dialog', { name: 'Which gate is this phone at?' })
  await question.getByRole('button', { name: /North gate/ }).click()
  await expect(question).toHaveCount(0)
  await changeDevice(server, id, { gates: gates.slice(1) })
  await page.clock.fastForward(60_000)
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await page.getByRole('button', { name: 'Sell tickets' }).click()
  await page.getByRole('button', { name: 'Back to the scanner' }).click()
  await expect(page.getByRole('button', { name: 'Sell tickets' })).toBeVisible()
  await expect(question).toHaveCount(0)
})
