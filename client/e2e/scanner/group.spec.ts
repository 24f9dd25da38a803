import { family, NAMES } from '../support/family.ts'
import { cutBefore, EVERYTHING } from '../support/faults.ts'
import { expect, type Page, test } from '../support/fixtures.ts'
import { Gate, openPaired } from '../support/gate.ts'
import { storeRows } from '../support/scannerStore.ts'

const choice = (page: Page) => page.getByRole('dialog', { name: 'Group of 4' })

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
  await expect(gate.status).toContainText('2 unsent')
  await cut.end()
  await gate.says(/Online.*All sent/)
  expect(await inside()).toBe(3)

  await gate.takeAway()
  await gate.camera.showCode(code)
  await choice(page).getByRole('button', { name: 'Let 1 in' }).click()
  await gate.nextVerdict(2)
  await gate.takeAway()
  await page.clock.fastForward(60_000)
  await gate.camera.showCode(code)
  expect(await gate.nextVerdict(3)).toMatchObject({ words: expect.stringContaining('Group of 4: 4 inside already') })
  await page.getByRole('button', { name: 'Continue' }).click()
  // Whose ID that would be, the code does not say.
  await expect(gate.scanAgain).toBeVisible()
  await expect(page.getByRole('button', { name: /^Check ID/ })).toHaveCount(0)
})

test('a family leaves with its group code: by number with a network, and those who are left without one', async ({
  server,
  page,
}) => {
  const { code, inside } = await family(server)
  const gate = await Gate.open(page)
  await gate.start()
  await gate.camera.showCode(code)
  await choice(page).getByRole('button', { name: 'Let all 3 in' }).click()
  await gate.nextVerdict(0)
  await gate.takeAway()
  await expect.poll(inside).toBe(4)
  await gate.says(/Online.*All sent/)
  await page.getByRole('button', { name: 'Exit', exact: true }).click()
  await gate.camera.showCode(code)
  await expect(choice(page)).toContainText('4 inside')
  const left = await gate.holdTime(async () => {
    await choice(page).getByRole('button', { name: 'Let 2 out' }).click()
    return gate.nextVerdict(1)
  })
  expect(left).toMatchObject({
    look: 'allowed',
    by: 'server',
    words: expect.stringMatching(/^Left .*2 left/),
  })
  await gate.takeAway()
  expect(server.rows('select change from movements')).toEqual([{ change: -1 }, { change: -1 }])

  const cut = await cutBefore(page, EVERYTHING)
  await gate.camera.showCode(code)
  await expect(choice(page)).toContainText('2 inside, 2 left already')
  await choice(page).getByRole('button', { name: 'Let all 2 out' }).click()
  const offline = await gate.nextVerdict(2)
  expect(offline).toMatchObject({ look: 'pending', words: expect.stringContaining('2 left') })
  expect(offline.words).not.toContain('Let in')
  await gate.takeAway()
  await gate.camera.showCode(code)
  expect(await gate.nextVerdict(3)).toMatchObject({ look: 'refused', words: expect.stringContaining('Not Inside') })
  await cut.end()
  await gate.says(/Online.*All sent/)
  expect(server.rows('select sum(change) as n, count(distinct ticket_id) as tickets from movements')).toEqual([
    { n: -4, tickets: 4 },
  ])
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
  const gate = await openPaired(page, server, { gates: ['VIP', 'North gate'] })
  // A phone of several gates is asked where it stands before it scans.
  const where = page.getByRole('dialog', { name: 'Which gate is this phone at?' })
  await where.getByRole('button', { name: 'VIP (complimentary)' }).click()
  await expect(where).toBeHidden()
  await gate.start()
  await gate.camera.showCode(group?.qrCode ?? '')
  await expect(choice(page)).toContainText('2 to go in, 2 not admitted here')
  await expect(choice(page).getByText('This ticket is for North gate.')).toHaveCount(2)
  const verdict = await gate.holdTime(async () => {
    await choice(page).getByRole('button', { name: 'Let all 2 in' }).click()
    return gate.nextVerdict(0)
  })
  expect(verdict).toMatchObject({
    look: 'allowed',
    by: 'server',
    words: expect.stringContaining('2 let in'),
  })
  expect(server.rows('select checker_name as who, device_name as device, gate from scans')).toEqual(
    Array(2).fill({ who: 'Ravi', device: 'Gate A', gate: 'VIP' }),
  )
})

test('of a code that was photographed before a ticket was sent, one tap lets in everybody but the friend, who comes with it later', async ({
  server,
  page,
}) => {
  const guest = await server.api('guest')
  const [sent, ...own] = (await guest.buy(3)) as { _id: string; qrCode: string }[]
  const { body } = await guest.call('groupCodes')
  const [group] = body.groups as { qrCode: string }[]
  const link = { ticketIds: [sent?._id], purpose: 'share' } as const
  expect(await guest.call('makeLink', { body: link })).toMatchObject({ status: 201 })
  const gate = await Gate.open(page)
  await gate.start()
  await gate.camera.showCode(group?.qrCode ?? '')
  const three = page.getByRole('dialog', { name: 'Group of 3' })
  await expect(three.getByText('Sent to somebody else, who brings it')).toHaveCount(1)
  const verdict = await gate.holdTime(async () => {
    await three.getByRole('button', { name: 'Let 2 in' }).click()
    return gate.nextVerdict(0)
  })
  expect(verdict).toMatchObject({ look: 'allowed' })
  const used = server.rows("select id from tickets where status = 'used' order by id").map(({ id }) => id)
  expect(used).toEqual(own.map(({ _id }) => _id).toSorted())
  await gate.takeAway()
  expect(await gate.scan(sent?.qrCode ?? '')).toMatchObject({ look: 'allowed' })
})

test('offline, an order’s tickets are found together, and those chosen wait as entries by hand', async ({
  server,
  page,
}) => {
  const { inside } = await family(server)
  await cutBefore(page, /scanner\/live/)
  const gate = await Gate.open(page)
  const cut = await cutBefore(page, EVERYTHING)
  await page.getByRole('button', { name: 'Find by name or code' }).click()
  await page.getByRole('textbox').fill('asha')
  await page.getByRole('button', { name: 'Let several in' }).click()
  await choice(page)
    .getByRole('checkbox', { name: /Chirag/ })
    .click()
  await choice(page).getByRole('button', { name: 'Let 2 in' }).click()
  expect(await gate.nextVerdict(0)).toMatchObject({ look: 'pending', words: expect.stringContaining('2 let in') })
  expect(await storeRows(page, 'outbox')).toMatchObject([
    { manual: true, qrCode: null },
    { manual: true, qrCode: null },
  ])
  await cut.end()
  await gate.says(/Online.*All sent/)
  expect(await inside()).toBe(3)
})
