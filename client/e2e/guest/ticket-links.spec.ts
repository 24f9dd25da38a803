import { cutFirst, hold } from '../support/faults.ts'
import type { TestServer } from '../support/fixtures.ts'
import { expect, type Page, test, workerReady } from '../support/fixtures.ts'
import { openDashboard, codes as shownCodes, ticketCards } from '../support/guest.ts'
import { goBack, keepCopy } from '../support/restore.ts'
import { toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'
import { expectInTime } from '../support/time.ts'

/** A link to tickets of the guest: its id, and its address below the origin. */
async function linkTo(server: TestServer, ids: readonly string[]): Promise<{ id: string; path: string }> {
  const guest = await server.api('guest')
  const { body } = await guest.call('makeLink', { body: { ticketIds: ids, purpose: 'share', from: 'Garima' } })
  const { id, url } = body.link as { id: string; url: string }
  return { id, path: url.slice(url.indexOf('/dashboard')) }
}
const codes = (page: Page) => page.getByRole('button', { name: /Show the code$/ })

async function removeTickets(page: Page) {
  await page.getByRole('button', { name: /^Remove from this device ?:/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove from this device' }).click()
}

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('a link opens tickets without an account, takes its token out of the address, and works without the server; the guest’s address leads to them', async ({
    page,
    server,
  }) => {
    const [one, two] = await (await server.api('guest')).buy(2)
    const first = await linkTo(server, [one._id])
    const second = await linkTo(server, [one._id, two._id])
    await page.goto(first.path)
    await expect(codes(page)).toHaveCount(1)
    await expect(page.getByText(/^Garima is taking you to garba, [A-Z][a-z]+day \d+ [A-Z][a-z]+$/)).toBeVisible()
    expect(page.url()).toMatch(/\/dashboard\/guest\/wallet$/)
    await page.goto(second.path)
    await expect(codes(page)).toHaveCount(2)
    await page.goto('/dashboard/guest')
    await expect(page.getByRole('heading', { name: 'Tickets from a link' })).toBeVisible()
    await expect(codes(page)).toHaveCount(2)
    // Where "Skip to content" leads is no link to tickets.
    await page.goto('/dashboard/guest/wallet#content')
    await expect(codes(page)).toHaveCount(2)
    expect(page.url()).toMatch(/#content$/)
    await workerReady(page)
    await server.stop()
    await page.reload()
    await expect(codes(page)).toHaveCount(2)
    // Asked by the browser, as on any page of the app.
    await page.evaluate(() => {
      const event = Object.assign(new Event('beforeinstallprompt'), { prompt: async () => ({ outcome: 'dismissed' }) })
      window.dispatchEvent(event)
    })
    await expect(page.getByRole('button', { name: 'Install' })).toBeVisible()
    await page.getByRole('button', { name: 'Show at gate' }).click()
    await expect(shownCodes(page).first()).toBeVisible()
    await page.goBack()
    await expect(shownCodes(page)).toHaveCount(0)
    for (const text of ['guest@garba.test', '₹', 'Cancel', 'Name on ticket'])
      await expect(page.getByText(text)).toHaveCount(0)
  })
})

for (const [name, userAgent] of Object.entries({
  Instagram:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 350.0',
  Safari:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1',
}))
  test(`in ${name} on an iPhone a link’s page offers no app, which would start without the tickets`, async ({
    page,
    server,
  }) => {
    await page.addInitScript((value) => Object.defineProperty(navigator, 'userAgent', { value }), userAgent)
    const [ticket] = await (await server.api('guest')).buy(1)
    const { path } = await linkTo(server, [ticket._id])
    await page.goto(path)
    await expect(codes(page)).toHaveCount(1)
    await expect(page.getByText('Add to Home Screen')).toHaveCount(0)
    // The menu of a browser built into an app hands the address on.
    const isBuiltIn = name === 'Instagram'
    await expect(page.getByText('This browser is part of an app')).toHaveCount(isBuiltIn ? 1 : 0)
    await expect(page.getByText('after 7 days without a visit: keep the message')).toHaveCount(isBuiltIn ? 0 : 1)
    expect(page.url().endsWith(isBuiltIn ? path : '/wallet')).toBe(true)
  })

test('an unknown link, one opened first without a network or against a failing server, which opens by itself, a new code, and a link that has ended', async ({
  page,
  server,
}) => {
  const guest = await server.api('guest')
  const [ticket] = await guest.buy(1)
  const { id, path } = await linkTo(server, [ticket._id])
  await page.goto('/dashboard/guest/wallet#AAAAAAAAAAAAAAAAAAAAAA')
  await expect(page.getByRole('alert')).toContainText('This link is not known.')
  await page.route('**/api/wallet/open', (route) => route.abort())
  await page.goto(path)
  await expect(page.getByText('You are offline. The tickets will open here')).toBeVisible()
  await page.unroute('**/api/wallet/open')
  // The connection is back: nobody has to reload.
  await expect(codes(page)).toHaveCount(1)
  await removeTickets(page)

  const failure = { success: false, code: 'INTERNAL', message: 'x' }
  await page.route('**/api/wallet/open', (route) => route.fulfill({ status: 500, json: failure }))
  await page.clock.install()
  await page.goto(path)
  await expectInTime(page.getByText('Error Loading Tickets').first())
  await expect(page.getByText('You are offline')).toHaveCount(0)
  await page.unroute('**/api/wallet/open')
  await expectInTime(codes(page))

  const { body } = await guest.call('newCode', { params: { id: ticket._id } })
  await page.reload()
  await expect(page.getByText((body.ticket as { _id: string })._id.slice(-8))).toBeVisible()
  await guest.call('endLink', { params: { id } })
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('This link has ended.')
  await expect(codes(page)).toHaveCount(0)
  await expect(page.getByText('They work at the gate')).toHaveCount(0)
  await page.route('**/api/wallet/open', (route) => route.abort())
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('This link has ended.')
  await page.getByRole('button', { name: 'Remove from this device' }).click()
  await expect(page.getByRole('heading', { name: 'No tickets from a link' })).toBeVisible()
})

test('after a restore a link’s wallet keeps its newer code and teaches the server; an unknown link keeps its tickets', async ({
  page,
  server,
}) => {
  const guest = await server.api('guest')
  const [one, two] = await guest.buy(2)
  const first = await linkTo(server, [one._id])
  await keepCopy(server)
  const second = await linkTo(server, [two._id])
  const { body } = await guest.call('newCode', { params: { id: one._id } })
  const fresh = (body.ticket as { _id: string })._id
  await page.goto(first.path)
  await expect(codes(page)).toHaveCount(1)
  await page.goto(second.path)
  await expect(codes(page)).toHaveCount(2)
  await goBack(server)
  await page.reload()
  await expect.poll(() => server.rows("select id from tickets where status = 'active' order by id")).toHaveLength(2)
  await expect
    .poll(() => server.rows('select status from tickets where id = ?', one._id))
    .toEqual([{ status: 'deleted' }])
  await expect(page.getByText(fresh.slice(-8))).toBeVisible()
  await expect(codes(page)).toHaveCount(2)
})

for (const who of ['guest', 'admin'] as const)
  test(`links that the ${who} has ended here stay so after a restore to before`, async ({ page, server }) => {
    const [ticket] = await (await server.api('guest')).buy(1)
    await linkTo(server, [ticket._id])
    keepCopy(server)
    await restoreSession(page, who)
    await page.goto(who === 'guest' ? '/dashboard/guest' : '/dashboard/admin/tickets')
    await page
      .getByRole('button', { name: /^More / })
      .first()
      .click()
    await page.getByRole('menuitem', { name: who === 'guest' ? /Send to a friend/ : /^Links/ }).click()
    await page.getByRole('button', { name: /^End/ }).click()
    const ended = () => server.rows('select id from ticket_links where ended_at is not null')
    await expect.poll(ended).toHaveLength(1)
    await goBack(server)
    expect(ended()).toHaveLength(0)
    await page.reload()
    await expect.poll(ended).toHaveLength(1)
  })

test('tickets removed while the server is asked about them stay removed', async ({ page, server }) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const { path } = await linkTo(server, [ticket._id])
  await page.goto(path)
  await expect(codes(page)).toHaveCount(1)
  const held = await hold(page, '**/api/wallet/open')
  await page.reload()
  await expect.poll(held.met).toBe(1)
  await page.getByRole('button', { name: /^Remove from this device/ }).click()
  // One tap could cost somebody their tickets at the gate.
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep them' }).click()
  await expect(codes(page)).toHaveCount(1)
  await removeTickets(page)
  await expect(page.getByRole('heading', { name: 'No tickets from a link' })).toBeVisible()
  await held.end()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'No tickets from a link' })).toBeVisible()
  await expect(codes(page)).toHaveCount(0)
  // Opened once more, on the page itself, they are back; and again after another removal.
  for (let n = 0; n < 2; n += 1) {
    await page.evaluate(
      (hash) => {
        location.hash = hash
      },
      path.slice(path.indexOf('#')),
    )
    await expect(codes(page)).toHaveCount(1)
    await removeTickets(page)
    await expect(codes(page)).toHaveCount(0)
  }
})

test('an offer is kept by the first person who signs in, and nobody after', async ({ page, server, browser }) => {
  const admin = await server.api('admin')
  const sale = { quantity: 2, method: 'complimentary', name: 'Hetal', reason: 'Thanks' }
  const sold = await admin.call('sellAtDesk', { body: sale, headers: { 'Idempotency-Key': crypto.randomUUID() } })
  const ticketIds = (sold.body.tickets as { _id: string }[]).map(({ _id }) => _id)
  const { body } = await admin.call('makeLink', { body: { ticketIds, purpose: 'offer' } })
  const { url } = body.link as { url: string }
  const path = url.slice(url.indexOf('/dashboard'))
  const late = await (await browser.newContext()).newPage()
  await restoreSession(late, 'manager')
  await late.goto(path)
  await expect(late.getByRole('button', { name: 'Keep in my account' })).toBeVisible()

  await cutFirst(page, '**/api/wallet/claim')
  await page.goto(path)
  await page.getByRole('button', { name: 'Sign in and keep' }).click()
  await page
    .getByRole('dialog', { name: 'Choose a demo account' })
    .getByRole('button', { name: /Garima Guest/ })
    .click()
  await expect(toastOf(page, 'Kept in your account.')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard\/guest$/)
  await expect(page.getByText(ticketIds[0]?.slice(-8) ?? '').first()).toBeVisible()

  await late.getByRole('button', { name: 'Keep in my account' }).click()
  await expect(toastOf(late, 'The tickets were not moved: These tickets are in another account already.')).toBeVisible()
  await expect(late.getByRole('button', { name: 'Keep in my account' })).toHaveCount(0)
  await expect(codes(late)).toHaveCount(2)
  expect(server.rows('select email from tickets join users on users.id = tickets.user_id')).toEqual([
    { email: 'guest@garba.test' },
    { email: 'guest@garba.test' },
  ])
})

test('the counter offers its tickets to an account beside the link that takes them along; one that the desk has ended is not handed out again', async ({
  page,
  server,
}) => {
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/orders/sell')
  await page.getByRole('textbox', { name: 'Buyer’s name' }).fill('Hetal Vyas')
  await page.getByRole('textbox', { name: /^Reason/ }).fill('Thanks')
  await page.getByRole('button', { name: /make 1 ticket|Give 1 ticket/ }).click()
  const takeAlong = async () => {
    await page.getByRole('button', { name: 'Take along' }).click()
    await expect(page.getByRole('img', { name: 'QR code of a link to the tickets' })).toBeVisible()
  }
  await takeAlong()
  await page.getByRole('button', { name: 'Offer to an account' }).click()
  await expect(page.getByRole('img', { name: 'QR code of an offer of the tickets' })).toBeVisible()
  await page.getByRole('button', { name: 'Without an account' }).click()
  await expect(page.getByRole('img', { name: 'QR code of a link to the tickets' })).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  const links = () => server.rows('select purpose, ended_at is null as open from ticket_links order by id')
  expect(links()).toEqual([
    { purpose: 'order', open: 1 },
    { purpose: 'offer', open: 1 },
  ])

  await page.getByRole('link', { name: 'Tickets', exact: true }).first().click()
  await page.getByRole('button', { name: /^More about ticket/ }).click()
  await page.getByRole('menuitem', { name: 'Links...' }).click()
  const end = page.getByRole('dialog').getByRole('button', { name: /^End the link of/ })
  for (const left of [1, 0]) {
    await end.first().click()
    await expect(end).toHaveCount(left)
  }
  await expect(toastOf(page, 'The link has ended.')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()
  await page.getByRole('link', { name: 'Orders', exact: true }).first().click()
  await page.getByRole('table', { name: 'Orders' }).getByRole('link').first().click()
  await page.getByRole('button', { name: 'Show codes' }).click()
  await takeAlong()
  expect(links()).toEqual([
    { purpose: 'order', open: 0 },
    { purpose: 'offer', open: 0 },
    { purpose: 'order', open: 1 },
  ])
})

test('an owner sends a ticket by the share sheet or as a copy, sees how many devices have it, ends the link and gets a new code', async ({
  page,
  server,
}) => {
  await page.addInitScript(() => {
    const shared: ShareData[] = []
    const share = async (data: ShareData) => {
      shared.push(data)
      if (shared.length === 1) throw new DOMException('Closed', 'AbortError')
    }
    Object.assign(window, { shared })
    Object.defineProperty(navigator, 'share', { value: share, configurable: true, writable: true })
  })
  const guest = await server.api('guest')
  const [ticket] = await guest.buy(1)
  const { path } = await linkTo(server, [ticket._id])
  const token = path.slice(path.indexOf('#') + 1)
  await guest.call('openWallet', { body: { token, deviceId: 'a friend' } })
  await openDashboard(page)
  const choose = async (item: string) => {
    await page.getByRole('button', { name: /^More/ }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose('Send to a friend')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Opened on 1 device')).toBeVisible()
  const shared = () => page.evaluate(() => (window as unknown as { shared: ShareData[] }).shared)
  const envelope = dialog.getByRole('textbox', { name: 'Your first name, on the envelope' })
  await expect(envelope).toHaveValue('Garima')
  await envelope.fill('')
  const send = dialog.getByRole('button', { name: 'Send the link' })
  await send.click()
  await expect.poll(async () => (await shared()).length).toBe(1)
  await expect
    .poll(async () => {
      await send.click()
      return (await shared()).length
    })
    .toBeGreaterThan(1)
  const [closed, sent] = await shared()
  expect(closed?.url).toMatch(/\/dashboard\/guest\/wallet#[\w-]{22}$/)
  expect(sent?.url).toBe(closed?.url)
  expect(server.rows('select from_name from ticket_links order by id')).toEqual([
    { from_name: 'Garima' },
    { from_name: '' },
  ])
  expect(server.rows('select purpose from ticket_links')).toEqual([{ purpose: 'share' }, { purpose: 'share' }])
  // The link was ended on another device while the dialog stayed open.
  const { links } = (await guest.call('links', { query: { ticket: ticket._id } })).body as { links: { id: string }[] }
  for (const { id } of links) await guest.call('endLink', { params: { id } })
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expect(dialog.getByText('Ended')).toHaveCount(2)
  await send.click()
  await expect.poll(async () => (await shared()).at(-1)?.url === closed?.url).toBe(false)
  await dialog.getByRole('button', { name: 'Close' }).click()

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(() => Object.defineProperty(navigator, 'share', { value: undefined }))
  await choose('Send to a friend')
  await expect(envelope).toHaveValue('')
  await dialog.getByRole('button', { name: 'Copy a link' }).click()
  await expect(toastOf(page, 'Link copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/dashboard\/guest\/wallet#[\w-]{22}$/)
  await expect(dialog.getByRole('button', { name: /^End the link of/ })).toHaveCount(2)
  await dialog
    .getByRole('button', { name: /^End the link of/ })
    .last()
    .click()
  await expect(dialog.getByText('Ended')).toHaveCount(3)
  await dialog.getByRole('button', { name: 'Close' }).click()

  await choose('New code')
  await expect(page.getByRole('dialog')).toContainText('This can be done 3 more times.')
  await page.getByRole('button', { name: 'Get a new code' }).click()
  await expect(toastOf(page, 'The ticket has a new code.')).toBeVisible()
  await expect(ticketCards(page)).toHaveCount(1)
  await expect(page.getByText(ticket._id.slice(-8))).toHaveCount(0)
  await expect(page.getByText('What changed')).toHaveCount(0)
})

test('the desk sees who has a ticket by a link, ends the link, and replaces a code that somebody else has a picture of', async ({
  page,
  server,
}) => {
  const guest = await server.api('guest')
  const [ticket, kept] = await guest.buy(2)
  const { path } = await linkTo(server, [ticket._id])
  const token = path.slice(path.indexOf('#') + 1)
  await guest.call('openWallet', { body: { token, deviceId: 'a friend' } })
  await restoreSession(page, 'admin')
  await page.goto('/dashboard/admin/tickets')
  await page.getByRole('button', { name: `More about ticket ${ticket._id.slice(-8)}` }).click()
  await page.getByRole('menuitem', { name: 'Links...' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('1 ticket, opened on 1 device')).toBeVisible()
  await dialog.getByRole('button', { name: /^End the link of/ }).click()
  await expect(toastOf(page, 'The link has ended')).toBeVisible()
  await expect(dialog.getByText(/^Ended /)).toBeVisible()
  expect(await guest.call('openWallet', { body: { token, deviceId: 'a friend' } })).toMatchObject({
    status: 410,
    body: { code: 'LINK_ENDED' },
  })
  await dialog.getByRole('button', { name: 'Close' }).first().click()

  for (const { _id } of [ticket, kept])
    await page.getByRole('checkbox', { name: `Select ticket ${_id.slice(-8)}` }).check()
  await page.getByRole('button', { name: `More about ticket ${ticket._id.slice(-8)}` }).click()
  await page.getByRole('menuitem', { name: 'New code...' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Possible 3 more times')
  await page.getByRole('button', { name: 'Replace the code' }).click()
  await expect(page.getByRole('dialog').getByRole('img', { name: /^QR code of ticket/ })).toBeVisible()
  await expect(page.getByText('1 ticket selected')).toBeVisible()
  await expect
    .poll(() => server.rows('select status, new_codes as codes from tickets where id <> ? order by status', kept._id))
    .toEqual([
      { status: 'active', codes: 1 },
      { status: 'deleted', codes: 0 },
    ])
  await expect(page.getByText(ticket._id.slice(-8))).toHaveCount(0)
})
