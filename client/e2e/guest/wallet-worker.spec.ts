import { EVERYTHING, hold } from '../support/faults.ts'
import { expect, type Page, test, workerReady } from '../support/fixtures.ts'
import { inMenu, openDashboard, openLine, shownCodes, ticketCards } from '../support/guest.ts'
import { signOutByMenu } from '../support/session.ts'

test.use({ serviceWorkers: 'allow' })

const offline = (page: Page) => page.getByText('You are offline')

test('with the server off a reload shows the tickets at once, their age, and what does not work', async ({
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
  await expect.poll(waiting.met).toBeGreaterThan(0)
  await expect(offline(page)).toBeHidden()
  await waiting.end()
  await expect(offline(page)).toBeVisible()
  const seen = () => page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen])
  expect(await seen()).toEqual(['Show at gate'])
  await expect(page.getByText(/These tickets were saved on this device (just now|\d+ minutes? ago)/)).toBeVisible()
  expect(await shownCodes(page)).toEqual(tickets.map(({ qrCode }) => qrCode).toSorted())
  await expect(page.getByText('Rangmanch Grounds').first()).toBeVisible()

  const why = /Buying, cancelling and refreshing need a connection/
  await expect(page.getByText(why)).toBeVisible()
  await openLine(page, 'Prices')
  await openLine(page, 'Your details')
  for (const name of ['Buy Tickets', 'Buy More Tickets', 'Refresh Data', 'Refresh']) {
    const button = page.getByRole('button', { name, exact: true }).first()
    await expect(button).toBeDisabled()
    await expect(button).toHaveAccessibleDescription(why)
  }
  // The strip says it once for all of them.
  await expect(page.getByText('Needs a connection')).toHaveCount(0)
  const cancel = await inMenu(page, ticketCards(page).first(), 'Cancel')
  await expect(cancel).toBeDisabled()
  await expect(cancel).toHaveAccessibleDescription('Needs a connection')
  await expect(page.getByRole('link', { name: 'Show at gate' }).first()).toBeVisible()
})

const LAST_VIEW = 'garba.lastView'
const lastView = (page: Page) => page.evaluate((key) => localStorage.getItem(key), LAST_VIEW)

/** From now on pages note what #root held before the app drew anything, and whether its code was loaded. */
const watchFirstView = (page: Page) =>
  page.addInitScript(() => {
    const first: { codes: number; app: boolean }[] = []
    Object.assign(window, { first })
    const watch = new MutationObserver(() => {
      const root = document.getElementById('root')
      if (!root?.firstElementChild) return
      watch.disconnect()
      const codes = root.querySelectorAll('article svg[role="img"]').length
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
      first.push({ codes, app: loaded.some((name) => name.includes('/GuestDashboard-')) })
    })
    watch.observe(document, { childList: true, subtree: true })
  })
const firstView = (page: Page) =>
  page.evaluate(() => (window as unknown as { first: { codes: number; app: boolean }[] }).first[0])

test('a start shows the code before the app is loaded, as it was last drawn, until somebody signs out', async ({
  page,
  server,
}) => {
  const tickets = await (await server.api('guest')).buy(1)
  await openDashboard(page)
  await workerReady(page)
  await expect.poll(() => lastView(page)).toContain(tickets[0].id.slice(-8))
  await watchFirstView(page)
  await page.reload()
  // Pressed at once, and answered by the app.
  await page.getByRole('link', { name: 'Show at gate' }).first().click()
  await expect(page).toHaveURL(/\/dashboard\/guest\/.+/)
  expect(await firstView(page)).toEqual({ codes: 1, app: false })

  // Of this page and no earlier one.
  await page.evaluate((key) => localStorage.removeItem(key), LAST_VIEW)
  await page.goto('/dashboard/guest')
  await expect.poll(() => lastView(page)).not.toBeNull()
  await page.addInitScript((key) => {
    const view = localStorage.getItem(key)
    if (view !== null) localStorage.setItem(key, JSON.stringify({ ...JSON.parse(view), app: '/assets/older.js' }))
  }, LAST_VIEW)
  await page.reload()
  await expect(ticketCards(page)).toHaveCount(1)
  expect(await firstView(page)).toMatchObject({ app: true })

  await expect.poll(() => lastView(page)).toContain('/assets/site-')
  await signOutByMenu(page)
  expect(await lastView(page)).toBeNull()
})
