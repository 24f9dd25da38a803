import { scanTimeText } from '@garba/shared/rules/phones/scanTime'
import { cutBefore, EVERYTHING } from '../support/faults.ts'
import { expect, test } from '../support/fixtures.ts'
import { Gate } from '../support/gate.ts'
import { storeRows } from '../support/scannerStore.ts'

test('a ticket used at one gate is used in the other gate’s list before that goes offline, where signing out asks first', async ({
  browser,
  server,
  page,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const second = await browser.newContext()
  const a = await Gate.open(page)
  const b = await Gate.open(await second.newPage())
  await b.start()
  await a.start()
  const listed = () => storeRows(b.page, 'roster')
  expect(await listed()).toMatchObject([{ id: ticket.id, status: 'active' }])
  expect(await a.scan(ticket.qrCode)).toMatchObject({ look: 'allowed', by: 'server' })
  await expect.poll(listed).toMatchObject([{ id: ticket.id, status: 'used' }])
  await cutBefore(b.page, EVERYTHING)
  expect(await b.scan(ticket.qrCode)).toMatchObject({
    look: 'refused',
    by: 'device',
    words: expect.stringMatching(/Ticket Already Used .*Entered at/),
  })
  // Signed out, this gate could neither judge nor sign in again.
  await b.page.getByRole('button', { name: 'Scanner menu' }).click()
  await b.page.getByRole('menuitem', { name: 'Sign Out' }).click()
  const question = b.page.getByRole('alertdialog', { name: 'Sign out without a connection?' })
  await expect(question).toContainText('nobody can sign in here before the connection is back')
  await question.getByRole('button', { name: 'Stay' }).click()
  expect(await listed()).toHaveLength(1)
  await second.close()
})

test('a clock ten minutes fast is reported, and the server keeps the true time', async ({ server, page }) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const gate = await Gate.open(page, {}, { time: Date.now() + 600_000 })
  await expect(gate.status).toContainText('This device’s clock is 10 min ahead')
  await gate.start()
  const cut = await cutBefore(page, EVERYTHING)
  expect(await gate.scan(ticket.qrCode)).toMatchObject({ look: 'pending' })
  const [row] = await storeRows<{ clockOffset: number }>(page, 'outbox')
  expect(Math.abs((row?.clockOffset ?? 0) + 600_000)).toBeLessThan(30_000)
  // The true time, as the desk shows it; by the device's clock it is ten minutes later.
  const timeText = (at: number) => scanTimeText({ instant: new Date(at), now: new Date(at), timeZone: 'Asia/Kolkata' })
  const times = [Date.now() - 60_000, Date.now()].map(timeText).join('|')
  await expect(gate.recent.locator('time')).toHaveText(new RegExp(`^(${times})$`))
  await page.getByRole('button', { name: /^1 unsent/ }).click()
  await expect(page.getByRole('dialog').locator('time')).toHaveText(new RegExp(`^(${times})$`))
  await page.keyboard.press('Escape')
  await cut.end()
  await gate.says('All sent')
  const [entry] = server.rows<{ at: number; deviceTime: number }>('select at, device_time as deviceTime from scans')
  expect(entry?.at).toBeLessThanOrEqual(Date.now())
  expect((entry?.deviceTime ?? 0) - (entry?.at ?? 0)).toBeGreaterThan(500_000)
})

test('a signed-in checker is asked for the gate where there are gates, and the scans are of that gate', async ({
  server,
  page,
}) => {
  const gates = ['Gate A', 'Gate B'].map((name) => ({ name, kinds: [] }))
  expect(await (await server.api('admin')).call('saveGates', { body: { gates } })).toMatchObject({ status: 200 })
  const [ticket] = await (await server.api('guest')).buy(1)
  const gate = await Gate.open(page)
  const where = page.getByRole('dialog', { name: 'Which gate is this phone at?' })
  await where.getByRole('button', { name: /^Gate B/ }).click()
  await expect(where).toBeHidden()
  await gate.start()
  await gate.scan(ticket.qrCode)
  expect(server.rows('select gate from scans')).toEqual([{ gate: 'Gate B' }])
  await page.reload()
  await expect(page.getByRole('button', { name: 'Start Scanner' })).toBeVisible()
  await expect(where).toBeHidden()
  await page.getByRole('button', { name: 'Scanner menu' }).click()
  await page.getByRole('menuitem', { name: 'Change gate' }).click()
  await expect(where.getByRole('button', { name: /^Gate B/ })).toHaveAttribute('aria-pressed', 'true')
})
