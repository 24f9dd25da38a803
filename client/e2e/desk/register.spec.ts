import type { EveningFigures } from '@garba/shared/contracts/desk'
import type { Route } from '@playwright/test'
import { changeEvent, runningNow, spreadEvening } from '../support/event.ts'
import { expect, test } from '../support/fixtures.ts'
import { restoreSession } from '../support/session.ts'

const WAY = '/dashboard/manager/gate'

test('one tap from Evening are the evacuation sheet, with silent phones, and the register', async ({
  page,
  server,
}) => {
  await changeEvent(await server.api('admin'), { ...runningNow(), capacity: 1_200 })
  const tickets = await (await server.api('guest')).buy(3)
  const checker = await server.api('checker')
  const place = { deviceId: 'quiet', deviceName: 'Quiet phone', gate: 'Gate 1' }
  const scans = tickets.slice(0, 2).map(({ qrCode }) => ({ scanId: crypto.randomUUID(), qrCode, ...place }))
  const left = { scanId: crypto.randomUUID(), qrCode: tickets[0]?.qrCode, movement: 'exit', ...place }
  expect((await checker.call('markUsedBatch', { body: { scans: [...scans, left] } })).status).toBe(200)
  const { gate: _, ...phone } = place
  expect((await checker.call('roster', { query: { ...phone, unsent: 4 } })).status).toBe(200)
  spreadEvening(server)

  await restoreSession(page, 'manager')
  await page.goto(WAY)
  // The strip of trouble says it, and the card beside it does not repeat it.
  await expect(page.getByText(/^Quiet phone has 4 unsent scans|^Quiet phone has been silent since/)).toBeVisible()
  await expect(page.getByText(/phone silent for/)).toHaveCount(0)
  // Nor is one named there whose pairing has ended, although it may hold scans.
  const end = async (route: Route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: EveningFigures }
    for (const device of body.data.devices) device.ended = true
    await route.fulfill({ response, json: body })
  }
  await page.route('**/api/admin/gate/live', (route) => route.abort())
  await page.route('**/api/admin/gate', end)
  await page.reload()
  await expect(page.getByText(/^1 phone silent for \d+ min$/)).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('link', { name: 'Evacuation' }).click()
  await expect(page).toHaveURL(new RegExp(`${WAY}/evacuation$`))
  // One is inside by what is known; the phone has four scans to send and has been silent since one person went in.
  await expect(page.getByText('0 to 6')).toBeVisible()
  await expect(page.getByText('of 1,200 allowed')).toBeVisible()
  await expect(page.getByRole('table', { name: 'By gate' }).getByRole('row', { name: 'Gate 1 1' })).toBeVisible()
  const away = page.getByRole('table', { name: 'Out of contact' }).getByRole('row', { name: /^Quiet phone/ })
  await expect(away).toContainText('silent for 8 min')
  await expect(away.getByRole('cell').last()).toHaveText('4')
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible()

  await page.goto(WAY)
  await page.getByRole('link', { name: 'Register', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Register of the evening' })).toBeVisible()
  const gates = page.getByRole('table', { name: 'By gate' })
  await expect(gates.getByRole('row').last().getByRole('cell')).toHaveText([
    'Gate 1',
    '2',
    '0',
    '1',
    '0',
    '1',
    '0',
    '0',
    '0',
  ])
  await expect(page.getByRole('table', { name: 'Tickets by channel' }).getByRole('row').last()).toContainText('Online')
  await expect(page.getByText('Not yet')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Export CSV of each minute and gate' })).toHaveCount(0)
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/event')
  await page.getByRole('link', { name: 'Register', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Export CSV of each minute and gate' })).toBeVisible()
})
