import type { Ticket } from '@garba/shared/contracts/ticket'
import { BATCH, cutBefore } from '../support/faults.ts'
import { type Api, expect, type TestServer, test } from '../support/fixtures.ts'
import { Gate } from '../support/gate.ts'
import { putRows, queued } from '../support/scannerStore.ts'

const buyMany = async (guest: Api, n: number): Promise<Ticket[]> => {
  const tickets: Ticket[] = []
  while (tickets.length < n) tickets.push(...(await guest.buy(Math.min(100, n - tickets.length))))
  return tickets
}
const outcomes = (server: TestServer) =>
  server.rows<{ outcome: string; n: number }>('select outcome, count(*) as n from scans group by outcome')

test.describe('in a process of its own', () => {
  test.use({ serverOptions: { ownProcess: true } })

  test('the server killed during a replay of 300: every scan is on it exactly once', async ({ server, page }) => {
    const tickets = await buyMany(await server.api('guest'), 300)
    const checker = await server.api('checker')
    const gate = await Gate.open(page)
    const fault = await cutBefore(page, BATCH)
    await putRows(
      page,
      'outbox',
      tickets.map((ticket) => queued(ticket, { checkerId: checker.user._id })),
    )
    await page.reload()
    await gate.says('300 unsent')
    await fault.end()
    // As soon as some have arrived, and long before all have.
    await expect.poll(() => outcomes(server)[0]?.n ?? 0, { intervals: [5] }).toBeGreaterThan(0)
    await server.kill()
    await server.start()
    await gate.says('All sent')
    expect(outcomes(server)).toEqual([{ outcome: 'admitted', n: 300 }])
    expect(server.rows("select count(*) as n from tickets where status = 'used'")).toEqual([{ n: 300 }])
    expect(server.rows('select count(*) as n from conflicts')).toEqual([{ n: 0 }])
  })
})
