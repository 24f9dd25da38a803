import { PAIR_PAGE } from '@garba/shared/contracts/pages'
import { changeDevice, prepareDevice } from './support/devices.ts'
import { cutBefore, EVERYTHING } from './support/faults.ts'
import { expect, fakeCamera, goOffline, goOnline, test, workerReady } from './support/fixtures.ts'
import { otherGateSends } from './support/gate.ts'
import { openPaired, startShift } from './support/pairing.ts'
import { asInstalledApp } from './support/pwa.ts'
import { storeRows } from './support/scannerStore.ts'
import { expectNoViolations, expectNoViolationsInBothSizes } from './support/screen.ts'

const HOUR_MS = 3_600_000

test('an installed scanner is paired by the organiser’s QR; a ticket before the camera is refused in plain words', async ({
  server,
  page,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const { url } = await prepareDevice(server)
  await asInstalledApp(page)
  const camera = await fakeCamera(page, { decodes: true })
  await page.goto('/dashboard/qrchecker')
  await page.getByRole('button', { name: 'Pair this phone' }).click()
  await expect(page).toHaveURL(new RegExp(`${PAIR_PAGE}$`))
  await expectNoViolationsInBothSizes(page, 'pairing')
  await page.getByRole('button', { name: 'Scan the code' }).click()
  await expect(page.getByText('Hold the organiser’s code in front of the camera.')).toBeVisible()
  await camera.showCode(ticket.qrCode)
  await expect(page.getByRole('alert')).toContainText('This is a ticket.')
  await camera.showCode('https://example.com/dashboard/qrchecker/pair#7K3MQ9XT')
  await expect(page.getByRole('alert')).toContainText('This is not a pairing code of this event.')
  await camera.showCode(url)
  await expect(page.getByRole('heading', { name: 'Who is scanning?' })).toBeVisible()
  await expectNoViolationsInBothSizes(page, 'shift')
  await page.getByRole('button', { name: 'Start the shift' }).click()
  await expect(page.getByText('Type a first name.')).toBeVisible()
  await startShift(page, 'Ravi')
  await expect(page.getByRole('button', { name: 'Start Scanner' })).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard\/qrchecker$/)
  await expect
    .poll(() => server.rows('select shift_name as shift, label from paired_devices'))
    .toEqual([{ shift: 'Ravi', label: 'Computer' }])
})

test('a code is typed in any form and pairs one phone; used twice, wrong, half and expired have their own words', async ({
  server,
  page,
  browser,
}) => {
  const first = await prepareDevice(server)
  const second = await prepareDevice(server, { name: 'Gate B' })
  const other = await (await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce' })).newPage()
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
  await expectNoViolations(page)
  await other.context().close()
})

test('a paired phone opens without a network and scans; the address keeps no code, and other people are sent where they belong', async ({
  server,
  page,
  context,
}) => {
  const [first, second] = await (await server.api('guest')).buy(2)
  const gate = await openPaired(page, server)
  await gate.start()
  expect(await gate.scan(first.qrCode)).toMatchObject({ look: 'allowed', by: 'server' })
  expect(await page.evaluate(() => history.length)).toBeLessThan(4)
  await workerReady(page)
  await goOffline(context)
  await page.reload()
  await gate.status.filter({ hasText: '2 tickets' }).waitFor()
  await gate.start()
  expect(await gate.scan(second.qrCode)).toMatchObject({ look: 'pending', by: 'device' })
  await goOnline(context)
  await gate.says('All sent')
  expect(server.rows('select checker_name as who, device_name as gate from scans order by rowid')).toEqual([
    { who: 'Ravi', gate: 'Gate A' },
    { who: 'Ravi', gate: 'Gate A' },
  ])
  const stranger = await context.browser()?.newContext({ baseURL: server.url })
  const visitor = await stranger?.newPage()
  await visitor?.goto('/dashboard/qrchecker')
  await expect(visitor ?? page).toHaveURL(`${server.url}/`)
  await stranger?.close()
})

test('the next checker takes over without pairing anew; earlier scans keep their name', async ({ server, page }) => {
  const [first, second] = await (await server.api('guest')).buy(2)
  const gate = await openPaired(page, server)
  await gate.start()
  await gate.scan(first.qrCode)
  await page.getByRole('button', { name: 'Scanner menu' }).click()
  await expect(page.getByRole('menu')).toContainText('Ravi')
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeHidden()
  await page.getByRole('menuitem', { name: 'Change shift' }).click()
  await expectNoViolations(page)
  await startShift(page, 'Meera')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await gate.scan(second.qrCode)
  expect(server.rows('select checker_name as who from scans order by rowid')).toEqual([
    { who: 'Ravi' },
    { who: 'Meera' },
  ])
  await expect(gate.recent).toContainText('Meera')
  await expect(gate.recent).toContainText('Ravi')
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
  await expectNoViolationsInBothSizes(page, 'revoked')
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
  const gate = await openPaired(page, server, { device: { until } })
  await cutBefore(page, EVERYTHING)
  await expect(gate.status).not.toContainText('Scans until')
  await page.clock.fastForward(1.75 * HOUR_MS)
  await expect(gate.status).toContainText(/Scans until \d+:\d\d [AP]M/)
  await expectNoViolations(page)
  await page.clock.fastForward(0.5 * HOUR_MS)
  await expect(page.getByRole('heading', { name: 'This phone’s time is up' })).toBeVisible()
  await expectNoViolationsInBothSizes(page, 'lapsed')
  await expect(page.getByText(/It could scan until .*\d+:\d\d [AP]M/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Start Scanner' })).toBeHidden()
  // Only the server's own word erases the list: the phone's clock may be wrong.
  expect(await storeRows(page, 'roster')).toHaveLength(1)
})

test('what a phone may not do has no button; a supervisor sees the whole gate, live', async ({ server, page }) => {
  const [ticket, other] = await (await server.api('guest')).buy(2)
  const gate = await openPaired(page, server, { device: { rights: ['scan', 'supervise'] } })
  await expect(page.getByRole('button', { name: 'Find by name or code' })).toBeHidden()
  await gate.start()
  await gate.scan(ticket.qrCode)
  await expect(page.getByRole('button', { name: /Undo the admission/ })).toBeHidden()
  await page.getByRole('button', { name: 'Scanner menu' }).click()
  await page.getByRole('menuitem', { name: 'Evening' }).click()
  await expect(page.getByTestId('admitted')).toHaveText('1')
  await expect(page.getByRole('region', { name: 'Phones' })).toContainText('Gate A')
  await expect(page.getByRole('region', { name: 'Double admissions' })).toContainText('No ticket was used twice.')
  await otherGateSends(server, other.qrCode)
  await expect(page.getByTestId('admitted')).toHaveText('2')
  await otherGateSends(server, ticket.qrCode)
  const double = page.getByRole('region', { name: 'Double admissions' }).getByRole('listitem')
  await expect(double).toContainText('Gate A (this device)')
  await expect(double).toContainText('Gate B')
  await expectNoViolationsInBothSizes(page, 'evening')
  await double.getByRole('button', { name: 'Acknowledge the double admission of Garima Guest' }).click()
  await expect(double).toContainText('Acknowledged by Ravi')
})

test.describe('in Safari on an iPhone', () => {
  test.use({
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  })

  test('a link shows its code for the installed app and does not use it', async ({ server, page }) => {
    const { code } = await prepareDevice(server)
    await page.goto(`${PAIR_PAGE}#${code}`)
    await expect(page.getByText('Pair inside the installed app')).toBeVisible()
    await expect(page.getByText(code)).toBeVisible()
    await expectNoViolationsInBothSizes(page, 'Safari')
    expect(server.rows('select paired_at as at from paired_devices')).toEqual([{ at: null }])
    await page.getByRole('button', { name: 'Pair in Safari anyway' }).click()
    await expect(page.getByRole('heading', { name: 'Who is scanning?' })).toBeVisible()
  })
})
