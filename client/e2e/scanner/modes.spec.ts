import { changeEvent } from '../support/event.ts'
import { captivePortal } from '../support/faults.ts'
import { expect, test } from '../support/fixtures.ts'
import { Gate } from '../support/gate.ts'

test('a gate lets people out and back in, and counts people without a code, without a network too', async ({
  server,
  page,
}) => {
  const admin = await server.api('admin')
  await changeEvent(admin, { reentry: 'open', totalTickets: 10, capacity: 10 })
  const [first, second] = await (await server.api('guest')).buy(2)
  const gate = await Gate.open(page)
  await gate.start()
  const mode = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const head = page.locator('main header').first()
  expect(await gate.scan(first.qrCode)).toMatchObject({ look: 'allowed' })
  await mode('Exit')
  expect(await gate.scan(second.qrCode)).toMatchObject({
    look: 'refused',
    words: expect.stringContaining('Not Inside'),
  })
  expect(await gate.scan(first.qrCode)).toMatchObject({
    look: 'allowed',
    by: 'server',
    words: expect.stringMatching(/^Left .*Garima Guest/),
  })
  await expect(head).toContainText('0 inside of 10')
  await mode('Entry')
  expect(await gate.scan(first.qrCode)).toMatchObject({
    look: 'allowed',
    words: expect.stringMatching(/^Welcome back .*Garima Guest/),
  })
  await expect(head).toContainText('1 inside of 10')

  const fault = await captivePortal(page)
  await mode('Exit')
  expect(await gate.scan(first.qrCode)).toMatchObject({
    look: 'pending',
    by: 'device',
    words: expect.stringContaining('Left (Pending)'),
  })
  expect(await gate.scan(first.qrCode)).toMatchObject({ look: 'refused', words: expect.stringContaining('Not Inside') })
  await mode('Count')
  const more = page.getByRole('button', { name: 'One more: Children under 5' })
  for (let taps = 0; taps < 9; taps++) await more.click()
  await gate.says(/10 unsent/)
  await fault.end()
  await gate.says('All sent')
  await expect(head).toContainText('9 inside of 10')
  await expect(page.getByText('Hold this gate, 1 left').or(page.getByText('Nearly full, 1 left'))).toBeVisible()
  await more.click()
  await expect(page.getByText('Hold this gate: the ground is full')).toBeVisible()
  expect(server.rows('select sum(change) as n from movements')).toEqual([{ n: 8 }])
})

test('somebody who may not come back in is refused with the time they left', async ({ server, page }) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const gate = await Gate.open(page)
  await gate.start()
  await gate.scan(ticket.qrCode)
  await page.getByRole('button', { name: 'Exit', exact: true }).click()
  await gate.scan(ticket.qrCode)
  await page.getByRole('button', { name: 'Entry', exact: true }).click()
  expect(await gate.scan(ticket.qrCode)).toMatchObject({
    look: 'refused',
    words: expect.stringMatching(/Ticket Already Used .*Left at .*does not let anyone back in/),
  })
})
