import { cutBefore, EVERYTHING } from './support/faults.ts'
import { expect, type Page, type TestServer, test } from './support/fixtures.ts'
import { Gate } from './support/gate.ts'
import { openPaired } from './support/pairing.ts'
import { storeRows } from './support/scannerStore.ts'
import { expectNoViolationsInBothSizes } from './support/screen.ts'

test.use({ serviceWorkers: 'block' })

const NAMES = ['Asha', 'જલ્પાબેન પ્રજાપતિ', 'Chirag', 'Dharmesh']

/** Four people with one phone; the first of them came earlier. */
async function family(server: TestServer) {
  const [guest, checker] = [await server.api('guest'), await server.api('checker')]
  const tickets = await guest.buy(4)
  for (const [index, { id }] of tickets.entries())
    await guest.call('nameTicket', { params: { id }, body: { name: NAMES[index] } })
  const { body } = await guest.call('groupCodes')
  const [group] = body.groups as { qrCode: string }[]
  await checker.call('markUsed', { body: { qrCode: tickets[0].qrCode, deviceId: 'gate-b', deviceName: 'Gate B' } })
  const inside = async () => {
    const { body } = await guest.call('myTickets')
    return (body.tickets as { status: string }[]).filter(({ status }) => status === 'used').length
  }
  return { code: group?.qrCode ?? '', inside }
}

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
  await main.click()
  expect(await gate.nextVerdict(0)).toMatchObject({
    look: 'allowed',
    by: 'server',
    words: expect.stringMatching(/^Entry Allowed! \| 3 let in \| /),
  })
  await expect(choice(page)).toBeHidden()
  expect(await inside()).toBe(4)
  await expect.poll(() => gate.tiles()).toEqual([3, 3, 0])
})

test('offline, two of a group by name and by number; each waits as a scan of its own and is sent', async ({
  server,
  page,
}) => {
  const { code, inside } = await family(server)
  await cutBefore(page, /scanner\/live/)
  const gate = await Gate.open(page)
  await gate.start()
  const cut = await cutBefore(page, EVERYTHING)
  await gate.camera.showCode(code)
  await choice(page)
    .getByRole('checkbox', { name: /Chirag/ })
    .click()
  await choice(page)
    .getByRole('checkbox', { name: /Dharmesh/ })
    .click()
  await choice(page).getByRole('button', { name: 'Let 1 in' }).click()
  expect(await gate.nextVerdict(0)).toMatchObject({ look: 'pending', words: expect.stringContaining(NAMES[1] ?? '') })
  await gate.takeAway()
  await gate.camera.showCode(code)
  await expect(choice(page)).toContainText('2 to go in, 2 inside already')
  await choice(page).getByRole('button', { name: 'Let 1 in' }).click()
  await gate.nextVerdict(1)
  expect(await storeRows(page, 'outbox')).toHaveLength(2)
  await cut.end()
  await gate.says(/Online.*All sent/)
  expect(await inside()).toBe(3)
})

test('a group code before the camera of a paired phone, at a gate that takes two of the four', async ({
  server,
  page,
}) => {
  const admin = await server.api('admin')
  const gates = [
    { name: 'VIP', kinds: ['complimentary'] },
    { name: 'North gate', kinds: [] },
  ]
  expect(await admin.call('saveGates', { body: { gates } })).toMatchObject({ status: 200 })
  const given = { quantity: 2, method: 'complimentary', name: NAMES[1], email: 'guest@garba.test', reason: 'Crew' }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  expect(await admin.call('sellAtDesk', { body: given, headers })).toMatchObject({ status: 201 })
  const guest = await server.api('guest')
  await guest.buy(2)
  const { body } = await guest.call('groupCodes')
  const [group] = body.groups as { qrCode: string }[]
  const gate = await openPaired(page, server, { device: { gates: ['VIP'] }, camera: { decodes: true } })
  await gate.start()
  await gate.camera.showCode(group?.qrCode ?? '')
  await expect(choice(page)).toContainText('2 to go in, 2 not admitted here')
  await expect(choice(page).getByText('This ticket is for North gate.')).toHaveCount(2)
  await choice(page).getByRole('button', { name: 'Let all 2 in' }).click()
  expect(await gate.nextVerdict(0)).toMatchObject({
    look: 'allowed',
    by: 'server',
    words: expect.stringContaining('2 let in'),
  })
  expect(server.rows('select checker_name as who, device_name as device, gate from scans')).toEqual(
    Array(2).fill({ who: 'Ravi', device: 'Gate A', gate: 'VIP' }),
  )
})
