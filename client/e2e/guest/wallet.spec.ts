import { cutBefore, EVERYTHING } from '../support/faults.ts'
import { expect, type Page, test } from '../support/fixtures.ts'
import { buyButton, GUEST, openDashboard, readWallet, ticketCards, total } from '../support/guest.ts'
import { toastOf } from '../support/screen.ts'
import { accountMenu, signInAsOther, signInButton, signOutByMenu } from '../support/session.ts'
import { expectInTime } from '../support/time.ts'

const offline = (page: Page) => page.getByText('You are offline')

/** All that this device keeps in the wallet's database. */
const keptWallets = async (page: Page) => Object.values(await readWallet<{ tickets?: { _id: string }[] }>(page)).flat()

const ticketsKept = async (page: Page) =>
  // Codes of groups are kept beside the wallets.
  (await keptWallets(page)).flatMap(({ tickets }) => (tickets === undefined ? [] : [tickets.length]))

/** From the next load on; gives every text that has been on the page. */
async function noteTexts(page: Page): Promise<() => Promise<string>> {
  await page.addInitScript(() => {
    const texts: string[] = []
    Object.assign(window, { texts })
    const note = () => texts.push(document.body?.textContent ?? '')
    new MutationObserver(note).observe(document, { childList: true, subtree: true, characterData: true })
  })
  return () => page.evaluate(() => (window as unknown as { texts: string[] }).texts.join())
}

async function enterAsAnother(page: Page, name: string, email: string) {
  await page.goto('/')
  await signInAsOther(page, { name, email })
  await expect(accountMenu(page)).toHaveAccessibleName(new RegExp(name))
}

test('without a network a reload first draws the tickets and how long they are saved, refreshes by itself when the connection is back, and asks before a sign-out that takes them for good', async ({
  page,
  server,
}) => {
  const guest = await server.api('guest')
  await guest.buy(1)
  await openDashboard(page)
  await expect.poll(() => ticketsKept(page)).toEqual([1])
  const cut = await cutBefore(page, EVERYTHING)
  const texts = await noteTexts(page)
  await page.clock.install()
  await page.reload()
  await expect(ticketCards(page)).toHaveCount(1)
  expect(await texts()).toContain('My Tickets')
  expect(await texts()).not.toMatch(/Loading (Dashboard|Tickets|Event)/)
  await expect(offline(page)).toBeVisible()
  await guest.buy(1)
  await cut.end()
  await expectInTime(ticketCards(page).nth(1))
  await expect(ticketCards(page)).toHaveCount(2)
  await expect(offline(page)).toBeHidden()
  await expect(buyButton(page)).toBeEnabled()
  await expect.poll(() => ticketsKept(page)).toEqual([2])

  await cutBefore(page, EVERYTHING)
  // The page's clock has run ahead by a minute or so.
  await page.clock.install({ time: Date.now() + 3.5 * 3_600_000 })
  await page.reload()
  await expect(page.getByText('These tickets were saved on this device 3 hours ago.')).toBeVisible()
  await expect(offline(page)).toBeVisible()
  const leave = async (answer: string) => {
    await accountMenu(page).click()
    await page.getByRole('menuitem', { name: 'Sign Out' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: answer }).click()
  }
  await leave('Stay signed in')
  await expect(ticketCards(page)).toHaveCount(2)
  await leave('Sign Out')
  await expect(signInButton(page)).toBeVisible()
  expect(await keptWallets(page)).toEqual([])
})

/** In the page: its wallet's database is open only once `garbaOpens` is called. */
function openSlowly(): void {
  const { promise, resolve } = Promise.withResolvers<void>()
  Object.assign(window, { garbaOpens: resolve })
  const open = indexedDB.open.bind(indexedDB)
  indexedDB.open = (name, version) => {
    const request = open(name, version)
    if (name !== 'garba-wallet') return request
    const listen = request.addEventListener.bind(request)
    request.addEventListener = (type: string, listener: EventListenerOrEventListenerObject) =>
      listen(type, (event) => {
        void promise.then(() => (typeof listener === 'function' ? listener(event) : listener.handleEvent(event)))
      })
    return request
  }
}

test('a store that opens slowly shows its tickets late', async ({ page, server }) => {
  await (await server.api('guest')).buy(1)
  await openDashboard(page)
  await expect.poll(() => ticketsKept(page)).toEqual([1])
  await page.addInitScript(openSlowly)
  await cutBefore(page, EVERYTHING)
  await page.clock.install()
  await page.reload()
  await expectInTime(offline(page))
  // Longer than the page waits for its store.
  await page.clock.runFor(2_500)
  await expect(ticketCards(page)).toHaveCount(0)
  await page.evaluate(() => (window as unknown as { garbaOpens(): void }).garbaOpens())
  await expect(ticketCards(page)).toHaveCount(1)
})

test('offline, only valid tickets are said to work at the gate', async ({ page, server, context }) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  await openDashboard(page)
  await expect(ticketCards(page)).toHaveCount(1)
  await context.setOffline(true)
  await expect(page.getByText(/They work at the gate/)).toBeVisible()
  await context.setOffline(false)
  await (await server.api('admin')).call('setTicketStatus', { params: { id: ticket.id }, body: { status: 'used' } })
  await page.reload()
  await expect(page.getByText('Used (1)')).toBeVisible()
  await context.setOffline(true)
  await expect(offline(page)).toBeVisible()
  await expect(page.getByText(/^Saved on this device/)).toBeVisible()
  await expect(page.getByText(/They work at the gate/)).toBeHidden()
})

test('signing out removes the tickets from the device; a second account never sees the first one, online or offline', async ({
  page,
  server,
}) => {
  const first = await (await server.api('guest')).buy(2)
  await openDashboard(page)
  await expect(ticketCards(page)).toHaveCount(2)
  await expect.poll(() => ticketsKept(page)).toEqual([2])
  await signOutByMenu(page)
  expect(await keptWallets(page)).toEqual([])
  const cut = await cutBefore(page, EVERYTHING)
  await page.goto(GUEST)
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect(signInButton(page)).toBeVisible()
  await expect(ticketCards(page)).toHaveCount(0)
  await cut.end()

  await enterAsAnother(page, 'Kavya Patel', 'kavya@example.test')
  const seen = await noteTexts(page)
  await page.goto(GUEST)
  await expect(page.getByRole('heading', { name: 'No Tickets Yet' })).toBeVisible()
  await expect.poll(() => ticketsKept(page)).toEqual([0])
  const online = await seen()
  await cutBefore(page, EVERYTHING)
  await page.reload()
  await expect(offline(page)).toBeVisible()
  await expect(total(page, 'Total')).toHaveText('0')
  const everything = online + (await seen())
  expect(everything).toContain('Kavya')
  for (const { _id } of first) expect(everything).not.toContain(_id.slice(-8))
  expect(everything).not.toContain('Garima')
})

test("an answer with somebody else's tickets is neither shown nor kept", async ({ page, server }) => {
  const foreign = await (await server.apiAs({ uid: 'kavya', email: 'kavya@example.test', name: 'Kavya Patel' })).buy(1)
  await page.route('**/api/tickets/my-tickets', (route) => route.fulfill({ json: { success: true, tickets: foreign } }))
  await openDashboard(page)
  await expect(page.getByRole('heading', { name: 'No Tickets Yet' })).toBeVisible()
  await expect.poll(() => ticketsKept(page)).toEqual([0])
})

/** In the page: the browser has no room for tickets. */
function refuseWallets(): void {
  const { put } = IDBObjectStore.prototype
  IDBObjectStore.prototype.put = function (...row) {
    if (this.name === 'wallets' || this.name === 'links') throw new DOMException('Full', 'QuotaExceededError')
    return put.apply(this, row)
  }
}

test('the page works in a browser that will not keep the tickets, and says that it will not', async ({
  page,
  context,
  server,
}) => {
  const guest = await server.api('guest')
  const [ticket] = await guest.buy(1)
  await page.addInitScript(refuseWallets)
  await openDashboard(page)
  await expect(page.getByText(/does not let us keep your tickets/)).toBeVisible()
  await expect(ticketCards(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await expect(toastOf(page, 'Data refreshed successfully!')).toBeVisible()
  await context.setOffline(true)
  await expect(offline(page)).toBeVisible()
  await expect(page.getByText(/^Updated /)).toBeVisible()
  await expect(page.getByText(/saved on this device/i)).toHaveCount(0)

  await context.setOffline(false)
  const { body } = await guest.call('makeLink', { body: { ticketIds: [ticket._id], purpose: 'share' } })
  await page.goto((body.link as { url: string }).url)
  await expect(page.getByText(/Take a screenshot/)).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByText(/^Updated /)).toBeVisible()
  await expect(page.getByText(/saved on this device/i)).toHaveCount(0)
})
