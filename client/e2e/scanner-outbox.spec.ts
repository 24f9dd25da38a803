import type { Ticket } from '@garba/shared/contracts/ticket'
import { BATCH, cutBefore } from './support/faults.ts'
import { type Api, expect, type TestServer, test } from './support/fixtures.ts'
import { Gate } from './support/gate.ts'
import { putRows, queued, storeRows } from './support/scannerStore.ts'
import { expectNoViolations } from './support/screen.ts'
import { accountMenu } from './support/session.ts'
import { signInAsOther } from './support/signIn.ts'

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

test('sign-out warns of unsent scans and keeps them; the next checker sends them in the name they were made in', async ({
  server,
  page,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const checker = await server.api('checker')
  const second = await server.apiAs({ uid: 'second-checker', email: 'second@garba.test', name: 'Sonal Second' })
  const admin = await server.api('admin')
  await admin.call('setRole', { params: { id: second.user._id }, body: { role: 'qrchecker' } })
  const gate = await Gate.open(page)
  await gate.start()
  const fault = await cutBefore(page, /\/api\/(tickets|scanner)/)
  expect(await gate.scan(ticket.qrCode)).toMatchObject({ look: 'pending' })
  await page.getByRole('button', { name: 'Scanner menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  const question = page.getByRole('alertdialog', { name: 'Sign out with unsent scans?' })
  await expect(question).toContainText('1 scan has not been sent yet')
  await question.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/localhost:\d+\/$/)
  await expect(page.getByText('1 scan on this phone is not sent yet')).toBeVisible()
  await expectNoViolations(page)
  const rows = await storeRows<{ ticketId: string; checkerName: string }>(page, 'outbox')
  expect(rows).toMatchObject([{ ticketId: ticket.id, checkerName: 'Chetan Checker' }])
  // What the server had answered to the first checker is gone with them.
  expect(await storeRows(page, 'roster')).toEqual([])

  await fault.end()
  await signInAsOther(page, { name: 'Sonal Second', email: 'second@garba.test' })
  await expect(accountMenu(page)).toHaveAccessibleName(/Sonal Second/)
  await expect(page.getByText('1 scan on this phone is not sent yet')).toBeHidden()
  await page.goto('/dashboard/qrchecker')
  await gate.says('All sent')
  await expect
    .poll(() => server.rows('select checker_id as checker, sender_id as sender, outcome from scans'), {
      timeout: 45_000,
    })
    .toEqual([{ checker: checker.user._id, sender: second.user._id, outcome: 'admitted' }])
})
