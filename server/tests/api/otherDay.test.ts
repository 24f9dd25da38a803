import { randomUUID } from 'node:crypto'
import type { OtherDayEntry } from '@garba/shared/contracts/order'
import { expect, test } from 'vitest'
import { must } from '../../src/testing/desk.ts'
import { bought, codeOf, mark, putOnSale } from '../../src/testing/scenes.ts'
import { makeWorld, type World } from '../../src/testing/world.ts'

const WEEKS_MS = 20 * 86_400_000

/** An event in twenty days, with two tickets sold today. */
async function rehearsal() {
  const world = await makeWorld()
  const date = new Date(world.clock.now().getTime() + WEEKS_MS).toISOString().slice(0, 10)
  const { startsAt } = await putOnSale(world, { date })
  const tickets = await bought(await world.as('guest'), 2)
  return { world, tickets, checker: await world.as('qrchecker'), startsAt: Date.parse(startsAt) }
}

const attention = async (world: World) =>
  (await must((await world.as('admin')).request('GET', '/api/admin/attention'))).otherDay as OtherDayEntry[]
const setBack = async (world: World, scanIds: readonly string[], as: 'admin' | 'manager' | 'qrchecker' = 'admin') =>
  (await world.as(as)).request('POST', '/api/admin/attention/other-day', { scanIds })
const inside = async (world: World) => {
  const { data } = (await (await world.as('admin')).request('GET', '/api/admin/gate')).body
  return (data as { people: number }).people
}

test('a ticket used weeks before the event is told as such, listed, and set back with one call', async () => {
  const { world, tickets, checker } = await rehearsal()
  const scanId = randomUUID()
  const qrCode = codeOf(tickets[0])
  expect((await mark(checker, { qrCode, scanId })).body).toMatchObject({ outcome: 'admitted', otherDay: true })
  expect(await attention(world)).toMatchObject([
    { scanId, ticketId: tickets[0]._id, name: 'Garima Guest', checkerName: 'Chetan Checker' },
  ])
  expect(await inside(world)).toBe(1)
  expect((await setBack(world, [scanId])).body).toMatchObject({ setBack: 1, otherDay: [] })
  expect(await inside(world)).toBe(0)
  // Repeated, it changes nothing, not even for somebody who has come in since.
  expect((await mark(checker, { qrCode })).body).toMatchObject({ outcome: 'admitted' })
  expect((await setBack(world, [scanId])).body).toMatchObject({ setBack: 0 })
  expect(await attention(world)).toHaveLength(1)
})

test('a scan counts by its corrected time, not by its arrival', async () => {
  const { world, tickets, startsAt } = await rehearsal()
  // The device’s clock is an hour behind; it scanned during the event and sends two days later.
  world.clock.set(new Date(startsAt + 48 * 3_600_000))
  const checker = await world.as('qrchecker')
  const offline = {
    qrCode: codeOf(tickets[0]),
    scanId: randomUUID(),
    scannedAt: new Date(startsAt - 3_600_000).toISOString(),
    clockOffset: 3_600_000,
    admittedOffline: true,
  }
  const atEvent = await checker.request('POST', '/api/tickets/mark-used/batch', { scans: [offline] })
  const [row] = atEvent.body.results as Record<string, unknown>[]
  expect(row).toMatchObject({ success: true })
  expect(row).not.toHaveProperty('otherDay')
  const late = await mark(checker, { qrCode: codeOf(tickets[1] ?? tickets[0]) })
  expect(late.body).toMatchObject({ outcome: 'admitted', otherDay: true })
  expect((await attention(world)).map(({ ticketId }) => ticketId)).toEqual([tickets[1]?._id])
})

test('within the event’s day nothing is said', async () => {
  const { world, tickets, startsAt } = await rehearsal()
  world.clock.set(new Date(startsAt - 6 * 3_600_000))
  const { body } = await mark(await world.as('qrchecker'), { qrCode: codeOf(tickets[0]) })
  expect(body).toMatchObject({ outcome: 'admitted' })
  expect(body).not.toHaveProperty('otherDay')
  expect(await attention(world)).toEqual([])
})

test('only an admin sets entries back', async () => {
  const { world, tickets, checker } = await rehearsal()
  const scanId = randomUUID()
  await mark(checker, { qrCode: codeOf(tickets[0]), scanId })
  for (const role of ['qrchecker', 'manager'] as const)
    expect(await setBack(world, [scanId], role)).toMatchObject({ status: 403 })
  expect(await attention(world)).toHaveLength(1)
})
