import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { must } from '../../src/testing/desk.ts'
import { pairedPhone } from '../../src/testing/phone.ts'
import { bought, codeOf, putOnSale } from '../../src/testing/scenes.ts'
import { makeWorld } from '../../src/testing/world.ts'

test('scans keep the name of the phone’s user when somebody else sends them after the pairing has ended', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const [first, second, third] = await bought(await world.as('guest'), 3)
  const [ended, { id: living }] = [await pairedPhone(world), await pairedPhone(world)]
  const admin = await world.as('admin')
  await must(admin.request('PATCH', `/api/admin/devices/${ended.id}`, { revoked: true }))
  const checker = await world.as('qrchecker')
  const scan = { scanId: randomUUID(), admittedOffline: true, checkerName: 'Ravi' }
  await must(
    checker.request('POST', '/api/tickets/mark-used/batch', {
      scans: [
        { ...scan, qrCode: codeOf(first), deviceId: ended.id },
        { ...scan, scanId: randomUUID(), qrCode: second && codeOf(second), deviceId: 'a browser' },
        // A phone that is still paired says itself who was on shift.
        { ...scan, scanId: randomUUID(), qrCode: third && codeOf(third), deviceId: living },
      ],
    }),
  )
  expect(
    await world.sql('select checker_name as maker, sender_name as sender from scans order by checker_name'),
  ).toEqual([
    { maker: 'Chetan Checker', sender: 'Chetan Checker' },
    { maker: 'Chetan Checker', sender: 'Chetan Checker' },
    { maker: 'Ravi', sender: 'Chetan Checker' },
  ])
})
