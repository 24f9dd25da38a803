import { cutBefore, EVERYTHING } from './support/faults.ts'
import { expect, test } from './support/fixtures.ts'
import { Gate } from './support/gate.ts'

async function nameDevice(gate: Gate, name: string) {
  await gate.page.getByRole('button', { name: 'Scanner menu' }).click()
  await gate.page.getByRole('menuitem', { name: 'Name this device' }).click()
  await gate.page.getByRole('textbox', { name: 'Name' }).fill(name)
  await gate.page.getByRole('button', { name: 'Save' }).click()
}

/** Lets people in at real times, because the server accepts no time before the sale or after the sending. */
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
  // A second phone: its own profile, clock and camera.
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  const a = await Gate.open(page)
  const b = await Gate.open(await context.newPage())
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
