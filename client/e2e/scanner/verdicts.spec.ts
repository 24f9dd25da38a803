import type { Api } from '../support/api.ts'
import { cutBefore, EVERYTHING } from '../support/faults.ts'
import { expect, type TestServer, test } from '../support/fixtures.ts'
import { Gate } from '../support/gate.ts'
import { storeRows } from '../support/scannerStore.ts'
import type { SeenVerdict } from '../support/verdicts.ts'

/** Tickets in every state that a gate can meet, and texts that are none. */
async function everyState(server: TestServer) {
  const guest = await server.api('guest')
  const admin = await server.api('admin')
  const checker = await server.api('checker')
  const [good, used, cancelled, deleted] = await guest.buy(4)
  if (!good || !used || !cancelled || !deleted) throw new Error('Four tickets were bought')
  const body = { qrCode: used.qrCode, deviceId: 'gate-b', deviceName: 'Gate B' }
  expect((await checker.call('markUsed', { body })).status).toBe(200)
  await admin.call('setTicketStatus', { params: { id: cancelled.id }, body: { status: 'cancelled' } })
  await admin.call('deleteTicket', { params: { id: deleted.id } })
  // The last digit is the signature's: still a code of our form, no longer of our hand.
  const text = good.qrCode ?? ''
  const forged = text.slice(0, -1) + (text.endsWith('A') ? 'B' : 'A')
  return { guest, good, used, cancelled, deleted, forged }
}
type States = Awaited<ReturnType<typeof everyState>>

const REFUSALS: readonly [string, (states: States) => string | null, RegExp][] = [
  ['cancelled', (s) => s.cancelled.qrCode, /^Ticket Cancelled .*This ticket was cancelled and is no longer valid\./],
  ['deleted', (s) => s.deleted.qrCode, /^Ticket Not Found .*This ticket does not exist in our system/],
  ['forged', (s) => s.forged, /^Invalid Ticket .*Ticket not found in system or QR code is invalid/],
  ['no ticket at all', () => 'https://example.org/menu', /^Invalid QR Code .*QR code format is not recognized/],
]

async function refusesEach(gate: Gate, states: States, by: SeenVerdict['by']) {
  for (const [, text, words] of REFUSALS)
    expect(await gate.scan(text(states) ?? '')).toMatchObject({
      look: 'refused',
      by,
      words: expect.stringMatching(words),
    })
}

test('every verdict of the server, with its reason', async ({ server, page }) => {
  const states = await everyState(server)
  const gate = await Gate.open(page)
  await gate.start()
  await refusesEach(gate, states, 'server')
  expect(await gate.scan(states.good.qrCode ?? '')).toMatchObject({
    look: 'allowed',
    by: 'server',
    words: expect.stringContaining('Entry Allowed! | Welcome Garima Guest'),
  })
  const last = page.getByRole('region', { name: 'Last scan' })
  const undo = last.getByRole('button', { name: 'Undo' })
  await expect(undo).toBeVisible()
  expect(await gate.scan(states.used.qrCode ?? '')).toMatchObject({
    look: 'refused',
    words: expect.stringMatching(/Ticket Already Used .*Entered at .*by Chetan Checker, on Gate B/),
  })
  // Undo belongs to the admission before, whose ticket the strip no longer names.
  await expect(last).toContainText('Ticket Already Used')
  await expect(last.getByRole('button', { name: 'Check ID' })).toBeVisible()
  await expect(undo).toHaveCount(0)
  expect(await gate.scan(states.good.qrCode ?? '')).toMatchObject({
    look: 'refused',
    words: expect.stringMatching(/Ticket Already Used .*by Chetan Checker, on Scanner [0-9A-F]{4}/),
  })
  // The verdict stands in for a toast: none lies over the picture.
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
  await expect.poll(() => gate.tiles()).toEqual([7, 1, 6])
  expect(await storeRows(page, 'outbox')).toEqual([])
})

test('every verdict of the device, with the network gone; a ticket sold since is let in as pending', async ({
  server,
  page,
}) => {
  const states = await everyState(server)
  // A route cannot cut a stream that is already open, as a dead network would: this device asks for changes instead.
  await cutBefore(page, /scanner\/live/)
  const gate = await Gate.open(page)
  await gate.start()
  await cutBefore(page, EVERYTHING)
  const late = await soldLater(states.guest)
  await refusesEach(gate, states, 'device')
  expect(await gate.scan(states.used.qrCode ?? '')).toMatchObject({
    look: 'refused',
    by: 'device',
    words: expect.stringMatching(/Ticket Already Used .*Entered at/),
  })
  expect(await gate.scan(late)).toMatchObject({
    look: 'pending',
    by: 'device',
    words: expect.stringMatching(/^Let in \| Valid \(Pending\) .*Name not on this device/),
  })
  expect(await gate.scan(states.good.qrCode ?? '')).toMatchObject({
    look: 'pending',
    words: expect.stringContaining('Garima Guest'),
  })
  expect(await storeRows(page, 'outbox')).toHaveLength(2)
})

const soldLater = async (guest: Api): Promise<string> => (await guest.buy(1))[0].qrCode

test('a device that never had the list reports that instead of calling good tickets invalid', async ({
  server,
  page,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  await cutBefore(page, /\/api\/(scanner|tickets)\//)
  const gate = await Gate.open(page, {}, { list: false })
  await gate.start()
  expect(await gate.scan(ticket.qrCode)).toMatchObject({
    look: 'refused',
    words: expect.stringMatching(/Verification Failed .*has not been synced yet/),
  })
})

test('a code left before the camera counts once; shown by the next person, or asked for, it is judged again; its refusal stays, with the age of the earlier entry', async ({
  server,
  page,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const gate = await Gate.open(page)
  await gate.start()
  const first = await gate.holdTime(async () => {
    await gate.camera.showCode(ticket.qrCode)
    return gate.nextVerdict(0)
  })
  expect(first).toMatchObject({ look: 'allowed' })
  // A write takes real time: page time that runs on without it would be a storage that does not answer.
  const counts = (...tiles: number[]) => expect.poll(() => gate.tiles()).toEqual(tiles)
  await counts(1, 1, 0)
  await gate.watch(7)
  await expect(gate.scanAgain).toBeVisible()
  expect(await gate.verdicts()).toHaveLength(1)
  expect(await gate.tiles()).toEqual([1, 1, 0])

  await gate.camera.showCode(null)
  await gate.watch(2)
  await expect(gate.scanAgain).toBeHidden()
  await gate.camera.showCode(ticket.qrCode)
  const used = {
    look: 'refused',
    words: expect.stringMatching(/Already Used .*Entered at \d+:\d+ [AP]M \(\d+\ss\sago\)/),
  }
  expect(await gate.nextVerdict(1)).toMatchObject(used)

  await counts(2, 1, 1)
  // A refusal stays, and its age counts on, until it is tapped.
  const age = async () => Number(/\((\d+)\ss/.exec((await gate.verdict.textContent()) ?? '')?.[1])
  const before = await age()
  await gate.watch(4)
  expect(await age()).toBeGreaterThan(before)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('region', { name: 'Last scan' })).toContainText('Ticket Already Used')
  await gate.scanAgain.click()
  expect(await gate.nextVerdict(2)).toMatchObject(used)

  await counts(3, 1, 2)
  await gate.watch(4)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(gate.verdict).toBeHidden()
  await page.getByRole('button', { name: 'Stop Scanner' }).click()
  await gate.start()
  expect(await gate.nextVerdict(3)).toMatchObject(used)
  await counts(4, 1, 3)
})

test('a token that runs out in the middle of the evening costs no scan and asks nobody anything', async ({
  server,
  page,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const gate = await Gate.open(page)
  await gate.start()
  const expired = new Set<string>()
  let refreshed = 0
  await page.route('**/securetoken.googleapis.com/**', async (route) => {
    refreshed += 1
    await route.continue()
  })
  await page.route('**/api/tickets/**', async (route) => {
    const token = route.request().headers().authorization ?? ''
    if (refreshed === 0) expired.add(token)
    if (!expired.has(token)) return route.continue()
    await route.fulfill({ status: 401, json: { success: false, code: 'UNAUTHENTICATED', message: 'Please sign in' } })
  })
  // Whether the refresh is in time for the line or not, the person goes in and the scan arrives once.
  expect((await gate.scan(ticket.qrCode)).look).toMatch(/allowed|pending/)
  await gate.says('All sent')
  await expect.poll(() => server.rows('select outcome from scans')).toEqual([{ outcome: 'admitted' }])
  expect(refreshed).toBeGreaterThan(0)
  await expect(page).toHaveURL(/\/dashboard\/qrchecker$/)
})
