import { randomUUID } from 'node:crypto'
import type { GroupCode } from '@garba/shared/contracts/ticket'
import { beforeEach, expect, test, vi } from 'vitest'
import { probeServer } from '../../platform/net/connectivity.ts'
import { endNow } from '../core/pairing.ts'
import { readOpenConflicts } from '../store/conflicts.ts'
import { nextRows } from '../store/outbox.ts'
import { readHistory } from '../store/record.ts'
import { findKnownTicket, forgetRoster } from '../store/rosterMemory.ts'
import { refreshStored } from '../store/useStored.ts'
import { replayOutbox } from '../sync/replay.ts'
import { syncRoster } from '../sync/syncRoster.ts'
import { undoOwnAdmission } from '../sync/undoAdmission.ts'
import {
  byCode,
  fillDevice,
  listed,
  made,
  type Phone,
  stored,
  takePairedPhone,
  takePhone,
  takeStoreAway,
} from '../testing/phone.ts'
import { decideScan } from './decide.ts'
import { finishScan } from './finish.ts'
import { admitMembers, lookAtGroup } from './group.ts'
import { dismissVerdict, letIn, scanAgain, seeCode, useScan } from './machine.ts'
import { AIMING } from './step.ts'

beforeEach(() => {
  dismissVerdict()
  useScan.setState({ state: AIMING })
})

/** A family's tickets, known to the phone, and the code they share. */
async function family(phone: Phone, quantity = 4) {
  const tickets = await listed(phone, quantity)
  const { body } = await phone.guest.request('GET', '/api/tickets/group-codes')
  const [group] = body.groups as GroupCode[]
  if (!group) throw new Error('There is no group code')
  const code = { type: 'code', text: group.qrCode } as const
  phone.asked()
  return {
    text: group.qrCode,
    ids: group.ticketIds,
    tickets,
    /** What the checker is shown when the code is read. */
    look: async () => {
      const found = await lookAtGroup(await made(code))
      if (!('members' in found)) throw new Error(`Nobody can be chosen: ${JSON.stringify(found)}`)
      return found.members
    },
    lookRefused: async () => {
      const found = await made(code)
      const outcome = await lookAtGroup(found)
      if ('members' in outcome) throw new Error('Somebody can still go in')
      return finishScan(outcome, found)
    },
    letIn: async (members: Awaited<ReturnType<typeof lookAtGroup>>) => {
      if (!('members' in members)) throw new Error('Nobody can be chosen')
      return admitMembers(members.members, await made(code))
    },
  }
}

const ableOf = <M extends { refusal: unknown }>(members: readonly M[]) =>
  members.filter(({ refusal }) => refusal === null)
const rows = ({ world }: Phone, sql: string) => world.sqliteStore().sqlite.prepare(sql).all()
const usedIds = (phone: Phone) =>
  rows(phone, "select id from tickets where status = 'used' order by id desc").map((row) => (row as { id: string }).id)

test('a phone whose keys are gone lets in the members that the server vouched for, when the answer to the marks is lost', async () => {
  const phone = await takePhone()
  const { ids, look, letIn } = await family(phone, 2)
  forgetRoster()
  const members = await look()
  phone.fault(/mark-used\/batch$/, 'cutAfter')
  expect(await letIn({ members })).toMatchObject({ look: 'pending', people: 2 })
  expect(usedIds(phone)).toEqual(ids)
  expect(await stored()).toMatchObject({ outbox: 2 })
})

test('four with one inside already: the other three go in by one tap, with a scan each and one call', async () => {
  const phone = await takePhone()
  const { ids, tickets, look, letIn } = await family(phone)
  const [first] = tickets
  if (!first) throw new Error('Tickets were bought')
  const single = await made(byCode(first))
  await finishScan(await decideScan(single), single)
  phone.asked()

  const members = await look()
  expect(members.map(({ refusal }) => refusal)).toEqual([null, null, null, 'ALREADY_USED'])
  expect(members[3]).toMatchObject({ name: 'Garima Guest', entry: { by: 'Chetan Checker' } })
  const shown = await letIn({ members: ableOf(members) })
  expect(shown).toMatchObject({
    look: 'allowed',
    by: 'server',
    title: 'Entry Allowed!',
    name: '3 let in',
    detail: 'Garima Guest',
  })
  expect(phone.asked()).toEqual(['/api/tickets/verify-group', '/api/tickets/mark-used/batch'])
  expect(usedIds(phone)).toEqual(ids)
  await vi.waitFor(async () => expect(await stored()).toEqual({ history: 4, outbox: 0, admitted: 4 }), {
    timeout: 20_000,
  })
  expect(new Set((await readHistory()).map(({ ticket }) => ticket?.id))).toEqual(new Set(ids))
  expect(rows(phone, 'select count(*) as n from scans')).toEqual([{ n: 4 }])
})

test('offline they wait as one row each, and the replay lets each in once', async () => {
  const phone = await takePhone()
  const { ids, text, look, letIn } = await family(phone)
  phone.cut(true)
  const members = await look()
  expect(members.map(({ name, refusal }) => [name, refusal])).toEqual(ids.map(() => ['Garima Guest', null]))
  expect(await letIn({ members: members.slice(0, 3) })).toMatchObject({
    look: 'pending',
    by: 'device',
    title: 'Valid (Pending)',
    name: '3 let in',
  })
  expect(await stored()).toEqual({ history: 3, outbox: 3, admitted: 3 })
  const queued = await nextRows({ after: 0, limit: 10 })
  expect(new Set(queued.map(({ ticketId }) => ticketId))).toEqual(new Set(ids.slice(0, 3)))
  expect(queued.map(({ qrCode }) => qrCode)).toEqual([text, text, text])

  // Read again at once: they are inside, and the last one can still come.
  expect((await look()).map(({ refusal }) => refusal)).toEqual(['ALREADY_USED', 'ALREADY_USED', 'ALREADY_USED', null])
  phone.cut(false)
  // Back online, before they are sent: only this device knows of them.
  expect((await look()).map(({ refusal }) => refusal)).toEqual(['ALREADY_USED', 'ALREADY_USED', 'ALREADY_USED', null])
  expect(await replayOutbox()).toBe('empty')
  expect(usedIds(phone)).toEqual(ids.slice(0, 3))
  expect(rows(phone, 'select outcome, count(*) as n from scans group by outcome')).toEqual([
    { outcome: 'admitted', n: 3 },
  ])
  expect((await letIn({ members: ableOf(await look()) })).title).toBe('Entry Allowed!')
  expect(usedIds(phone)).toEqual(ids)
  expect((await readHistory()).map(({ ending }) => ending)).toEqual(Array(4).fill('admitted'))
})

/** Another gate lets some of the group in. */
async function otherGateLetsIn({ world }: Phone, { text, ids }: { text: string; ids: string[] }, offline = false) {
  const checker = await world.as('qrchecker')
  const scans = ids.map((ticketId) => ({
    qrCode: text,
    ticketId,
    scanId: randomUUID(),
    deviceId: 'gate-b',
    deviceName: 'Gate B',
    ...(offline ? { admittedOffline: true } : {}),
  }))
  expect((await checker.request('POST', '/api/tickets/mark-used/batch', { scans })).status).toBe(200)
}

test('the same group at two gates at once, online: each ticket goes in at one of them', async () => {
  const phone = await takePhone()
  const { ids, text, look, letIn } = await family(phone)
  const members = await look()
  await otherGateLetsIn(phone, { text, ids: ids.slice(2) })
  expect(await letIn({ members })).toMatchObject({
    look: 'refused',
    title: '2 let in, 2 not',
    detail: 'Garima Guest: Ticket Already Used; Garima Guest: Ticket Already Used',
  })
  expect(usedIds(phone)).toEqual(ids)
  expect(
    rows(phone, "select device_name, count(*) as n from scans where outcome = 'admitted' group by device_name").length,
  ).toBe(2)
  expect(rows(phone, 'select * from conflicts')).toEqual([])
})

test('the same group at two gates at once, offline: each ticket goes in once, the rest are conflicts on record', async () => {
  const phone = await takePhone()
  const { ids, text, look, letIn } = await family(phone)
  phone.cut(true)
  await letIn({ members: await look() })
  await otherGateLetsIn(phone, { text, ids: ids.slice(2) }, true)
  phone.cut(false)
  expect(await replayOutbox()).toBe('empty')
  expect(usedIds(phone)).toEqual(ids)
  expect(rows(phone, 'select outcome, count(*) as n from scans group by outcome order by outcome')).toEqual([
    { outcome: 'admitted', n: 4 },
    { outcome: 'conflict', n: 2 },
  ])
  // A second entry under one ticket takes a free one of the group, so which two are doubled depends on the order of sending.
  const doubled = new Set((await readOpenConflicts()).map(({ ticketId }) => ticketId))
  expect(doubled.size).toBe(2)
  expect(ids).toEqual(expect.arrayContaining([...doubled]))
})

test('a late answer to the call for the group settles every row that was written meanwhile', async () => {
  const phone = await takePhone()
  const { look, letIn } = await family(phone)
  const members = await look()
  const release = phone.hold(/batch/)
  expect(await letIn({ members })).toMatchObject({ look: 'pending', name: '4 let in' })
  expect((await stored()).outbox).toBe(4)
  release()
  await vi.waitFor(async () => expect((await stored()).outbox).toBe(0), { timeout: 20_000 })
  expect(rows(phone, 'select outcome, count(*) as n from scans group by outcome')).toEqual([
    { outcome: 'admitted', n: 4 },
  ])
})

test('a cancelled member stays out, online and offline', async () => {
  const phone = await takePhone()
  const { ids, look } = await family(phone)
  await phone.guest.request('PATCH', `/api/tickets/cancel/${ids[1]}`, { reason: 'Ill' })
  const expected = [null, 'TICKET_CANCELLED', null, null]
  expect((await look()).map(({ refusal }) => refusal)).toEqual(expected)
  await syncRoster()
  phone.cut(true)
  expect((await look()).map(({ refusal }) => refusal)).toEqual(expected)
})

test('a copy of a code whose people are all inside is refused with the first entry', async () => {
  const phone = await takePhone()
  const { ids, text, lookRefused } = await family(phone)
  await phone.guest.request('PATCH', `/api/tickets/cancel/${ids[0]}`, { reason: 'Ill' })
  await otherGateLetsIn(phone, { text, ids: ids.slice(1) })
  const refused = {
    look: 'refused',
    title: 'Ticket Already Used',
    name: 'Group of 4: 3 inside already, 1 cancelled',
    ticketId: ids[1],
    status: 'used',
  }
  const online = await lookRefused()
  expect(online).toMatchObject({ ...refused, by: 'server' })
  expect(online.detail).toMatch(/^Entered at .*, by Chetan Checker, on Gate B$/)
  await syncRoster()
  phone.cut(true)
  expect(await lookRefused()).toMatchObject({ ...refused, by: 'device' })
})

test('an altered code is refused as a whole, online and offline', async () => {
  const phone = await takePhone()
  const { text } = await family(phone)
  const altered = text.slice(0, -1) + (text.endsWith('0') ? '1' : '0')
  for (const [isCut, by] of [
    [false, 'server'],
    [true, 'device'],
  ] as const) {
    phone.cut(isCut)
    for (const [code, title] of [
      [altered, 'Invalid Ticket'],
      ['GG1:4', 'Invalid QR Code'],
    ] as const) {
      const scan = await made({ type: 'code', text: code })
      const outcome = await lookAtGroup(scan)
      if ('members' in outcome) throw new Error('Nobody may be chosen')
      expect(await finishScan(outcome, scan)).toMatchObject({ look: 'refused', title, by, name: null, ticketId: null })
    }
  }
  expect(usedIds(phone)).toEqual([])
})

test('the list may say used before the answer does: by this very call none of them is refused', async () => {
  const phone = await takePhone()
  const { ids, look, letIn } = await family(phone, 2)
  const members = await look()
  const release = phone.hold(/mark-used\/batch$/)
  const deciding = letIn({ members })
  await vi.waitFor(async () => {
    await syncRoster()
    expect(ids.map((id) => findKnownTicket(id)?.status)).toEqual(['used', 'used'])
  }, 30_000)
  expect(await deciding).toMatchObject({ look: 'pending', name: '2 let in' })
  release()
  await vi.waitFor(async () => expect(await stored()).toMatchObject({ outbox: 0, history: 2 }), 30_000)
  expect(await readOpenConflicts()).toEqual([])
})

test('a device that cannot write lets none of the group in on its own', async () => {
  const phone = await takePhone()
  const { look, letIn } = await family(phone, 2)
  phone.cut(true)
  const members = await look()
  await takeStoreAway()
  expect(await letIn({ members })).toMatchObject({ look: 'refused', title: '0 let in, 2 not' })
})

test('a group that a full device turned away before the answer was lost goes in at the next try, each once', async () => {
  const phone = await takePhone()
  const { ids, look, letIn } = await family(phone, 2)
  fillDevice(['tally'])
  const mend = phone.fault(/mark-used/, 'cutAfter')
  expect(await letIn({ members: await look() })).toMatchObject({ look: 'refused' })
  mend()
  expect(await probeServer()).toBe(true)
  await syncRoster()
  const members = await look()
  expect(ableOf(members).map(({ ticketId }) => ticketId)).toEqual(ids)
  expect(await letIn({ members })).toMatchObject({ look: 'allowed', people: 2 })
  expect(rows(phone, 'select outcome from scans')).toEqual([{ outcome: 'admitted' }, { outcome: 'admitted' }])
})

test('one of them is taken back like any admission, and can go in again', async () => {
  const phone = await takePhone()
  const { ids, look, letIn } = await family(phone, 2)
  await letIn({ members: await look() })
  await vi.waitFor(async () => expect((await stored()).history).toBe(2), { timeout: 20_000 })
  const record = (await readHistory()).find(({ ticket }) => ticket?.id === ids[0])
  if (!record) throw new Error('It is in the history')
  await refreshStored(['history'])
  // Nobody can be admitted any more, but the checker may still undo.
  expect((await look()).map(({ refusal }) => refusal)).toEqual(['ALREADY_USED', 'ALREADY_USED'])
  expect(await undoOwnAdmission(record)).toMatchObject({ ok: true })
  expect(usedIds(phone)).toEqual(ids.slice(1))
  const again = ableOf(await look())
  expect(again.map(({ ticketId }) => ticketId)).toEqual(ids.slice(0, 1))
  expect(await letIn({ members: again })).toMatchObject({
    title: 'Entry Allowed!',
    detail: 'Welcome Garima Guest',
    ticketId: ids[0],
  })
})

test('a group code that is read waits for the checker; put aside, it can be scanned again', async () => {
  const phone = await takePhone()
  const { ids, text } = await family(phone)
  const members = async () => {
    await vi.waitFor(() => expect(useScan.getState().state.type).toBe('choosing'), { timeout: 20_000 })
    const { state } = useScan.getState()
    return state.type === 'choosing' ? state.members : []
  }
  seeCode(text)
  expect(await members()).toHaveLength(4)
  seeCode('GR1:ANOTHER')
  expect(useScan.getState().state.type).toBe('choosing')
  dismissVerdict()
  expect(useScan.getState().state).toMatchObject({
    type: 'aiming',
    last: { title: 'Group of 4', name: 'Nobody let in' },
  })
  expect(usedIds(phone)).toEqual([])

  useScan.setState({ state: AIMING })
  scanAgain()
  seeCode(text)
  const all = await members()
  letIn([])
  letIn(all.slice(0, 2))
  await vi.waitFor(() => expect(useScan.getState().verdict).toMatchObject({ look: 'allowed', name: '2 let in' }), {
    timeout: 20_000,
  })
  expect(usedIds(phone)).toEqual(ids.slice(0, 2))
})

test('a phone that is revoked while the checker chooses ends with the answer that tells it, and admits nobody after', async () => {
  const phone = await takePairedPhone()
  const { look, letIn, tickets } = await family(phone, 3)
  const members = await look()
  await phone.change({ revoked: true })
  expect(await letIn({ members: members.slice(0, 2) })).toMatchObject({ look: 'refused', name: null })
  expect(usedIds(phone)).toEqual([])
  expect(endNow()).toBe('revoked')
  phone.cut(true)
  const [, , third] = tickets
  if (!third) throw new Error('Three tickets were bought')
  const scanned = await made(byCode(third))
  expect(await finishScan(await decideScan(scanned), scanned)).toMatchObject({ look: 'refused' })
})
