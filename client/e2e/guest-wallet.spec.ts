import { EVERYTHING, hold } from './support/faults.ts'
import { expect, type Page, test, workerReady } from './support/fixtures.ts'
import { GUEST, openDashboard, readShown, ticketCards, total } from './support/guest.ts'
import { toastOf } from './support/screen.ts'
import { accountMenu, signInButton, signOutByMenu } from './support/session.ts'
import { expectInTime } from './support/time.ts'

const offline = (page: Page) => page.getByText('You are offline')

/** All that this device keeps in the wallet's database. */
const keptWallets = (page: Page) =>
  page.evaluate(async () => {
    const opening = indexedDB.open('garba-wallet')
    const database = await new Promise<IDBDatabase>((resolve) => {
      opening.onsuccess = () => resolve(opening.result)
    })
    const stores = [...database.objectStoreNames]
    const rows = await Promise.all(
      stores.map(
        (name) =>
          new Promise<unknown[]>((resolve) => {
            const all = database.transaction(name).objectStore(name).getAll()
            all.onsuccess = () => resolve(all.result)
          }),
      ),
    )
    database.close()
    return rows.flat() as { userId: string; tickets: { _id: string }[] }[]
  })

async function enterAsAnother(page: Page, name: string, email: string) {
  await page.goto('/')
  await signInButton(page).click()
  await page.getByRole('button', { name: 'Another account' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(accountMenu(page)).toHaveAccessibleName(new RegExp(name))
}

test('with the server off a reload shows the tickets at once, how old they are, and what does not work', async ({
  page,
  server,
}) => {
  const tickets = await (await server.api('guest')).buy(2)
  await openDashboard(page)
  await workerReady(page)
  await expect(ticketCards(page)).toHaveCount(2)
  await page.addInitScript(() => {
    const words = ['Nothing is saved', 'No Tickets Yet', 'Error Loading Tickets', 'Show at gate']
    const seen = new Set<string>()
    Object.assign(window, { seen })
    new MutationObserver(() => {
      const text = document.body?.textContent ?? ''
      for (const word of words) if (text.includes(word)) seen.add(word)
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
  await server.stop()
  // At once: while the page still waits for the network's first word.
  const waiting = await hold(page, EVERYTHING)
  await page.reload()
  await expect(ticketCards(page)).toHaveCount(2)
  expect(waiting.met()).toBeGreaterThan(0)
  await expect(offline(page)).toBeHidden()
  await waiting.end()
  await expect(offline(page)).toBeVisible()
  const seen = () => page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen])
  expect(await seen()).toEqual(['Show at gate'])
  await expect(page.getByText(/These tickets were saved on this device (just now|\d+ minutes? ago)/)).toBeVisible()
  const codes = page.getByRole('img', { name: /QR code of ticket/ })
  const shown = [await readShown(codes.nth(0)), await readShown(codes.nth(1))]
  expect(shown.toSorted()).toEqual(tickets.map(({ qrCode }) => qrCode).toSorted())
  await expect(page.getByText('Rangmanch Grounds').first()).toBeVisible()

  const why = /Buying, cancelling and refreshing need a connection/
  await expect(page.getByText(why)).toBeVisible()
  for (const name of ['Buy Tickets', 'Buy More Tickets', 'Refresh Data', 'Refresh', 'Cancel']) {
    const button = page.getByRole('button', { name, exact: true }).first()
    await expect(button).toBeDisabled()
    await expect(button).toHaveAccessibleDescription(why)
  }
  await expect(page.getByRole('link', { name: 'Show at gate' }).first()).toBeVisible()
})

test('a store that is slow to open shows its tickets late, not never', async ({ page, server }) => {
  await (await server.api('guest')).buy(1)
  await openDashboard(page)
  await workerReady(page)
  await expect.poll(async () => (await keptWallets(page))[0]?.tickets.length).toBe(1)
  await page.addInitScript(() => {
    const listen = EventTarget.prototype.addEventListener
    EventTarget.prototype.addEventListener = function (type, listener, options) {
      if (!(this instanceof IDBOpenDBRequest) || type !== 'success' || typeof listener !== 'function')
        return listen.call(this, type, listener, options)
      const later = (event: Event) => setTimeout(() => listener.call(this, event), 2_500)
      listen.call(
        this,
        type,
        (event) => (this.result.name === 'garba-wallet' ? later(event) : listener(event)),
        options,
      )
    }
  })
  await server.stop()
  await page.reload()
  await expect(offline(page)).toBeVisible()
  await expect(ticketCards(page)).toHaveCount(1)
})

test('when the connection is back the page refreshes by itself', async ({ page, server }) => {
  const guest = await server.api('guest')
  await guest.buy(1)
  await page.clock.install()
  await openDashboard(page)
  await workerReady(page)
  await server.stop()
  await page.reload()
  await expect(offline(page)).toBeVisible()
  await server.start()
  await guest.buy(1)
  await expectInTime(ticketCards(page).nth(1))
  await expect(ticketCards(page)).toHaveCount(2)
  await expect(offline(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Buy Tickets' })).toBeEnabled()
})

test('the age of what is shown grows with time', async ({ page, server }) => {
  await (await server.api('guest')).buy(1)
  await openDashboard(page)
  await workerReady(page)
  await expect.poll(async () => (await keptWallets(page))[0]?.tickets.length).toBe(1)
  await server.stop()
  await page.clock.install({ time: Date.now() + 3 * 3_600_000 })
  await page.reload()
  await expect(page.getByText('These tickets were saved on this device 3 hours ago.')).toBeVisible()
})

test('signing out takes the tickets from the device', async ({ page, server }) => {
  await (await server.api('guest')).buy(1)
  await openDashboard(page)
  await workerReady(page)
  await expect.poll(async () => (await keptWallets(page)).length).toBe(1)
  await signOutByMenu(page)
  expect(await keptWallets(page)).toEqual([])
  await server.stop()
  await page.goto(GUEST)
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect(signInButton(page)).toBeVisible()
  await expect(ticketCards(page)).toHaveCount(0)
})

test('a second account on the same phone never sees the first one, online or offline', async ({ page, server }) => {
  const first = await (await server.api('guest')).buy(2)
  await openDashboard(page)
  await workerReady(page)
  await expect(ticketCards(page)).toHaveCount(2)
  await signOutByMenu(page)

  await enterAsAnother(page, 'Kavya Patel', 'kavya@example.test')
  const seen: string[] = []
  await page.exposeFunction('noteText', (text: string) => void seen.push(text))
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const text = document.body?.textContent ?? ''
      void (window as unknown as { noteText(text: string): void }).noteText(text)
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
  await page.goto(GUEST)
  await expect(page.getByRole('heading', { name: 'No Tickets Yet' })).toBeVisible()
  await expect.poll(async () => (await keptWallets(page)).map(({ tickets }) => tickets.length)).toEqual([0])
  await server.stop()
  await page.reload()
  await expect(offline(page)).toBeVisible()
  await expect(total(page, 'Total')).toHaveText('0')
  const everything = seen.join()
  for (const { _id } of first) expect(everything).not.toContain(_id.slice(-8))
  expect(everything).not.toContain('Garima')
})

test('an answer that belongs to somebody else is neither shown nor kept', async ({ page, server }) => {
  const foreign = await (await server.apiAs({ uid: 'kavya', email: 'kavya@example.test', name: 'Kavya' })).buy(1)
  await page.route('**/api/tickets/my-tickets', (route) => route.fulfill({ json: { success: true, tickets: foreign } }))
  await openDashboard(page)
  await expect(page.getByRole('heading', { name: 'No Tickets Yet' })).toBeVisible()
  await expect.poll(async () => (await keptWallets(page)).map(({ tickets }) => tickets.length)).toEqual([0])
})

test('a browser that will not keep the tickets is told of, and the page works', async ({ page, server }) => {
  await (await server.api('guest')).buy(1)
  await page.addInitScript(() => {
    const put = IDBObjectStore.prototype.put
    IDBObjectStore.prototype.put = function (...row) {
      if (this.name === 'wallets') throw new DOMException('Full', 'QuotaExceededError')
      return put.apply(this, row)
    }
  })
  await openDashboard(page)
  await expect(page.getByText(/does not let us keep your tickets/)).toBeVisible()
  await expect(ticketCards(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Refresh Data' }).click()
  await expect(toastOf(page, 'Data refreshed successfully!')).toBeVisible()
})
