import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE_DASHBOARD_MS, HOUR_MS, UNDO_MS } from '@garba/shared/constants'
import type { EveningFigures } from '@garba/shared/contracts/desk'
import { READ_ONLY } from '@garba/shared/messages/codes'
import { rows } from '../support/desk.ts'
import { changeEvent, runningNow } from '../support/event.ts'
import { hold, sayHealth } from '../support/faults.ts'
import { expect, type Page, test } from '../support/fixtures.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

const HEALTH = '**/api/admin/system/health'
const system = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'System', exact: true }) })

test('mails that the mail server has not taken are sent again from the list of things to do', async ({ page }) => {
  await sayHealth(page, (data) => (data.refusedMails = 3))
  const sent: string[] = []
  await page.route('**/api/admin/mails/again', async (route) => {
    sent.push(route.request().method())
    await route.fulfill({ json: { success: true, mails: 3 } })
  })
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin')
  const line = page.getByRole('listitem').filter({ hasText: '3 emails were not taken by the mail server' })
  await line.getByRole('button', { name: 'Send again' }).click()
  await expect(toastOf(page, '3 emails are sent again')).toBeVisible()
  expect(sent).toEqual(['POST'])
})

test('the system panel offers Retry when it does not load, and shows database, disk, backup, uptime, versions and the doctor’s checks', async ({
  page,
  server,
}) => {
  const { body } = await (await server.api('admin')).call('health')
  const { versions } = body.data as { versions: Record<'app' | 'node' | 'sqlite', string> }
  const answer = Promise.withResolvers<void>()
  await page.route(HEALTH, async (route) => {
    await answer.promise
    await route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'Broken' } })
  })
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin')
  const panel = system(page)
  await expect(page.getByText('Loading figures')).toBeAttached()
  answer.resolve()
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'Failed to load the system state: Server error. Please try again later.',
  )
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(1)
  await page.unroute(HEALTH)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('System is well')).toBeVisible()
  await expect(panel.getByText('Accepts writes')).toBeHidden()
  await page.getByText('Other views and system').click()
  await expect(panel.getByText('Accepts writes')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Retry' })).toBeHidden()

  await expect(panel.getByText(/^[\d.,]+ (MB|GB|TB) free$/)).toBeVisible()
  await expect(panel.getByText('Never')).toBeVisible()
  await expect(panel.getByText(`Node ${versions.node}, SQLite ${versions.sqlite}`)).toBeVisible()
  await expect(panel.getByText(versions.app, { exact: true })).toBeVisible()
  await expect(panel.getByText(/^(Less than a minute|\d+ min)$/)).toBeVisible()

  // The same checks as the doctor's, each with what to do.
  await panel.getByRole('button', { name: 'Check everything' }).click()
  const checks = panel.getByRole('list', { name: 'Checks' }).getByRole('listitem')
  await expect(checks.filter({ hasText: 'Settings: warning' })).toContainText('Set the three FIREBASE settings')
  await expect(checks.filter({ hasText: 'Database: ok' })).toContainText('Intact')
  await expect(panel.getByRole('status')).toContainText(/^\d of \d+ checks needs? attention$/)
})

test('the system panel warns that people will be made anonymous, of a backup that failed and of another version, and the desk says first why a server accepts no changes', async ({
  page,
}) => {
  let waitsForBackup = false
  await sayHealth(page, (data) => {
    expect(data).toMatchObject({ retention: [], backups: null })
    expect(data.readOnly).toBeUndefined()
    // 12:30 AM on the 23rd in India.
    data.retention = [{ event: 'Garba Rass 2025', from: '2028-09-22T19:00:00.000Z', waitsForBackup }]
    data.backups = { everyMinutes: 5, failed: { at: '2025-09-22T13:30:00.000Z', reason: 'The disk is full.' } }
    data.versions.app = '9.9.9+abcdef0'
    if (waitsForBackup) data.readOnly = READ_ONLY.replaced
  })
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin')
  const panel = system(page)
  const main = page.getByRole('main')
  await expect(main).toContainText('The people at Garba Rass 2025 will be made anonymous on 23 Sept 2028')
  await expect(main).toContainText('This needs a backup from the last 7 days.')
  await expect(main).toContainText(/The backup of .*7:00 PM failed/)
  await expect(main).toContainText('The disk is full.')
  // Another version needs attention, so the line is open.
  await expect(page.getByText('System needs attention')).toBeVisible()
  await expect(panel).toContainText('automatic, every 5 min')
  await expect(panel.getByText('9.9.9+abcdef0')).toBeVisible()
  await expect(panel.getByText(/^This page is \d+\.\d+\.\d+\S*$/)).toBeVisible()

  waitsForBackup = true
  await page.reload()
  await expect(main).toContainText('The people at Garba Rass 2025 were due to be made anonymous on 23 Sept 2028')
  await expect(main).toContainText('There is no backup from the last 7 days.')
  const notice = page.getByRole('status').filter({ hasText: READ_ONLY.title })
  await expect(notice).toContainText(READ_ONLY.replaced)
  // The to-do list leaves out what the server would refuse, which is not nothing.
  await expect(page.getByText('Nothing can be done here while this server is read-only.')).toBeVisible()
  await expect(page.getByText('Nothing to do right now.')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Back up now' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Add a picture' })).toHaveCount(0)

  // Lost tickets may wait.
  await page.route('**/api/admin/lost-tickets', (route) =>
    route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'Broken' } }),
  )
  await page.reload()
  await expect(page.getByText('Not loaded.')).toBeVisible()
  await expect(page.getByText('Nothing to do right now.')).toHaveCount(0)
})

test('the home begins with what is not ready and what waits, loading until it is known, each with one action, and a backup is made from there', async ({
  page,
  server,
}) => {
  const [ticket] = await (await server.api('guest')).buy(2)
  const params = { id: ticket?.id ?? '' }
  await (await server.api('admin')).call('setTicketStatus', { params, body: { status: 'cancelled' } })
  const [figures, event] = [await hold(page, '**/api/admin/**'), await hold(page, '**/api/event')]
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin')
  await expect(page.getByText('Loading figures')).toBeAttached()
  await expect(page.getByText('Not loaded.')).toHaveCount(0)
  await figures.end()
  await event.end()
  await expect(page.getByRole('list', { name: 'To do' })).toBeVisible()
  const lines = page.getByRole('list', { name: 'To do' }).getByRole('listitem')
  await expect(lines.filter({ hasText: '1 refund is due: ₹259' }).getByRole('link')).toHaveAttribute(
    'href',
    '/dashboard/admin/tickets?status=refund-due',
  )
  await expect(lines.filter({ hasText: 'The event has no picture' }).getByRole('link')).toBeVisible()
  await expect(page.getByText(/^\d+ days to go$/)).toBeVisible()
  await expect(page.getByRole('table', { name: 'Sales by Day' }).getByRole('cell')).toHaveText(['1'])
  // The first backup is a step of getting ready, and is not asked for twice.
  await expect(lines.filter({ hasText: 'backup' })).toHaveCount(0)
  const steps = page.getByRole('list', { name: 'Getting ready' }).getByRole('listitem')
  await expect(steps).toHaveCount(6)
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    const tallest = () =>
      steps.locator('summary').evaluateAll((titles) => Math.max(...titles.map(({ scrollHeight }) => scrollHeight)))
    await expect.poll(tallest, `each title in one line at ${width} px`).toBeLessThan(60)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(page.getByText('1 of 6 done')).toBeVisible()
  // The first that is not done is open; the others say more when asked.
  await expect(steps.getByText(/Set PAYMENTS/)).toBeVisible()
  const backup = steps.filter({ hasText: 'Make a backup' })
  await expect(backup.getByText(/^A copy of everything/)).toBeHidden()
  await backup.getByText('Make a backup').click()
  await backup.getByRole('button', { name: 'Back up now' }).click()
  await expect(page.getByText('2 of 6 done')).toBeVisible()
  await expect(backup.getByText(/^A copy of everything/)).toHaveCount(0)
  await expect(system(page).getByText('Never')).toHaveCount(0)
  expect(readdirSync(join(server.dataDir, 'backups'))).toHaveLength(1)
})

const FIGURES = '**/api/admin/analytics/dashboard'
const breakFigures = (page: Page) =>
  page.route(FIGURES, (route) =>
    route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', message: 'Broken' } }),
  )

test('figures that could not be read are zeros, said to be not up to date, until Retry; those that fail to update stay, and say since when', async ({
  page,
  server,
}) => {
  await (await server.api('guest')).buy(3)
  await restoreSession(page, 'admin')
  await page.clock.install()
  await breakFigures(page)
  await page.goto('/dashboard/admin')
  await expect(page.getByText('₹0 today')).toBeVisible()
  await expect(page.getByText('Not up to date')).toBeVisible()
  await page.unroute(FIGURES)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('Not up to date')).toHaveCount(0)
  const figures = page.getByText('₹897', { exact: true })
  await expect(figures).toBeVisible()
  await expect(page.getByText(/Couldn’t update/)).toHaveCount(0)
  await breakFigures(page)
  const rail = page.getByRole('navigation', { name: 'Dashboard' })
  await rail.getByRole('link', { name: 'Users' }).click()
  await expect(page.getByRole('heading', { name: 'Manage Users' })).toBeVisible()
  await page.clock.runFor(CACHE_DASHBOARD_MS)
  await rail.getByRole('link', { name: 'Home' }).click()
  await expect(page.getByText(/^Couldn’t update. Last known figures, from \d+:\d\d [AP]M.$/)).toBeVisible()
  await expect(figures).toBeVisible()
})

test('the home counts at once what was sold and deleted on other views, and printed tickets as no sale', async ({
  page,
  server,
}) => {
  await server.apiAs({ uid: 'Hetal', email: 'hetal@buyers.test', name: 'Hetal' })
  await restoreSession(page, 'admin')
  await page.clock.install()
  await page.goto('/dashboard/admin')
  const rail = page.getByRole('navigation', { name: 'Dashboard' })
  const home = () => rail.getByRole('link', { name: 'Home' }).click()
  const users = () =>
    page.evaluate(() => {
      const label = [...document.querySelectorAll('p')].find(({ textContent }) => textContent === 'Total Users')
      return Number(label?.nextElementSibling?.textContent)
    })
  await expect(page.getByText('without cancelled ones; 0 today', { exact: true })).toBeVisible()
  const before = await users()

  await rail.getByRole('link', { name: 'Orders' }).click()
  await page.getByRole('link', { name: 'Sell', exact: true }).click()
  await page.getByRole('textbox', { name: 'Name of the block' }).fill('Crew')
  await page.getByRole('textbox', { name: 'How many' }).fill('20')
  await page.getByRole('button', { name: 'Make a block' }).click()
  await page.getByRole('button', { name: 'Activate tickets of Crew' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Last number' }).fill('5')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Dancers')
  await dialog.getByRole('button', { name: 'Activate' }).click()
  await expect(page.getByText('Left: 6 to 20')).toBeVisible()
  await home()
  await expect(page.getByText('without cancelled ones; 5 today', { exact: true })).toBeVisible()
  // A screen reader reads the seats left once, beside the bar's own percentage.
  await expect(page.getByText('1,180 of 1,200 left', { exact: true })).toBeVisible()
  const bar = page.getByRole('progressbar', { name: 'Seats taken' })
  await expect(bar).toHaveAttribute('aria-valuenow', '2')
  await expect(bar).not.toHaveAttribute('aria-valuetext', /./)

  await rail.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('button', { name: 'Delete user: Hetal' }).click()
  await page.clock.runFor(UNDO_MS)
  await expect(toastOf(page, 'User deleted successfully')).toBeVisible()
  await home()
  await expect.poll(users).toBe(before - 1)
})

test('on the night the home begins with the evening, which follows the gate; on other days it does not', async ({
  page,
  server,
}) => {
  const [ticket] = await (await server.api('guest')).buy(2)
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin')
  await expect(page.getByText('1,198 of 1,200 left')).toBeVisible()
  const inside = page.locator('[data-testid=people]')
  await expect(inside).toHaveCount(0)

  await page.route('**/api/event', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: object }
    const moment = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()
    await route.fulfill({
      response,
      json: { ...body, data: { ...body.data, startsAt: moment(-1), endsAt: moment(2) } },
    })
  })
  await page.reload()
  await expect(inside).toHaveText('0')
  const scan = { ticketId: ticket.id, manual: true, scanId: crypto.randomUUID(), deviceId: 'gate' }
  expect((await (await server.api('checker')).call('markUsed', { body: scan })).status).toBe(200)
  await expect(inside).toHaveText('1')
})

test('a silent device is amber, then red, and several red ones share a line; a roster is behind by minutes; on the night the trouble comes first, the worst on top', async ({
  page,
  server,
}) => {
  const checker = await server.api('checker')
  for (const deviceId of ['near', 'far', 'lost', 'over', 'home'])
    expect((await checker.call('roster', { query: { deviceId, deviceName: `Gate ${deviceId}` } })).status).toBe(200)
  let goneHome = 3
  let unsent = 0
  await page.route('**/api/admin/gate/live', (route) => route.abort())
  await page.route('**/api/admin/gate', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: EveningFigures }
    const ago = (minutes: number) => new Date(Date.parse(body.data.at) - minutes * 60_000).toISOString()
    const seen: Record<string, string> = {
      ...{ near: ago(4), far: ago(6), lost: ago(16) },
      home: ago(goneHome),
    }
    const devices = body.data.devices.map((device) => ({
      ...device,
      lastSeen: seen[device.deviceId] ?? device.lastSeen,
      ...(device.deviceId === 'near' ? { unsent, oldestUnsent: unsent > 0 ? ago(7) : null } : {}),
      rosterRevision: body.data.revision - 3,
      rosterLacksSince: ago(12),
      ...(device.deviceId === 'over'
        ? { ended: true, unsent: 2, lastSeen: ago(2 * 24 * 60), oldestUnsent: ago(2 * 24 * 60) }
        : {}),
    }))
    await route.fulfill({ response, json: { ...body, data: { ...body.data, devices } } })
  })
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/gate')
  const row = (name: string) => rows(page, 'Devices').filter({ hasText: `Gate ${name}` })
  await expect(row('near')).toContainText('12 min behind (3 changes)')
  await expect(row('near').getByText(/Silent/)).toHaveCount(0)
  await expect(row('far').getByText('Silent for 6 min')).toBeVisible()
  await expect(row('lost').getByText('Silent for 16 min')).toBeVisible()
  // A phone that has ended is not missed, but what it has not sent is.
  await expect(row('over').getByText('Revoked or over')).toBeVisible()
  await expect(row('over').getByText(/Silent/)).toHaveCount(0)
  // A time of another day has its day.
  await expect(row('near')).toContainText(/Gate near[^,]*\d:\d\d/)
  await expect(row('over')).toContainText(/\d+ \w+, \d+:\d\d [ap]m.*2 since \d+ \w+, \d+:\d\d [ap]m/i)
  // The event is weeks away.
  const trouble = page.getByRole('status').filter({ hasText: 'Trouble tonight' }).getByRole('listitem')
  await expect(trouble).toHaveCount(0)
  goneHome = 40
  await page.reload()
  await expect(row('lost')).toContainText('Gate home')
  await expect(row('lost').getByText('Silent for 16 min or more')).toBeVisible()
  await expect(rows(page, 'Devices')).toHaveCount(4)

  // What a phone does not say itself is not missed before the event; 'over' has no place among tonight's phones.
  await changeEvent(await server.api('admin'), runningNow())
  const [ticket] = await (await server.api('guest')).buy(1)
  for (const deviceId of ['near', 'far']) {
    const at = { scannedAt: new Date().toISOString(), admittedOffline: true }
    const scan = { ticketId: ticket?.id, manual: true, scanId: crypto.randomUUID(), deviceId, ...at }
    expect((await checker.call('markUsed', { body: scan })).status).toBe(200)
  }
  unsent = 2
  for (const path of ['gate', '']) {
    await page.goto(`/dashboard/admin/${path}`)
    await expect(trouble).toHaveText([
      '1 double admission to look at',
      /^Gate near has 2 unsent scans, the oldest from \d+:\d\d [AP]M$/,
      /^3 phones are silent, one since \d+:\d\d [AP]M$/,
    ])
    await expect(page.getByText('1 more person than tickets: 1 from double admissions and swaps')).toHaveCount(1)
  }
  await expect(page.getByText('The event has no picture')).toHaveCount(0)
  await page.goto('/dashboard/admin/gate')
  await page.getByRole('button', { name: 'Wall mode' }).click()
  const wall = page.getByRole('region', { name: 'The evening on the wall' })
  await expect(wall.getByRole('listitem').first()).toHaveText('1 double admission to look at')
})
