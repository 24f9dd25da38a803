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

/** Lets people in, each at the real time: the server takes none for earlier than the sale or later than the sending. */
async function letInAll(gate: Gate, codes: readonly string[]) {
  for (const code of codes) {
    await gate.page.clock.setSystemTime(Date.now())
    expect(await gate.scan(code)).toMatchObject({ look: 'pending', by: 'device' })
  }
  await expect(gate.status).toContainText(`${codes.length} unsent`)
}

// With 20 tickets at either gate: src/scanner/gates.test.ts.
test('two gates offline let the same tickets in: each is used once and shown as a conflict at both', async ({
  server,
  page,
  browser,
  baseURL,
}) => {
  const codes = (await (await server.api('guest')).buy(3)).map(({ qrCode }) => qrCode ?? '')
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  const a = await Gate.open(page)
  const b = await secondGate(context)
  await nameDevice(a, 'Gate A')
  await nameDevice(b, 'Gate B')
  for (const gate of [a, b]) await gate.start()
  const cuts = [await cutBefore(a.page, EVERYTHING), await cutBefore(b.page, EVERYTHING)]
  await letInAll(a, codes)
  await letInAll(b, codes)
  // The later gate comes back first: the earlier admission still wins.
  await cuts[1]?.end()
  await b.says('All sent')
  await cuts[0]?.end()
  for (const gate of [a, b]) {
    await gate.says('All sent')
    await gate.says('3 double admissions to read')
  }
  expect(server.rows("select count(*) as n from tickets where status = 'used'")).toEqual([{ n: 3 }])
  expect(server.rows('select count(*) as n from conflicts')).toEqual([{ n: 3 }])
  expect(server.rows('select outcome, device_name as device, count(*) as n from scans group by 1, 2')).toEqual([
    { outcome: 'admitted', device: 'Gate A', n: 3 },
    { outcome: 'conflict', device: 'Gate B', n: 3 },
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
  expect(await b.scan(ticket.qrCode)).toMatchObject({
    look: 'refused',
    by: 'device',
    words: expect.stringMatching(/Ticket Already Used .*Entered at/),
  })
  await context.close()
})

test('a clock ten minutes fast is reported, and the server keeps the true time', async ({ server, page }) => {
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
  await gate.says('All sent')
  const [entry] = server.rows<{ at: number; deviceTime: number }>('select at, device_time as deviceTime from scans')
  expect(entry?.at).toBeLessThanOrEqual(Date.now())
  expect((entry?.deviceTime ?? 0) - (entry?.at ?? 0)).toBeGreaterThan(500_000)
})
