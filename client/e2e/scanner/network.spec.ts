import { BATCH, captivePortal, cutAfter, cutBefore, EVERYTHING, hold, MARK } from '../support/faults.ts'
import { expect, type Page, type TestServer, test } from '../support/fixtures.ts'
import { Gate } from '../support/gate.ts'

/** Every scan made is on the server exactly once: rows by ticket, with how each ended. */
const scansOf = (server: TestServer, ticketId: string) =>
  server
    .rows<{ outcome: string }>('select outcome from scans where ticket_id = ?', ticketId)
    .map(({ outcome }) => outcome)
const statusOf = (server: TestServer, ticketId: string) =>
  server.rows<{ status: string }>('select status from tickets where id = ?', ticketId)[0]?.status

/** How many requests the page has sent to such an address since. */
function countRequests(page: Page, where: RegExp): () => number {
  let asked = 0
  page.on('request', (request) => {
    if (where.test(request.url())) asked += 1
  })
  return () => asked
}

/** The queue has emptied, and the server has the scan once, as an admission. */
async function arrivedOnce(gate: Gate, server: TestServer, ticketId: string) {
  await gate.says('All sent')
  expect(scansOf(server, ticketId)).toEqual(['admitted'])
  expect(statusOf(server, ticketId)).toBe('used')
  await expect(gate.recent.locator('[data-ending="admitted"]').first()).toBeAttached()
}

// Cut at other places, and a gateway that has lost the server: tests/scanner/network.test.ts.
test('the network cut after mark, before its answer: the person goes in as pending, and the scan arrives once', async ({
  server,
  page,
}) => {
  const tickets = await (await server.api('guest')).buy(4)
  const gate = await Gate.open(page)
  await gate.start()
  const fault = await cutAfter(page, MARK)
  // Where the machine is so busy that verify alone takes the line's 1.5 s, no mark is sent: the next ticket then.
  for (const { qrCode, id } of tickets) {
    // The queue could have emptied before anybody looks.
    const queue = await cutBefore(page, BATCH)
    expect(await gate.scan(qrCode ?? '')).toMatchObject({
      look: 'pending',
      by: 'device',
      words: expect.stringContaining('Garima Guest'),
    })
    if (fault.met() > 0) await expect(gate.status).toContainText('unsent')
    await queue.end()
    if (fault.met() === 0) {
      // Until then the device asks nobody.
      await gate.says('Online')
      continue
    }
    await fault.end()
    await arrivedOnce(gate, server, id)
    break
  }
  expect(fault.met()).toBeGreaterThan(0)
})

test('a captive portal counts as offline: the device itself tells good tickets from bad, and the queue moves on', async ({
  server,
  page,
}) => {
  const [first, second] = await (await server.api('guest')).buy(2)
  const gate = await Gate.open(page)
  await gate.start()
  const fault = await captivePortal(page)
  expect(await gate.scan(first.qrCode)).toMatchObject({ look: 'pending', by: 'device' })
  await gate.says('Offline: this device decides')
  expect(await gate.scan(second.qrCode)).toMatchObject({ look: 'pending', by: 'device' })
  expect(await gate.scan(first.qrCode)).toMatchObject({
    look: 'refused',
    words: expect.stringMatching(/Ticket Already Used .* by Chetan Checker/),
  })
  await gate.says(/2 unsent, oldest \d+ (s|min)/)
  await fault.end()
  await arrivedOnce(gate, server, first.id)
  expect(scansOf(server, second.id)).toEqual(['admitted'])
  await gate.says('Online')
})

test('a server that answers after twenty seconds holds up one scan by 1.5 s, and the next not at all', async ({
  server,
  page,
}) => {
  const [first, second] = await (await server.api('guest')).buy(2)
  const gate = await Gate.open(page)
  await gate.start()
  const fault = await hold(page, EVERYTHING)
  const scanCalls = countRequests(page, /\/api\/tickets\/(verify-qr|mark-used)$/)
  expect(await gate.scan(first.qrCode)).toMatchObject({ look: 'pending', by: 'device' })
  await gate.says('Slow network: this device decides')
  const asked = scanCalls()
  expect(await gate.scan(second.qrCode)).toMatchObject({ look: 'pending', by: 'device' })
  expect(scanCalls()).toBe(asked)
  await expect(gate.status).toContainText('2 unsent')
  await fault.end()
  await arrivedOnce(gate, server, first.id)
  expect(scansOf(server, second.id)).toEqual(['admitted'])
  await gate.says('Online')
})

test('a refusal that comes too late is not lost: the person is inside, so it becomes a conflict to be read', async ({
  server,
  page,
}) => {
  const [ticket, earlier] = await (await server.api('guest')).buy(2)
  const qrCode = ticket.qrCode
  const gate = await Gate.open(page)
  await gate.start()
  await gate.scan(earlier.qrCode)
  await expect(page.getByRole('button', { name: /Undo the admission/ })).toBeVisible()
  const held = await hold(page, MARK)
  const scanned = gate.scan(qrCode)
  await expect.poll(held.met).toBe(1)
  const otherGate = await (await server.api('checker')).call('markUsed', {
    body: { qrCode, deviceId: 'other', deviceName: 'Gate B' },
  })
  expect(otherGate.status).toBe(200)
  expect(await scanned).toMatchObject({ look: 'pending' })
  await held.end()
  await gate.says('1 double admission to read')
  // The person let in before is no longer the last.
  expect(await page.getByRole('button', { name: /Undo the admission/ }).count()).toBe(0)
  await gate.says('All sent')
  expect(scansOf(server, ticket.id).toSorted()).toEqual(['admitted', 'conflict'])
  // At a quiet gate the list opens by itself; a scan has the screen while it lasts, and the list comes back.
  const dialog = page.getByRole('dialog', { name: 'Double admissions' })
  await gate.watch(4)
  await expect(dialog).toContainText('Gate B')
  // No gate was offline.
  await expect(dialog).toContainText('although it had been used already or was not valid')
  await gate.camera.showCode(qrCode)
  await expect(gate.verdict).toBeVisible()
  await expect(dialog).toBeHidden()
  await gate.camera.showCode(null)
  // The refusal stays until it is tapped, and nothing opens over it.
  await gate.watch(4)
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Continue' }).click()
  await gate.watch(4)
  await expect(dialog).toBeVisible()
  // Put aside unread it stays within reach.
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await gate.status.getByRole('button', { name: /1 double admission/ }).click()
  await dialog.getByRole('button', { name: 'I have read this' }).click()
  await expect(dialog).toBeHidden()
  await expect(gate.status).not.toContainText('double admission')
})

test('a proxy that ends each live view at once does not keep the list from being asked for', async ({ page }) => {
  const fault = { contentType: 'text/event-stream', body: '' }
  await page.route(/\/api\/scanner\/live/, (route) => route.fulfill(fault))
  const views = countRequests(page, /\/api\/scanner\/live/)
  await Gate.open(page)
  const lists = countRequests(page, /\/api\/scanner\/roster/)
  await expect.poll(views).toBeGreaterThan(4)
  expect(lists()).toBeGreaterThan(1)
})
