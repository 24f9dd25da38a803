import type { BrowserContext } from '@playwright/test'
import { cutBefore, EVERYTHING } from './support/faults.ts'
import { expect, test } from './support/fixtures.ts'
import { Gate } from './support/gate.ts'
import { storeRows } from './support/scannerStore.ts'

test.use({ serviceWorkers: 'block' })

/** A second phone: its own profile, clock and camera. */
async function secondGate(context: BrowserContext): Promise<Gate> {
  return Gate.open(await context.newPage())
}

async function nameDevice(gate: Gate, name: string) {
  await gate.page.getByRole('button', { name: 'Scanner menu' }).click()
  await gate.page.getByRole('menuitem', { name: 'Name this device' }).click()
  await gate.page.getByRole('textbox', { name: 'Name' }).fill(name)
  await gate.page.getByRole('button', { name: 'Save' }).click()
}

/** Lets people in by hand, which is quicker than holding codes before a camera; the same rules judge. */
async function letInAll(gate: Gate, ids: readonly string[]) {
  for (const id of ids) {
    const before = (await gate.verdicts()).length
    await gate.page.getByRole('button', { name: 'Find by name or code' }).click()
    await gate.page.getByRole('textbox').fill(id.slice(-8))
    await gate.page.getByRole('dialog').getByRole('listitem').getByRole('button').click()
    await gate.page.getByRole('button', { name: 'Let in' }).click()
    expect(await gate.nextVerdict(before)).toMatchObject({ look: 'pending', by: 'device' })
    await gate.page.evaluate(() => document.querySelector<HTMLElement>('[data-look] button')?.click())
  }
}

test('two gates offline let the same 20 tickets in: 20 used, 20 conflicts, told at both', async ({
  server,
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(300_000)
  const tickets = await (await server.api('guest')).buy(20)
  const ids = tickets.map(({ id }) => id)
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  const a = await Gate.open(page)
  const b = await secondGate(context)
  await nameDevice(a, 'Gate A')
  await nameDevice(b, 'Gate B')
  const cuts = [await cutBefore(a.page, EVERYTHING), await cutBefore(b.page, EVERYTHING)]
  await letInAll(a, ids)
  await letInAll(b, ids)
  await expect(a.status).toContainText('20 unsent')
  await expect(b.status).toContainText('20 unsent')
  // The later gate comes back first: the earlier admission still wins.
  for (const cut of cuts.toReversed()) await cut.end()
  for (const gate of [a, b]) {
    await expect(gate.status).toContainText('All sent', { timeout: 90_000 })
    await expect(gate.status).toContainText('20 double admissions to read', { timeout: 90_000 })
  }
  expect(server.rows("select count(*) as n from tickets where status = 'used'")).toEqual([{ n: 20 }])
  expect(server.rows('select count(*) as n from conflicts')).toEqual([{ n: 20 }])
  expect(server.rows('select outcome, count(*) as n from scans group by outcome order by outcome')).toEqual([
    { outcome: 'admitted', n: 20 },
    { outcome: 'conflict', n: 20 },
  ])
  expect(server.rows("select count(*) as n from scans where outcome = 'admitted' and device_name = 'Gate A'")).toEqual([
    { n: 20 },
  ])
  await context.close()
})

test('a ticket used at one gate is used in the other gate’s list before that goes offline', async ({
  server,
  page,
  browser,
  baseURL,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  const a = await Gate.open(page)
  const b = await secondGate(context)
  await b.start()
  await a.start()
  const listed = () => storeRows(b.page, 'roster')
  expect(await listed()).toMatchObject([{ id: ticket.id, status: 'active' }])
  expect(await a.scan(ticket.qrCode)).toMatchObject({ look: 'allowed', by: 'server' })
  await expect.poll(listed).toMatchObject([{ id: ticket.id, status: 'used' }])
  await cutBefore(b.page, EVERYTHING)
  const before = (await b.verdicts()).length
  await b.camera.showCode(ticket.qrCode)
  expect(await b.nextVerdict(before)).toMatchObject({
    look: 'refused',
    by: 'device',
    words: expect.stringMatching(/Ticket Already Used .*Entered at/),
  })
  await context.close()
})

test('a clock ten minutes fast is told, and the server keeps the true time', async ({ server, page }) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  await page.addInitScript(() => {
    const real = Date.now
    Date.now = () => real() + 600_000
    const Real = Date
    const Fast = class extends Real {
      constructor(...given: unknown[]) {
        if (given.length === 0) super(real() + 600_000)
        else super(...(given as [number]))
      }
    }
    Fast.now = Date.now
    window.Date = Fast as DateConstructor
  })
  const gate = await Gate.open(page)
  await expect(gate.status).toContainText("This device's clock is 10 min ahead")
  await gate.start()
  const cut = await cutBefore(page, EVERYTHING)
  expect(await gate.scan(ticket.qrCode)).toMatchObject({ look: 'pending' })
  const [row] = await storeRows<{ clockOffset: number }>(page, 'outbox')
  expect(Math.abs((row?.clockOffset ?? 0) + 600_000)).toBeLessThan(30_000)
  await cut.end()
  await expect(gate.status).toContainText('All sent', { timeout: 45_000 })
  const [entry] = server.rows<{ at: number; deviceTime: number }>('select at, device_time as deviceTime from scans')
  expect(entry?.at).toBeLessThanOrEqual(Date.now())
  expect((entry?.deviceTime ?? 0) - (entry?.at ?? 0)).toBeGreaterThan(500_000)
})
