import { rmSync } from 'node:fs'
import type { BooksLine } from '@garba/shared/contracts/order'
import type { LostTicket } from '@garba/shared/contracts/ticket'
import { runScript } from '../../../scripts/testing/runScript.ts'
import { must } from '../support/deskMoney.ts'
import { BATCH, hold } from '../support/faults.ts'
import { expect, goOffline, goOnline, type Page, type TestServer, test } from '../support/fixtures.ts'
import { Gate } from '../support/gate.ts'
import { GUEST, openDashboard, ticketCards } from '../support/guest.ts'
import { readCode } from '../support/readCode.ts'
import { storeRows } from '../support/scannerStore.ts'
import { follow } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

/** The organiser's own command, on the server's machine. */
function run(command: 'backup' | 'restore', file: string, { dataDir }: TestServer): void {
  const { status, output } = runScript(command, [file], { DATA_DIR: dataDir })
  if (status !== 0) throw new Error(output)
}

const statusOf = (server: TestServer, { id }: { id: string }) =>
  server.rows<{ status: string }>('select status from tickets where id = ?', id)[0]?.status ?? 'unknown'
/** Admissions on the server, by ticket: `device` is the phone's time of it, `at` the server's. */
const admissions = (server: TestServer) =>
  new Map(
    server
      .rows<{ id: string; device: number; at: number }>(
        "select ticket_id as id, device_time as device, at from scans where outcome <> 'refused'",
      )
      .map(({ id, ...times }) => [id, times]),
  )
/** 7:03, as the gate would say it, with AM or PM behind. */
const clockTime = (at: number | undefined) =>
  new Intl.DateTimeFormat('en-US', { timeZone: 'Asia/Kolkata', timeStyle: 'short' }).format(at).split(/\s/)[0]

const PHONE = { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' } as const

const beingChecked = (page: Page) => page.getByRole('region', { name: /^Tickets being checked/ }).getByRole('listitem')

/** What a camera reads from the guest's screen, once the ticket is on it. */
async function codeOnScreen(page: Page, { id }: { id: string }): Promise<string> {
  await follow(page, `${GUEST}/gate/${id}`)
  const code = page.getByRole('dialog', { name: 'Show at gate' }).getByRole('img', { name: /QR code of ticket/ })
  await expect(code).toBeInViewport({ ratio: 0.99 })
  return readCode(await page.screenshot())
}

/** On a busy machine the gate may not wait for the server, and then decides alone. */
const LET_IN = { look: expect.stringMatching(/^(allowed|pending)$/) }

test('the disk is lost and an older backup restored: the gate brings back every admission, and a lost ticket is confirmed and lets in', async ({
  browser,
  server,
  page,
  context,
}) => {
  const guest = await server.api('guest')
  const [early, online, offline] = await guest.buy(3)
  const gate = await Gate.open(page)
  await gate.start()
  expect(await gate.scan(early.qrCode)).toMatchObject(LET_IN)
  await expect.poll(() => statusOf(server, early)).toBe('used')
  const backup = test.info().outputPath('garba.db')
  run('backup', backup, server)

  // The evening continues, with sales and admissions that the backup does not have.
  const [lostInside, lostOutside] = await guest.buy(2)
  const tickets = [early, online, offline, lostInside, lostOutside]
  const statuses = () => tickets.map((ticket) => statusOf(server, ticket))
  const phone = await (await browser.newContext({ ...PHONE, baseURL: server.url })).newPage()
  await openDashboard(phone)
  await expect(ticketCards(phone)).toHaveCount(5)
  for (const { qrCode } of [online, lostInside]) expect(await gate.scan(qrCode)).toMatchObject(LET_IN)
  await expect.poll(statuses).toEqual(['used', 'used', 'active', 'used', 'active'])
  await gate.says('All sent')
  await goOffline(context)
  expect(await gate.scan(offline.qrCode)).toMatchObject({ look: 'pending', by: 'device' })
  await server.stop()
  rmSync(server.dataDir, { recursive: true })
  run('restore', backup, server)
  await server.start()
  expect(statuses()).toEqual(['used', 'active', 'active', 'unknown', 'unknown'])

  // The phone finds out by itself, and sends the evening again.
  const held = await hold(page, BATCH)
  await goOnline(context)
  await gate.says('Sending this evening’s scans again: 0 of 3')
  await held.end()
  await gate.says('All sent')
  expect(statuses()).toEqual(['used', 'used', 'used', 'unknown', 'unknown'])
  const back = admissions(server)
  expect(back.size).toBe(4)
  for (const { ticketId, scannedAt } of await storeRows<{ ticketId: string; scannedAt: string }>(page, 'journal'))
    expect(back.get(ticketId)?.device).toBe(Date.parse(scannedAt))
  const dialog = page.getByRole('dialog', { name: 'Double admissions' })
  await dialog.getByRole('button', { name: 'I have read this' }).click()
  await expect(dialog).toBeHidden()
  const firstTime = clockTime(back.get(online.id)?.at)
  expect(await gate.scan(online.qrCode)).toMatchObject({
    look: 'refused',
    words: expect.stringMatching(new RegExp(`Ticket Already Used .*\\b${firstTime}\\b`)),
  })

  // The guest's phone offers what the server lost, and the desk confirms it.
  const refresh = phone.getByRole('button', { name: 'Refresh', exact: true })
  await refresh.click()
  await expect(ticketCards(phone)).toHaveCount(3)
  await expect(beingChecked(phone).getByText('Being checked', { exact: true })).toHaveCount(2)
  const admin = await server.api('admin')
  const lost = (await admin.call('lostTickets')).body.lost as LostTicket[]
  expect(lost.map(({ ticketId }) => ticketId).toSorted()).toEqual([lostInside.id, lostOutside.id].toSorted())
  for (const { id } of lost) await must(admin.call('confirmLost', { params: { id }, body: {} }))
  expect(statuses()).toEqual(['used', 'used', 'used', 'used', 'active'])
  expect(server.rows('select entry_time as at from tickets where id = ?', lostInside.id)).toEqual([
    { at: back.get(lostInside.id)?.at },
  ])
  await refresh.click()
  await expect(ticketCards(phone)).toHaveCount(5)
  const shown = await codeOnScreen(phone, lostOutside)
  expect(shown).toBe(lostOutside.qrCode)
  expect(await gate.scan(shown)).toMatchObject({ ...LET_IN, words: expect.stringContaining('Garima Guest') })
  await expect.poll(statuses).toEqual(Array(5).fill('used'))

  // What only the desk knew is done again, and the desk's home reminds of it until then.
  const desk = await (await browser.newContext({ baseURL: server.url })).newPage()
  await restoreSession(desk, 'admin')
  await desk.goto('/dashboard/admin')
  await desk.getByRole('link', { name: 'Open the list' }).click()
  await expect(desk.getByText(/^Do again what only the desk did since the backup: .*claim offers/)).toBeVisible()
  await desk.getByRole('button', { name: 'Resolve: Restored from a backup' }).click()
  await desk.getByRole('dialog').getByRole('textbox').fill('Phones revoked again')
  await desk.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
  await expect(desk.getByText('Nothing needs attention.')).toBeVisible()
  await desk.context().close()
  const books = (await admin.call('books')).body.books as BooksLine[]
  expect(books.filter(({ ok }) => !ok)).toEqual([])
  await phone.context().close()
})
