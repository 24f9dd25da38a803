import { rows } from '../support/desk.ts'
import { changeEvent, dayAhead } from '../support/event.ts'
import { expect, test } from '../support/fixtures.ts'
import { Gate } from '../support/gate.ts'
import { storeRows } from '../support/scannerStore.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

const SCAN_STORES = ['outbox', 'admitted', 'qr_scan_history', 'tally', 'journal'] as const

test('weeks before the event the scanner names its day, and practice marks and stores nothing', async ({
  server,
  page,
}) => {
  await changeEvent(await server.api('admin'), { date: dayAhead(20) })
  const [ticket] = await (await server.api('guest')).buy(1)
  const text = ticket?.qrCode ?? ''
  const gate = await Gate.open(page)
  await gate.start()
  const strip = page.getByRole('region', { name: 'The event’s day' })
  await expect(strip).toContainText(/The event is on .* A scan uses the ticket up\./)
  await strip.getByRole('button', { name: 'Practise' }).click()
  await expect(strip).toContainText('nothing is marked or stored')
  // Nothing is written that a scan would wait for.
  const practise = async (code: string) => {
    const before = (await gate.verdicts()).length
    const verdict = await gate.holdTime(async () => {
      await gate.camera.showCode(code)
      return gate.nextVerdict(before)
    })
    await gate.takeAway()
    return verdict
  }
  for (const _ of [1, 2])
    expect(await practise(text)).toMatchObject({
      look: 'allowed',
      words: expect.stringMatching(/^PRACTICE .*Entry Allowed! .*Welcome Garima Guest .*The event is on /),
    })
  expect(await practise('https://example.org')).toMatchObject({
    look: 'refused',
    words: expect.stringMatching(/^PRACTICE .*Invalid QR Code/),
  })
  for (const name of SCAN_STORES) expect(await storeRows(page, name)).toEqual([])
  const admin = await server.api('admin')
  expect(await admin.call('gate')).toMatchObject({ body: { data: { people: 0, refusals: { recent: [] } } } })
  await strip.getByRole('button', { name: 'Stop' }).click()
  const real = await gate.scan(text)
  expect(real).toMatchObject({ look: 'allowed', words: expect.stringMatching(/Entry Allowed! .*The event is on /) })
  expect(real.words).not.toContain('PRACTICE')
})

test('the desk’s home and evening show tickets used on another day, and set them back with one press', async ({
  server,
  page,
}) => {
  await changeEvent(await server.api('admin'), { date: dayAhead(20) })
  const guest = await server.api('guest')
  const [ticket] = await guest.buy(1)
  await (await server.api('checker')).call('markUsed', { body: { qrCode: ticket?.qrCode } })
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin')
  await expect(page.getByText('One ticket was used on another day')).toBeVisible()
  await page.goto('/dashboard/admin/gate')
  const entries = rows(page, 'Used on another day')
  await expect(entries).toHaveCount(1)
  await expect(entries.first()).toContainText(/Garima Guest.*Chetan Checker/)
  await page.getByRole('button', { name: 'Make it active again' }).click()
  await expect(toastOf(page, 'One ticket is active again')).toBeVisible()
  await expect(page.getByText('Used on another day')).toHaveCount(0)
  expect(server.rows('select status from tickets')).toEqual([{ status: 'active' }])
})
