import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { testOnSqlite } from '../../testing/database.ts'
import { must } from '../../testing/desk.ts'
import { healStorm } from '../../testing/healStorm.ts'
import { pairedPhone } from '../../testing/phone.ts'
import { bought, codeOf, putOnSale } from '../../testing/scenes.ts'
import { makeWorld } from '../../testing/world.ts'

testOnSqlite('a backup, more scans and sales, the disk gone, two restores: every admission is back, once', async () => {
  const { findings, ...counts } = await healStorm({ seed: 4, scans: 100, gates: 3, whenOver: onTestFinished })
  expect(findings).toEqual([])
  expect(counts).toEqual({ restores: 2, admissions: 61, undone: 5, twiceLetIn: 2, onLostTickets: 31 })
})

test('scans keep the name of the phone’s user when somebody else sends them after the pairing has ended', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const [first, second] = await bought(await world.as('guest'), 2)
  const { id } = await pairedPhone(world)
  const checker = await world.as('qrchecker')
  const scan = { scanId: randomUUID(), admittedOffline: true, checkerName: 'Ravi' }
  await must(
    checker.request('POST', '/api/tickets/mark-used/batch', {
      scans: [
        { ...scan, qrCode: codeOf(first), deviceId: id },
        { ...scan, scanId: randomUUID(), qrCode: second && codeOf(second), deviceId: 'a browser' },
      ],
    }),
  )
  expect(
    await world.sql('select checker_name as maker, sender_name as sender from scans order by checker_name'),
  ).toEqual([
    { maker: 'Chetan Checker', sender: 'Chetan Checker' },
    { maker: 'Ravi', sender: 'Chetan Checker' },
  ])
})
