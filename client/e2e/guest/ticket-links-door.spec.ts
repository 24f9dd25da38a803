import { readFile } from 'node:fs/promises'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, goOffline, goOnline, type Page, test, workerReady } from '../support/fixtures.ts'
import { Gate, openPaired } from '../support/gate.ts'
import { readCode } from '../support/readCode.ts'
import { expectNoViolationsInBothSizes, toastOf } from '../support/screen.ts'
import { restoreSession } from '../support/session.ts'

const codes = (page: Page) => page.getByRole('button', { name: /Show the code$/ })

test.describe('at a counter that takes money', () => {
  test.use({ serviceWorkers: 'allow', serverOptions: { env: { PAYMENTS: 'desk' } } })

  test('a counter sale goes along by QR on a phone that never signs in, and is shown with the server stopped', async ({
    browser,
    page,
    server,
  }) => {
    await restoreSession(page, 'admin')
    await page.goto('/dashboard/admin/orders/sell')
    await page.getByRole('textbox', { name: 'Cash you start with (₹)' }).fill('500')
    await page.getByRole('button', { name: 'Open cash session' }).click()
    await page.getByRole('textbox', { name: 'Buyer’s name' }).fill('Hetal Vyas')
    await page.getByRole('button', { name: 'Take ₹299 and make 1 ticket' }).click()
    await page.getByRole('button', { name: 'Take along' }).click()
    const qr = page.getByRole('img', { name: 'QR code of a link to the tickets' })
    const url = await readCode(await qr.screenshot())
    expect(url).toMatch(/\/dashboard\/guest\/wallet#[\w-]{22}$/)
    await expectNoViolationsInBothSizes(page, 'take along')
    const [sold] = server.rows<{ id: string; qr_code: string }>('select id, qr_code from tickets')

    const context = await browser.newContext()
    const phone = await context.newPage()
    const sent: string[] = []
    phone.on('request', (request) => sent.push(request.url(), JSON.stringify(request.headers())))
    await phone.goto(`${server.url}${url.slice(url.indexOf('/dashboard'))}`)
    const row = phone.getByRole('button', { name: /^Hetal Vyas.*Show the code$/ })
    await expect(row).toBeVisible()
    expect(phone.url()).not.toContain('#')
    expect(sent.length).toBeGreaterThan(10)
    // Neither an address nor a referrer has the token.
    expect(sent.filter((text) => text.includes(url.slice(url.indexOf('#') + 1)))).toEqual([])
    await workerReady(phone)
    await expectNoViolationsInBothSizes(phone, 'wallet')
    await server.stop()
    await phone.reload()
    await row.click()
    const code = phone.getByRole('img', { name: `QR code of ticket ${sold?.id.slice(-8)}` })
    await expect(code).toBeVisible()
    expect(await readCode(await code.screenshot())).toBe(sold?.qr_code)
    await phone.goBack()
    await expect(code).toBeHidden()
    await expect(row).toBeFocused()
    const saving = phone.waitForEvent('download')
    await phone.getByRole('button', { name: 'Add to calendar' }).click()
    const calendar = (await readFile(await (await saving).path(), 'utf8')).replaceAll(/\r\n /g, '')
    expect(calendar).toContain('/dashboard/guest/wallet')
    expect(calendar).not.toContain(url.slice(url.indexOf('#')))
    await context.close()
  })
})

test('a replaced code at an offline gate: amber before its list arrives, refused with the time after it', async ({
  context,
  page,
  server,
}) => {
  const guest = await server.api('guest')
  const [early, late] = await guest.buy(2)
  // Chromium takes the network from new requests: over a stream that is open the change would still arrive.
  await context.route('**/api/scanner/live**', (route) => route.abort())
  const gate = await Gate.open(page)
  await gate.start()
  await goOffline(context)
  // Until then a list asked for earlier may still arrive.
  await gate.says('Offline')
  const renewed: Ticket[] = []
  for (const { _id } of [early, late])
    renewed.push((await guest.call('newCode', { params: { id: _id } })).body.ticket as Ticket)
  expect(await gate.scan(early.qrCode)).toMatchObject({ look: 'pending', by: 'device' })

  await goOnline(context)
  await gate.says('All sent')
  await expect
    .poll(() => server.rows("select count(*) as n from conflicts where over = 'replaced'"))
    .toEqual([{ n: 1 }])
  await gate.says(/Updated \d+ s ago/)
  await goOffline(context)
  const words = /^Code Replaced \| .*Replaced at \d+:\d\d [AP]M\. Ask for the new code\./
  expect(await gate.scan(late.qrCode)).toMatchObject({
    look: 'refused',
    by: 'device',
    words: expect.stringMatching(words),
  })
  expect(await gate.scan(renewed[1]?.qrCode ?? '')).toMatchObject({ look: 'pending', by: 'device' })
})

test.describe('at the door', () => {
  test.use({ serverOptions: { env: { PAYMENTS: 'desk' } } })

  test('a seller’s phone gives the buyer a link that opens on one phone, which alone keeps the tickets in an account', async ({
    page,
    server,
    browser,
  }) => {
    await openPaired(page, server, { rights: ['scan', 'sell', 'complimentary'] })
    await page.getByRole('button', { name: 'Sell tickets' }).click()
    await page.getByLabel('Cash you start with (₹)').fill('500')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByRole('button', { name: 'Take ₹299, sell 1 ticket' }).click()
    let url = ''
    await page.route('**/api/tickets/links', async (route) => {
      const response = await route.fetch()
      url = ((await response.json()) as { link: { url: string } }).link.url
      await route.fulfill({ response })
    })
    await page.getByRole('button', { name: 'Take along' }).first().click()
    await expect(page.getByRole('img', { name: 'QR code of a link to the tickets' })).toBeVisible()
    const path = url.slice(url.indexOf('/dashboard'))
    const buyer = await (await browser.newContext()).newPage()
    const seller = await (await browser.newContext()).newPage()
    await buyer.goto(path)
    await expect(codes(buyer)).toHaveCount(1)
    await seller.goto(path)
    await expect(seller.getByText('Another phone has opened this link already.')).toBeVisible()
    await expect(codes(seller)).toHaveCount(0)
    await buyer.getByRole('button', { name: 'Sign in and keep' }).click()
    await buyer
      .getByRole('dialog', { name: 'Choose a demo account' })
      .getByRole('button', { name: /Garima Guest/ })
      .click()
    await expect(toastOf(buyer, 'Kept in your account.')).toBeVisible()
    expect(server.rows('select email from tickets join users on users.id = tickets.user_id')).toEqual([
      { email: 'guest@garba.test' },
    ])
    expect(server.rows('select claimed_unopened as unopened from ticket_links')).toEqual([{ unopened: 0 }])
  })
})
