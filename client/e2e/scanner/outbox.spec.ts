import { BATCH, cutBefore, EVERYTHING } from '../support/faults.ts'
import { expect, type TestServer, test } from '../support/fixtures.ts'
import { Gate } from '../support/gate.ts'
import { asInstalledApp } from '../support/pwa.ts'
import { putRows, queued, storeCounts, storeRows } from '../support/scannerStore.ts'
import { accountMenu, signInAsOther, signOutByMenu } from '../support/session.ts'

const outcomes = (server: TestServer) =>
  server.rows<{ outcome: string; n: number }>('select outcome, count(*) as n from scans group by outcome')

test('a page that ends between the write and the green loses nothing: the next start sends it', async ({
  server,
  page,
  context,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const gate = await Gate.open(page)
  await gate.start()
  await cutBefore(page, EVERYTHING)
  await gate.camera.showCode(ticket.qrCode)
  // The row is on the disk; whether the verdict was drawn is another matter.
  await expect.poll(async () => (await storeRows(page, 'outbox')).length, { intervals: [10] }).toBe(1)
  await page.close()
  expect(server.rows('select id from scans')).toEqual([])
  const again = await Gate.on(await context.newPage())
  await again.page.goto('/dashboard/qrchecker')
  await again.says('All sent')
  await expect.poll(() => outcomes(server)).toEqual([{ outcome: 'admitted', n: 1 }])
  await expect(again.recent).toContainText('Garima Guest')
})

test('sign-out warns of unsent scans and keeps them; the next checker sends them in the name they were made in', async ({
  server,
  page,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const checker = await server.api('checker')
  const second = await server.apiAs({ uid: 'second-checker', email: 'second@garba.test', name: 'Sonal Second' })
  const admin = await server.api('admin')
  await admin.call('setRole', { params: { id: second.user._id }, body: { role: 'qrchecker' } })
  const gate = await Gate.open(page)
  await gate.start()
  const fault = await cutBefore(page, /\/api\/(tickets|scanner)/)
  expect(await gate.scan(ticket.qrCode)).toMatchObject({ look: 'pending' })
  await page.getByRole('button', { name: 'Scanner menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  const question = page.getByRole('alertdialog', { name: 'Sign out with unsent scans?' })
  await expect(question).toContainText('1 scan has not been sent yet')
  await question.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/localhost:\d+\/$/)
  await expect(page.getByText('1 scan on this phone is not sent yet')).toBeVisible()
  const rows = await storeRows<{ ticketId: string; checkerName: string }>(page, 'outbox')
  expect(rows).toMatchObject([{ ticketId: ticket.id, checkerName: 'Chetan Checker' }])
  // What the server had answered to the first checker is gone with them.
  expect(await storeRows(page, 'roster')).toEqual([])

  await fault.end()
  await signInAsOther(page, { name: 'Sonal Second', email: 'second@garba.test' })
  await expect(accountMenu(page)).toHaveAccessibleName(/Sonal Second/)
  await expect(page.getByText('1 scan on this phone is not sent yet')).toBeHidden()
  await page.goto('/dashboard/qrchecker')
  await gate.says('All sent')
  await expect
    .poll(() => server.rows('select checker_id as checker, sender_id as sender, outcome from scans'))
    .toEqual([{ checker: checker.user._id, sender: second.user._id, outcome: 'admitted' }])
})

test('signing out on the site takes the list and what was answered from the device, and leaves what is unsent', async ({
  server,
  page,
}) => {
  const [sent, unsent] = await (await server.api('guest')).buy(2)
  const gate = await Gate.open(page)
  await gate.start()
  await gate.scan(sent.qrCode)
  await expect(gate.recent.locator('[data-ending="admitted"]')).toContainText('Garima Guest')
  await cutBefore(page, /\/api\/(tickets|scanner)/)
  expect(await gate.scan(unsent.qrCode)).toMatchObject({ look: 'pending' })
  await page.goto('/')
  await signOutByMenu(page)
  for (const store of ['roster', 'tally']) expect(await storeRows(page, store)).toEqual([])
  expect(await storeRows(page, 'meta')).toMatchObject([{ key: 'device' }])
  for (const store of ['outbox', 'admitted'])
    expect(await storeRows(page, store)).toMatchObject([{ ticketId: unsent.id, name: 'Garima Guest' }])
  expect(await storeRows(page, 'qr_scan_history')).toMatchObject([{ ticket: { id: unsent.id }, ending: 'pending' }])
})

test.describe('installed', () => {
  test('the installed scanner, signed out, says what is unsent and how old', async ({ server, page }) => {
    const [ticket] = await (await server.api('guest')).buy(1)
    await asInstalledApp(page)
    const gate = await Gate.open(page)
    await gate.start()
    await cutBefore(page, /\/api\/(tickets|scanner)/)
    expect(await gate.scan(ticket.qrCode)).toMatchObject({ look: 'pending' })
    await page.getByRole('button', { name: 'Scanner menu' }).click()
    await page.getByRole('menuitem', { name: 'Sign Out' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByRole('button', { name: 'Sign In with Google' })).toBeVisible()
    await expect(page.getByText(/1 unsent, oldest \d+ s/)).toBeVisible()
    await page.reload()
    await expect(page.getByText(/1 unsent, oldest \d+ s/)).toBeVisible()
  })
})

test('a checker who was demoted sends nothing and loses nothing, and no guest is named on the phone', async ({
  server,
  page,
}) => {
  const [sent, ticket] = await (await server.api('guest')).buy(2)
  const checker = await server.api('checker')
  const admin = await server.api('admin')
  const gate = await Gate.open(page)
  await gate.start()
  await gate.scan(sent.qrCode)
  await expect(gate.recent.locator('[data-ending="admitted"]')).toContainText('Garima Guest')
  const fault = await cutBefore(page, EVERYTHING)
  expect(await gate.scan(ticket.qrCode)).toMatchObject({ look: 'pending' })
  await admin.call('setRole', { params: { id: checker.user._id }, body: { role: 'guest' } })
  await fault.end()
  // The list or the scan, whichever is asked for first, brings the refusal.
  await expect(page).toHaveURL(/\/dashboard\/guest$/)
  expect(await storeRows(page, 'outbox')).toMatchObject([{ ticketId: ticket.id, qrCode: ticket.qrCode, name: null }])
  expect(await storeRows(page, 'qr_scan_history')).toMatchObject([
    { ticket: { id: sent.id, name: null }, ending: 'admitted' },
    { ticket: { id: ticket.id, name: null }, ending: 'pending' },
  ])
  for (const store of Object.keys(await storeCounts(page)))
    expect(JSON.stringify(await storeRows(page, store)), store).not.toContain('Garima')
  expect(await storeRows(page, 'roster')).toEqual([])
  expect(server.rows('select ticket_id from scans')).toEqual([{ ticket_id: sent.id }])
})

test('a scan that the server cannot take is shown with its reason and blocks nothing', async ({ server, page }) => {
  const [good] = await (await server.api('guest')).buy(1)
  const maker = { checkerId: (await server.api('checker')).user._id }
  const gate = await Gate.open(page)
  const forged = { id: good.id, qrCode: `GR1:${'0'.repeat(118)}` }
  const row = queued(forged, { ...maker, name: 'Forged Fellow' })
  await putRows(page, 'outbox', [row, queued(good, maker)])
  const record = {
    id: 1,
    status: 'valid',
    ending: 'pending',
    ticket: null,
    timestamp: row.scannedAt,
    title: '',
    detail: '',
  }
  await putRows(page, 'qr_scan_history', [{ ...row, ...record, marked: false, scannedBy: 'Chetan Checker' }])
  await page.reload()
  await gate.says('1 needs attention')
  expect(outcomes(server)).toContainEqual({ outcome: 'admitted', n: 1 })
  await gate.status.getByRole('button', { name: /unsent/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Scans to send' })
  await expect(dialog).toContainText('Forged Fellow')
  await expect(dialog).toContainText('Ticket not found in system or QR code is invalid')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(dialog).toContainText('Everything has been sent')
  await page.keyboard.press('Escape')
  await expect(gate.recent).toContainText('Removed before it was sent')
  await expect(gate.recent).not.toContainText(/Pending|sent:/)
})

test('two tabs of one device send each scan once', async ({ server, page, context }) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const gate = await Gate.open(page)
  const otherGate = await Gate.on(await context.newPage())
  await otherGate.page.goto('/dashboard/qrchecker')
  await otherGate.says('All sent')
  await gate.start()
  const cuts = [await cutBefore(page, /\/api\/tickets\//), await cutBefore(otherGate.page, BATCH)]
  expect(await gate.scan(ticket.qrCode)).toMatchObject({ look: 'pending' })
  await otherGate.says('1 unsent')
  for (const cut of cuts) await cut.end()
  await gate.says('All sent')
  await otherGate.says('All sent')
  expect(server.rows('select outcome from scans')).toEqual([{ outcome: 'admitted' }])
})
