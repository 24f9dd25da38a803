import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { codeOf } from '../../../server/src/testing/scenes.ts'
import { readOpenConflicts } from '../../src/scanner/store/conflicts.ts'
import { readDevice } from '../../src/scanner/store/device.ts'
import { readHistory, recordAdmission } from '../../src/scanner/store/record.ts'
import { replayOutbox } from '../../src/scanner/sync/replay.ts'
import { syncRoster } from '../../src/scanner/sync/syncRoster.ts'
import { byCode, listed, type Phone, pendingOf, stored, takePhone } from '../../src/scanner/testing/phone.ts'

const TICKETS = 20

const MINUTE = 60_000

/** Another gate comes back and sends its admissions of these tickets, made so many minutes ago. */
async function otherGateSends({ world }: Phone, { tickets, minutesAgo }: { tickets: Ticket[]; minutesAgo: number }) {
  const checker = await world.as('qrchecker')
  const scannedAt = new Date(world.clock.now().getTime() - minutesAgo * MINUTE).toISOString()
  const scans = tickets.map((ticket) => ({
    qrCode: codeOf(ticket),
    scanId: crypto.randomUUID(),
    scannedAt,
    deviceId: 'gate-b',
    deviceName: 'Gate B',
    admittedOffline: true,
  }))
  expect((await checker.request('POST', '/api/tickets/mark-used/batch', { scans })).status).toBe(200)
}

/** Ten minutes after the sale this gate lets them in without a network, and ten minutes later it has one again. */
async function letInOffline(phone: Phone, tickets: Ticket[]) {
  phone.world.clock.forward(10 * MINUTE)
  await syncRoster()
  phone.cut(true)
  for (const ticket of tickets) await recordAdmission(await pendingOf(byCode(ticket)))
  expect((await stored()).outbox).toBe(tickets.length)
  phone.world.clock.forward(10 * MINUTE)
  phone.cut(false)
}

const idsOf = (tickets: { _id: string }[]) => tickets.map(({ _id }) => _id).toSorted()

async function expectConflictAtBoth({ world }: Phone, tickets: Ticket[]) {
  const rows = (sql: string) => world.sqliteStore().sqlite.prepare(sql).all()
  expect(rows('select status, count(*) as n from tickets group by status')).toEqual([{ status: 'used', n: TICKETS }])
  expect(rows('select outcome, count(*) as n from scans group by outcome')).toEqual([
    { outcome: 'admitted', n: TICKETS },
    { outcome: 'conflict', n: TICKETS },
  ])
  expect((await readOpenConflicts()).map(({ ticketId }) => ticketId).toSorted()).toEqual(idsOf(tickets))
  const checker = await world.as('qrchecker')
  const { body } = await checker.request('GET', '/api/scanner/roster?deviceId=gate-b')
  const conflicts = body.conflicts as { ticketId: string }[]
  expect(conflicts.map(({ ticketId }) => ticketId).toSorted()).toEqual(idsOf(tickets))
}

const winners = ({ world }: Phone) =>
  world.sqliteStore().sqlite.prepare("select distinct device_id as gate from scans where outcome = 'admitted'").all()

test('the later gate sends first: the earlier admissions, sent after it, still win, and their answers bring the conflicts', async () => {
  const phone = await takePhone()
  const tickets = await listed(phone, TICKETS)
  await letInOffline(phone, tickets)
  await otherGateSends(phone, { tickets, minutesAgo: 5 })
  expect(await replayOutbox()).toBe('empty')
  await expectConflictAtBoth(phone, tickets)
  expect(winners(phone)).toEqual([{ gate: (await readDevice()).id }])
  expect((await readHistory()).map(({ ending }) => ending)).toEqual(Array(TICKETS).fill('conflict'))
})

test('the earlier admissions of another gate come last: this one learns of the conflicts with the list', async () => {
  const phone = await takePhone()
  const tickets = await listed(phone, TICKETS)
  await letInOffline(phone, tickets)
  expect(await replayOutbox()).toBe('empty')
  expect(await readOpenConflicts()).toEqual([])
  await otherGateSends(phone, { tickets, minutesAgo: 15 })
  await syncRoster()
  await expectConflictAtBoth(phone, tickets)
  expect(winners(phone)).toEqual([{ gate: 'gate-b' }])
})
