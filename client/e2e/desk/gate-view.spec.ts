import { rows } from '../support/desk.ts'
import { changeEvent, runningNow } from '../support/event.ts'
import { expect, test } from '../support/fixtures.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'
import { expectInTime } from '../support/time.ts'

test('the gate view follows a scan, raises an alarm, acknowledges a double admission and says when it is not live', async ({
  page,
  server,
}) => {
  const [first, second] = await (await server.api('guest')).buy(2)
  const checker = await server.api('checker')
  const scan = async (ticketId: string, more: object = {}) => {
    const body = { ticketId, manual: true, scanId: crypto.randomUUID(), deviceId: 'test-device', ...more }
    expect((await checker.call('markUsed', { body })).status).toBe(200)
  }
  await restoreSession(page, 'admin')
  await page.clock.install()
  await page.goto('/dashboard/admin/gate')
  const inside = page.locator('[data-testid=people]')
  const live = page.getByText('Live', { exact: true })
  await expect(inside).toHaveText('0')
  await scan(first.id)
  await expect(inside).toHaveText('1')
  // The event is weeks away.
  await expect(live).toHaveCount(0)
  await changeEvent(await server.api('admin'), runningNow())
  await page.reload()
  await expect(live).toBeVisible()

  const scannedAt = new Date(Date.now() - 20 * 3_600_000).toISOString()
  await scan(second.id, { scannedAt, admittedOffline: true, deviceName: 'Gate Z' })
  await expect(page.getByRole('alert').filter({ hasText: 'Gate Z sent 1 back-dated scan' })).toBeVisible()
  await expect(inside).toHaveText('2')

  const again = { ticketId: first.id, manual: true, scanId: crypto.randomUUID(), deviceId: 'another-device' }
  await checker.call('markUsed', { body: { ...again, scannedAt: new Date().toISOString(), admittedOffline: true } })
  await page.getByRole('button', { name: /Acknowledge the double admission/ }).click()
  await expect(toastOf(page, 'Double admission acknowledged')).toBeVisible()
  // What was acknowledged folds away.
  const seen = page.getByText(/^Acknowledged by Asha Admin/)
  await expect(page.getByText('1 acknowledged')).toBeVisible()
  await expect(seen).toBeHidden()
  await page.getByText('1 acknowledged').click()
  await expect(seen).toBeVisible()

  await server.stop()
  await expectInTime(page.getByText(/Connection lost: these figures are not live/))
  await expect(inside).toHaveText('3')
  const alarm = {
    name: 'Disk',
    detail: 'Only 150 MB free.',
    cure: 'Make room.',
    since: new Date(Date.now() - 48 * 3_600_000).toISOString(),
  }
  server.change('insert into meta (key, value) values (?, ?)', 'alarms', JSON.stringify([alarm]))
  await server.start()
  await expectInTime(live)
  await expect(page.getByRole('alert').filter({ hasText: 'Disk: Only 150 MB free.' })).toContainText(
    /Make room\. \(since \d+ \w+, \d+:\d\d [ap]m\)/i,
  )
})

test('a double admission is acknowledged with one tap, and so are several; the wall shows the evening without controls', async ({
  page,
  server,
}) => {
  const tickets = await (await server.api('guest')).buy(4)
  const [late, last] = [tickets.pop(), tickets.pop()]
  const checker = await server.api('checker')
  const letIn = async (ticketId: string | undefined, deviceId: string) => {
    const at = { scannedAt: new Date().toISOString(), admittedOffline: true }
    const body = {
      ticketId,
      manual: true,
      scanId: crypto.randomUUID(),
      deviceId,
      deviceName: `Gate ${deviceId}`,
      ...at,
    }
    expect((await checker.call('markUsed', { body })).status).toBe(200)
  }
  for (const { id } of tickets) for (const gate of ['A', 'B']) await letIn(id, gate)
  const open = () => server.rows('select 1 from conflicts where acknowledged_at is null').length
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/gate')
  const double = rows(page, 'Double admissions')
  await expect(double).toHaveCount(2)
  const shown = await double.allTextContents()
  for (const gate of ['A', 'B']) await letIn(last?.id, gate)
  await expect(double).toHaveCount(3)
  // A live row comes below the others: what is under the pointer stays there.
  expect((await double.allTextContents()).slice(0, 2)).toEqual(shown)
  await page
    .getByRole('button', { name: /Acknowledge the double admission/ })
    .first()
    .click()
  await expect(toastOf(page, 'Double admission acknowledged')).toBeVisible()
  expect(open()).toBe(2)
  await page.getByRole('button', { name: 'Acknowledge all' }).click()
  await expect(toastOf(page, 'All double admissions acknowledged')).toBeVisible()
  expect(open()).toBe(0)

  // A swap has a heading of its own, and somebody else must look at one's own swap.
  const swap = { ticketId: last?.id, manual: true, scanId: crypto.randomUUID() }
  expect((await (await server.api('admin')).call('swapEntry', { body: swap })).status).toBe(200)
  for (const gate of ['A', 'B']) await letIn(late?.id, gate)
  await expect(page.getByRole('heading', { name: 'Swaps' })).toBeVisible()
  await expect(page.getByText('The second person let in was the holder.')).toBeVisible()
  const acknowledge = (name: string) =>
    page
      .getByRole('table', { name })
      .getByRole('button', { name: /^Acknowledge the/ })
      .first()
  await acknowledge('Swaps').click()
  await expect(toastOf(page, /Failed to acknowledge: You let this person in/)).toBeVisible()
  expect(open()).toBe(2)
  await acknowledge('Double admissions').click()
  await expect.poll(open).toBe(1)

  await page.getByRole('button', { name: 'Wall mode' }).click()
  const wall = page.getByRole('region', { name: 'The evening on the wall' })
  await expect(wall).toContainText('9people let in')
  await expect(wall.getByRole('button')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(wall).toHaveCount(0)
})
