import { family, NAMES } from '../support/family.ts'
import { expect, type Page, test } from '../support/fixtures.ts'
import { Gate } from '../support/gate.ts'
import { expectNoViolationsInBothSizes } from '../support/screen.ts'

const choice = (page: Page) => page.getByRole('dialog', { name: 'Group of 4' })

test('a group code before the camera: the names, who is inside, and the other three by one tap', async ({
  server,
  page,
}) => {
  const { code, inside } = await family(server)
  const gate = await Gate.open(page, { decodes: true })
  await gate.start()
  await gate.camera.showCode(code)
  await expect(choice(page)).toContainText('3 to go in, 1 inside already')
  for (const name of NAMES) await expect(choice(page)).toContainText(name)
  await expect(choice(page).getByRole('checkbox')).toHaveCount(3)
  await expectNoViolationsInBothSizes(page, 'group')
  const main = choice(page).getByRole('button', { name: 'Let all 3 in' })
  await expect(main).toBeFocused()
  await gate.holdTime(() => main.click())
  expect(await gate.nextVerdict(0)).toMatchObject({
    look: 'allowed',
    by: 'server',
    words: expect.stringMatching(/^Entry Allowed! \| 3 let in \| /),
  })
  await expect(choice(page)).toBeHidden()
  expect(await inside()).toBe(4)
  await expect.poll(() => gate.tiles()).toEqual([3, 3, 0])
})

test('three of an order without their codes: found by the buyer, let in together with one verdict and at most five actions', async ({
  server,
  page,
}) => {
  const guest = await server.api('guest')
  const tickets = await guest.buy(4)
  for (const [index, { id }] of tickets.entries())
    await guest.call('nameTicket', { params: { id }, body: { name: NAMES[index] } })
  await (await server.api('checker')).call('markUsed', {
    body: { ticketId: tickets[0].id, manual: true, deviceId: 'gate-b', deviceName: 'Gate B' },
  })
  const gate = await Gate.open(page)
  let actions = 0
  const act = async (action: Promise<void>) => {
    actions += 1
    await action
  }
  await act(page.getByRole('button', { name: 'Find by name or code' }).click())
  const find = page.getByRole('dialog', { name: 'Find a ticket' })
  await expect(find.getByRole('textbox')).toBeFocused()
  await act(page.keyboard.type('garima'))
  await expect(find).toContainText('4 tickets of one order')
  await expect(find.getByRole('listitem')).toHaveCount(4)
  await expectNoViolationsInBothSizes(page, 'a party found')
  await act(find.getByRole('button', { name: 'Let several in' }).click())
  await expect(choice(page)).toContainText('3 to go in, 1 inside already. Without a code')
  for (const name of NAMES) await expect(choice(page)).toContainText(name)
  await expectNoViolationsInBothSizes(page, 'a party chosen')
  await act(choice(page).getByRole('button', { name: 'Let all 3 in' }).click())
  expect(actions).toBeLessThanOrEqual(5)
  expect(await gate.nextVerdict(0)).toMatchObject({
    look: 'allowed',
    by: 'server',
    words: expect.stringMatching(/^Entry Allowed! \| 3 let in \| /),
  })
  await expect.poll(() => gate.tiles()).toEqual([3, 3, 0])
  expect(server.rows('select manual, outcome, device_name as device from scans order by rowid')).toEqual([
    { manual: 1, outcome: 'admitted', device: 'Gate B' },
    ...Array.from({ length: 3 }, () => expect.objectContaining({ manual: 1, outcome: 'admitted' })),
  ])
})
