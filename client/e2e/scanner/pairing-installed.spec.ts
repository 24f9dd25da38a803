import { HOUR_MS } from '@garba/shared/constants'
import { PAIR_PAGE } from '@garba/shared/contracts/site/pages'
import { changeDevice, otherGateSends, prepareDevice } from '../support/devices.ts'
import { cutBefore, EVERYTHING } from '../support/faults.ts'
import { expect, fakeCamera, goOffline, goOnline, test, workerReady } from '../support/fixtures.ts'
import { openPaired, startShift } from '../support/gate.ts'
import { asInstalledApp } from '../support/pwa.ts'
import { expectNoViolations, expectNoViolationsInBothSizes } from '../support/screen.ts'

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
  await expectNoViolations(page, 'shift')
  await page.getByRole('button', { name: 'Start the shift' }).click()
  await expect(page.getByText('Type a first name.')).toBeVisible()
  await startShift(page, 'Ravi')
  await expect(page.getByRole('button', { name: 'Start Scanner' })).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard\/qrchecker$/)
  await expect
    .poll(() => server.rows('select shift_name as shift, label from paired_devices'))
    .toEqual([{ shift: 'Ravi', label: 'Computer' }])
})

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

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
})

test('axe finds nothing on what else a paired phone shows', async ({ server, page }) => {
  const [double, later, unsent] = await (await server.api('guest')).buy(3)
  await page.goto(PAIR_PAGE)
  await page.getByRole('textbox', { name: 'Pairing code' }).fill('7k3m')
  await page.getByRole('button', { name: 'Pair', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('A code has 8 letters and digits.')
  await expectNoViolations(page, 'half a code')

  const gate = await openPaired(page, server, { rights: ['scan', 'supervise'] })
  const menu = async (item: string) => {
    await page.getByRole('button', { name: 'Scanner menu' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await gate.start()
  await gate.scan(double.qrCode)
  await otherGateSends(server, double.qrCode)
  await otherGateSends(server, later.qrCode)
  // By itself, once nobody has been scanned for a while: unread, it could open before the menu does.
  await gate.says('1 double admission to read')
  await page.clock.fastForward(3_000)
  const doubles = page.getByRole('dialog', { name: 'Double admissions' })
  await doubles.getByRole('button', { name: 'I have read this' }).click()
  await expect(doubles).toBeHidden()
  await menu('Evening')
  const evening = page.getByRole('region', { name: 'Double admissions' })
  await expect(evening.getByRole('listitem')).toContainText('Gate B')
  await expectNoViolationsInBothSizes(page, 'evening')
  await page.goBack()
  await gate.start()
  await gate.scan(later.qrCode)
  await page.getByRole('button', { name: 'Check ID: Garima Guest' }).click()
  await expect(page.getByRole('dialog', { name: 'Check ID' })).toContainText('Gate B')
  await expectNoViolations(page, 'holder check')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await menu('Change shift')
  await expect(page.getByRole('dialog')).toContainText('From now on scans carry the new name.')
  await expectNoViolations(page, 'change of shift')
  await page.keyboard.press('Escape')

  await changeDevice(server, gate.id, { revoked: true })
  await expect(page.getByRole('heading', { name: 'This phone was disconnected' })).toBeVisible()
  await expectNoViolationsInBothSizes(page, 'revoked')
  const { code } = await prepareDevice(server, { until: new Date(Date.now() + 2 * HOUR_MS).toISOString() })
  await page.getByRole('button', { name: 'Pair this phone again' }).click()
  await page.getByRole('textbox', { name: 'Pairing code' }).fill(code)
  await page.getByRole('button', { name: 'Pair', exact: true }).click()
  await startShift(page, 'Ravi')
  await cutBefore(page, EVERYTHING)
  await gate.start()
  expect(await gate.scan(unsent.qrCode)).toMatchObject({ look: 'pending' })
  await page.clock.fastForward(1.75 * HOUR_MS)
  await expect(gate.status).toContainText('Scans until')
  await expectNoViolations(page, 'near its end')
  await page.clock.fastForward(0.5 * HOUR_MS)
  await expect(page.getByRole('heading', { name: 'This phone’s time is up' })).toBeVisible()
  await expectNoViolations(page, 'lapsed')

  await page.goto('/')
  await expect(page.getByText('1 scan on this phone is not sent yet')).toBeVisible()
  await expectNoViolations(page, 'an unsent scan on the landing page')
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
