import { expect, test } from './support/fixtures.ts'
import { otherGateSends } from './support/gate.ts'
import { openPaired } from './support/pairing.ts'
import { expectNoViolationsInBothSizes } from './support/screen.ts'

test('a used ticket: the supervisor looks whose it is and lets the holder in; the desk sees the first as disputed', async ({
  server,
  page,
}) => {
  const [ticket] = await (await server.api('guest')).buy(1)
  const gate = await openPaired(page, server, { device: { rights: ['scan', 'supervise'] } })
  await otherGateSends(server, ticket.qrCode)
  await gate.start()
  expect(await gate.scan(ticket.qrCode)).toMatchObject({ look: 'refused' })
  await page.getByRole('button', { name: 'Holder check: Garima Guest' }).click()
  const check = page.getByRole('dialog', { name: 'Holder check' })
  await expect(check).toContainText('Garima Guest')
  await expect(check).toContainText('Gate B')
  await expectNoViolationsInBothSizes(page, 'holder check')
  await check.getByRole('button', { name: 'It does not match' }).click()
  await expect(check).toBeHidden()
  await page.getByRole('button', { name: 'Holder check: Garima Guest' }).click()
  await check.getByRole('button', { name: 'It matches: let in' }).click()
  await expect.poll(async () => (await gate.verdicts()).at(-1)).toMatchObject({ look: 'allowed', by: 'server' })
  expect(server.rows('select disputed, acknowledged_by_name as who from conflicts')).toEqual([
    { disputed: 1, who: 'Ravi' },
  ])
})
