import type { GroupCode, Ticket } from '@garba/shared/contracts/ticket'
import { decodeGroupQr } from '@garba/shared/rules/groupQr'
import { cutBefore, EVERYTHING } from '../support/faults.ts'
import { expect, type Page, type TestServer, test } from '../support/fixtures.ts'
import {
  codes,
  countPresses,
  entryPass,
  GUEST,
  openDashboard,
  readShown,
  readWallet,
  ticketCards,
} from '../support/guest.ts'
import { accountMenu, signOutByMenu } from '../support/session.ts'
import { expectInTime } from '../support/time.ts'

/** How many group codes this device keeps in the wallet's database. */
const groupsKept = async (page: Page): Promise<number> => {
  const { groupCodes = [] } = await readWallet<{ groups: GroupCode[] }>(page)
  return groupCodes.flatMap(({ groups }) => groups).length
}

const groupCode = (page: Page, n: number) => entryPass(page).getByRole('img', { name: `QR code of ${n} tickets` })
const all = (page: Page, n: number) => entryPass(page).getByRole('button', { name: `All ${n}` })

async function family(server: TestServer, quantity: number): Promise<Ticket[]> {
  const tickets: Ticket[] = await (await server.api('guest')).buy<number>(quantity)
  return tickets
}

test('all tickets as one code with the names beneath; it stays while people go in, says who did, and follows a ticket that gets a new code', async ({
  page,
  server,
}) => {
  const [guest, checker] = [await server.api('guest'), await server.api('checker')]
  const tickets = await family(server, 4)
  const [first] = tickets
  await guest.call('nameTicket', { params: { id: first?._id ?? '' }, body: { name: 'Asha' } })
  await page.clock.install()
  await openDashboard(page)
  await page.goto(`${GUEST}/gate`)
  await expectInTime(all(page, 4))
  await all(page, 4).click()
  await expect(entryPass(page)).toContainText('One code for 4 tickets')
  const lines = entryPass(page).getByRole('list', { name: 'Tickets of this code' })
  await expect(lines).toContainText('Asha')
  await expect(lines).toContainText('Garima Guest × 3')
  const qrCode = await readShown(groupCode(page, 4))
  expect(decodeGroupQr(qrCode)?.ticketIds.toSorted()).toEqual(tickets.map(({ _id }) => _id).toSorted())

  expect(await checker.call('markUsed', { body: { qrCode, ticketId: first?._id } })).toMatchObject({ status: 200 })
  await expectInTime(lines.getByText('Entry Completed'))
  expect(await readShown(groupCode(page, 4))).toBe(qrCode)
  await entryPass(page).getByRole('button', { name: 'One by one' }).click()
  expect(tickets.map((ticket) => ticket.qrCode)).toContain(await readShown(codes(entryPass(page)).first()))
  await expectInTime(all(page, 3))

  await all(page, 3).click()
  const { body } = await (await server.api('admin')).call('newCode', { params: { id: tickets.at(-1)?._id ?? '' } })
  const fresh = (body.ticket as Ticket)._id
  await expect
    .poll(async () => {
      await page.clock.runFor(5_000)
      return decodeGroupQr(await readShown(entryPass(page).getByRole('img').first()))?.ticketIds
    })
    .toContain(fresh)
  await expect(entryPass(page)).toContainText('One code for 3 tickets')
})

test('from the dashboard a code is one tap away: that of all four tickets, and each of its own; both are kept for the gate without a network, and go at sign-out', async ({
  page,
  server,
}) => {
  await family(server, 4)
  await openDashboard(page)
  const taps = await countPresses(page)
  await page.getByRole('link', { name: 'Show at gate One code for all 4' }).click()
  await expect(groupCode(page, 4)).toBeVisible()
  expect(await taps()).toBe(1)
  const qrCode = await readShown(groupCode(page, 4))
  await expect.poll(() => groupsKept(page)).toEqual(1)
  const cut = await cutBefore(page, EVERYTHING)
  await page.reload()
  await expect(groupCode(page, 4)).toBeVisible()
  expect(await readShown(groupCode(page, 4))).toBe(qrCode)
  await page.goto(`${GUEST}/gate`)
  await all(page, 4).click()
  await expect(groupCode(page, 4)).toBeVisible()
  await entryPass(page).getByRole('button', { name: 'Close' }).click()
  await expect(entryPass(page)).toBeHidden()

  const tapsOffline = await countPresses(page)
  const second = ticketCards(page).nth(1)
  const id = (await second.getByRole('heading').textContent())?.slice(-8)
  await second.getByRole('link', { name: /^Show at gate/ }).click()
  await expect(entryPass(page)).toContainText('2 of 4')
  await expect(entryPass(page)).toContainText(id ?? 'none')
  expect(await tapsOffline()).toBe(1)

  await entryPass(page).getByRole('button', { name: 'Close' }).click()
  await cut.end()
  await page.reload()
  await expect(accountMenu(page)).toBeVisible()
  await signOutByMenu(page)
  expect(await groupsKept(page)).toBe(0)
})

test('a code for all that comes late does not take the place of the one on the screen', async ({ page, server }) => {
  await family(server, 3)
  const held = Promise.withResolvers<void>()
  await page.route('**/api/tickets/group-codes', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.clock.install()
  await openDashboard(page)
  await expect(page.getByRole('link', { name: 'Show at gate', exact: true })).toBeVisible()
  await page.goto(`${GUEST}/gate/all`)
  await expect(entryPass(page)).toContainText('1 of 3')
  await page.clock.runFor(3_000)
  held.resolve()
  await expectInTime(all(page, 3))
  await expect(entryPass(page)).toContainText('1 of 3')
  await expect(groupCode(page, 3)).toHaveCount(0)
})

test('a single ticket has no group code; more than eight have several, until fewer are left', async ({
  page,
  server,
}) => {
  await family(server, 1)
  await openDashboard(page)
  await page.goto(`${GUEST}/gate`)
  await expect(codes(entryPass(page))).toHaveCount(1)
  await expect(entryPass(page).getByRole('button', { name: /^All/ })).toHaveCount(0)
  await family(server, 8)
  await page.clock.install()
  await page.reload()
  await expectInTime(all(page, 9))
  await all(page, 9).click()
  await expect(groupCode(page, 4)).toBeVisible()
  await entryPass(page).getByRole('button', { name: 'Next ticket' }).click()
  await expect(groupCode(page, 5)).toBeVisible()
  await expect(entryPass(page)).toContainText('2 of 2')

  const shown = async () => decodeGroupQr(await readShown(groupCode(page, 5)))?.ticketIds ?? []
  const [one = '', ...others] = await shown()
  const ids = server.rows<{ id: string }>('select id from tickets').map(({ id }) => id)
  const ticketIds = ids.filter((id) => id !== one && !others.includes(id))
  const admin = await server.api('admin')
  await admin.call('bulkUpdate', { body: { ticketIds, status: 'used' } })
  const { body } = await admin.call('newCode', { params: { id: one } })
  const fresh = (body.ticket as Ticket)._id
  await expect
    .poll(async () => {
      await page.clock.runFor(5_000)
      return (await groupCode(page, 5).count()) === 0 ? [] : await shown()
    })
    .toContain(fresh)
})

test('a wallet of the first release is opened as it is', async ({ page, server }) => {
  await family(server, 2)
  await openDashboard(page)
  await expect.poll(() => groupsKept(page)).toEqual(1)
  await page.goto('/healthz')
  // The same row in the store as it was then.
  await page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const now = await done(indexedDB.open('garba-wallet'))
    const [wallet]: unknown[] = await done(now.transaction('wallets').objectStore('wallets').getAll())
    now.close()
    await done(indexedDB.deleteDatabase('garba-wallet'))
    const opening = indexedDB.open('garba-wallet', 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore('wallets', { keyPath: 'userId' }).put(wallet)
    ;(await done(opening)).close()
  })
  await cutBefore(page, EVERYTHING)
  await page.goto(GUEST)
  await expect(ticketCards(page)).toHaveCount(2)
})

test('two tickets go to a friend in one link, say so in My Tickets, and leave the code for all', async ({
  page,
  context,
  server,
}) => {
  const guest = await server.api('guest')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await guest.buy(4)
  await page.addInitScript(() => Object.defineProperty(navigator, 'share', { value: undefined, configurable: true }))
  await openDashboard(page)
  await expect(page.getByRole('link', { name: 'Show at gate One code for all 4' })).toBeVisible()
  await ticketCards(page).nth(2).getByRole('button', { name: /^More/ }).click()
  await page.getByRole('menuitem', { name: 'Send to a friend' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Tickets are non-transferable: sending lets your friend come with you')
  await dialog.getByRole('checkbox').first().click()
  await expect(dialog.getByRole('heading', { name: 'Send 2 tickets' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Copy a link' }).click()
  await expect(dialog.getByText('Opened on 0 devices')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText('Sent to a friend')).toHaveCount(2)
  await expect(page.getByRole('link', { name: 'Show at gate One code for both' })).toBeVisible()

  const url = await page.evaluate(() => navigator.clipboard.readText())
  const token = url.slice(url.indexOf('#') + 1)
  const { body } = await guest.call('openWallet', { body: { token, deviceId: 'a friend' } })
  expect(body.tickets).toHaveLength(2)
  await page.reload()
  await expect(page.getByText('Sent, opened on a phone')).toHaveCount(2)
})
