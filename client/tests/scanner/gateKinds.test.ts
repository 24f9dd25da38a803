import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test, vi } from 'vitest'
import { bought } from '../../../server/src/testing/scenes.ts'
import { pairingNow } from '../../src/scanner/core/pairing.ts'
import type { Subject } from '../../src/scanner/core/scan.ts'
import { decideScan } from '../../src/scanner/scan/decide.ts'
import { finishScan } from '../../src/scanner/scan/finish.ts'
import { admitMembers, lookAtGroup } from '../../src/scanner/scan/group.ts'
import { placeDevice } from '../../src/scanner/store/device.ts'
import { moveToGate, refreshDevice } from '../../src/scanner/sync/pairing.ts'
import { replayOutbox } from '../../src/scanner/sync/replay.ts'
import { syncRoster } from '../../src/scanner/sync/syncRoster.ts'
import {
  byCode,
  byHand,
  listed,
  made,
  type PairedPhone,
  takePairedPhone,
  takePhone,
} from '../../src/scanner/testing/phone.ts'

const GATES = [
  { name: 'VIP', kinds: ['complimentary'] },
  { name: 'North', kinds: [] },
  { name: 'South', kinds: ['online', 'paper'] },
]

async function scan(subject: Subject) {
  const scanned = await made(subject)
  return finishScan(await decideScan(scanned), scanned)
}

/** A phone that may stand at VIP and North, and stands at VIP. */
async function atVip(): Promise<PairedPhone> {
  const phone = await takePairedPhone({ gates: ['VIP', 'North'] })
  expect(await phone.admin.request('PUT', '/api/admin/gates', { gates: GATES })).toMatchObject({ status: 200 })
  await syncRoster()
  await moveToGate('VIP')
  return phone
}

const inside = ({ world }: PairedPhone) =>
  world.sqliteStore().sqlite.prepare("select entry_gate as gate from tickets where status = 'used' order by id").all()

test('a ticket at the wrong gate is refused in the same words with a network and without, by code and by hand', async () => {
  const phone = await atVip()
  const [ticket] = await listed(phone, 1)
  const refused = {
    look: 'refused',
    title: 'Wrong Gate',
    detail: 'This ticket is for North or South.',
    ticketId: ticket.id,
  }
  for (const isCut of [false, true]) {
    phone.cut(isCut)
    for (const subject of [byCode(ticket), byHand(ticket)])
      expect(await scan(subject)).toMatchObject({ ...refused, by: isCut ? 'device' : 'server' })
  }
  expect(inside(phone)).toEqual([])
})

test('what a signed-in checker’s phone has refused is recorded at its gate', async () => {
  const { world } = await takePhone()
  await placeDevice('North')
  for (const text of ['nonsense', 'GR1:NONSENSE']) await scan({ type: 'code', text })
  expect(await world.sql('select gate from refusals')).toEqual([{ gate: 'North' }, { gate: 'North' }])
})

test('a whole group at the wrong gate is refused the same way', async () => {
  const phone = await atVip()
  await listed(phone, 3)
  const { body } = await phone.guest.request('GET', '/api/tickets/group-codes')
  const [group] = body.groups as { qrCode: string }[]
  for (const isCut of [false, true]) {
    phone.cut(isCut)
    const scanned = await made({ type: 'code', text: group?.qrCode ?? '' })
    const outcome = await lookAtGroup(scanned)
    if ('members' in outcome) throw new Error('Nobody may be chosen')
    expect(await finishScan(outcome, scanned)).toMatchObject({
      look: 'refused',
      title: 'Wrong Gate',
      detail: 'This ticket is for North or South.',
      name: 'Group of 3: 3 not admitted here',
    })
  }
})

const codeOfGroup = async ({ guest }: PairedPhone) => {
  const { body } = await guest.request('GET', '/api/tickets/group-codes')
  const [group] = body.groups as { qrCode: string }[]
  return made({ type: 'code', text: group?.qrCode ?? '' })
}

/** Two tickets that were bought and two that the desk gave to the same person. */
async function mixedGroup(phone: PairedPhone) {
  const given = { quantity: 2, method: 'complimentary', name: 'Garima', email: 'guest@garba.test', reason: 'Crew' }
  const key = { 'Idempotency-Key': crypto.randomUUID() }
  const { body } = await phone.admin.request('POST', '/api/admin/orders', given, key)
  // Tickets the desk gave to an email belong to the person who signs in with it.
  const { guest } = phone
  expect(await guest.request('POST', '/api/auth/google-signin', { idToken: guest.token })).toMatchObject({
    status: 200,
  })
  const own = await listed(phone, 2)
  return { own: own.map(({ id }) => id), given: (body.tickets as { id: string }[]).map(({ id }) => id) }
}

test.each([
  { net: 'with a network', isCut: false, look: 'allowed', by: 'server' },
  { net: 'without one', isCut: true, look: 'pending', by: 'device' },
])('of a group that is only partly for this gate, those go in that it takes, $net', async ({ isCut, look, by }) => {
  const phone = await atVip()
  const { own, given } = await mixedGroup(phone)
  const scanned = await codeOfGroup(phone)
  phone.cut(isCut)
  const looked = await lookAtGroup(scanned)
  if (!('members' in looked)) throw new Error('Two can go in')
  const able = looked.members.filter(({ refusal }) => refusal === null)
  expect(able.map(({ ticketId }) => ticketId).toSorted()).toEqual(given.toSorted())
  expect(looked.members.filter((member) => !able.includes(member))).toMatchObject(
    own
      .toSorted()
      .toReversed()
      .map((ticketId) => ({ ticketId, refusal: 'WRONG_GATE', gates: ['North', 'South'] })),
  )
  expect(await admitMembers(able, scanned)).toMatchObject({ look, by, name: '2 let in' })
  phone.cut(false)
  expect(await replayOutbox()).toBe('empty')
  expect(inside(phone)).toEqual([{ gate: 'VIP' }, { gate: 'VIP' }])

  // The others go in with the same code at a gate that takes them.
  await moveToGate('North')
  const rest = await lookAtGroup(await codeOfGroup(phone))
  if (!('members' in rest)) throw new Error('Two can still go in')
  expect(rest.members.map(({ refusal }) => refusal)).toEqual([null, null])
  await admitMembers(rest.members, await codeOfGroup(phone))
  expect(
    inside(phone)
      .map((row) => (row as { gate: string }).gate)
      .toSorted(),
  ).toEqual(['North', 'North', 'VIP', 'VIP'])
})

test('a group is judged by the server where the list is older than the limits of the gate', async () => {
  const phone = await atVip()
  const { given } = await mixedGroup(phone)
  const scanned = await codeOfGroup(phone)
  phone.cut(true)
  const looked = await lookAtGroup(scanned)
  if (!('members' in looked)) throw new Error('Two can go in')
  await phone.admin.request('PUT', '/api/admin/gates', {
    gates: [{ name: 'VIP', kinds: ['paper'] }, ...GATES.slice(1)],
  })
  phone.cut(false)
  const able = looked.members.filter(({ refusal }) => refusal === null)
  expect(await admitMembers(able, scanned)).toMatchObject({
    look: 'refused',
    title: '0 let in, 2 not',
    detail: 'Garima: Wrong Gate; Garima: Wrong Gate',
  })
  expect(inside(phone)).toEqual([])
  // Offline they went in before anybody could know better: that is a fact.
  phone.cut(true)
  expect(await admitMembers(able, scanned)).toMatchObject({ look: 'pending', name: '2 let in' })
  phone.cut(false)
  expect(await replayOutbox()).toBe('empty')
  expect(inside(phone)).toHaveLength(given.length)
})

test('a ticket of a type that the gate does not take is refused in the same words, alone and in a group', async () => {
  const type = (en: string) => ({ name: { en }, phases: [{ price: 300, groupPrice: 300 }] })
  const types = [type('General'), type('Gold')]
  const phone = await takePairedPhone({ gates: ['VIP', 'North'] }, {}, { types })
  const { body } = await phone.admin.request('GET', '/api/gates')
  const [general, gold] = (body.types as { id: string }[]).map(({ id }) => id)
  const gates = [
    { name: 'VIP', kinds: [], types: [gold] },
    { name: 'North', kinds: [] },
    { name: 'South', kinds: ['online'], types: [general] },
  ]
  expect(await phone.admin.request('PUT', '/api/admin/gates', { gates })).toMatchObject({ status: 200 })
  const lines = [general, gold].map((id) => ({ type: id, quantity: 1 }))
  const key = { 'Idempotency-Key': crypto.randomUUID() }
  const sold = await phone.guest.request('POST', '/api/tickets', { lines }, key)
  const [first, second] = sold.body.tickets as [Ticket, Ticket]
  const [plain, golden] = first.type?.id === general ? [first, second] : [second, first]
  await syncRoster()
  await moveToGate('VIP')
  const group = await codeOfGroup(phone)
  for (const isCut of [false, true]) {
    phone.cut(isCut)
    for (const subject of [byCode(plain), byHand(plain)])
      expect(await scan(subject)).toMatchObject({
        look: 'refused',
        title: 'Wrong Gate',
        detail: 'This ticket is for North or South.',
        by: isCut ? 'device' : 'server',
      })
    const looked = await lookAtGroup(group)
    if (!('members' in looked)) throw new Error('One can go in')
    expect(new Map(looked.members.map(({ ticketId, refusal }) => [ticketId, refusal]))).toEqual(
      new Map([
        [plain._id, 'WRONG_GATE'],
        [golden._id, null],
      ]),
    )
  }
  expect(await scan(byCode(golden))).toMatchObject({ look: 'pending' })
})

test('at its other gate the phone lets the same ticket in, and the server learns where', async () => {
  const phone = await atVip()
  const [one, two] = await listed(phone, 2)
  if (!two) throw new Error('Two tickets were bought')
  await moveToGate('North')
  expect(await scan(byCode(one))).toMatchObject({ look: 'allowed' })
  phone.cut(true)
  expect(await scan(byCode(two))).toMatchObject({ look: 'pending' })
  await expect(moveToGate('VIP')).rejects.toThrow()
  phone.cut(false)
  expect(await replayOutbox()).toBe('empty')
  expect(inside(phone)).toEqual([{ gate: 'North' }, { gate: 'North' }])
  await syncRoster()
  phone.cut(true)
  expect((await scan(byCode(one))).detail).toMatch(/through North/)
})

test('what the desk said of the phone before it was moved does not move it back', async () => {
  const phone = await atVip()
  const arrive = phone.hold(/devices\/me$/)
  const asked = refreshDevice()
  await vi.waitFor(() => expect(phone.asked()).toContain('/api/devices/me'))
  await moveToGate('North')
  arrive()
  await asked
  expect(pairingNow()?.device.gate).toBe('North')
})

test('a ticket that the list does not have yet goes in as pending at any gate, and is never refused afterwards', async () => {
  const phone = await atVip()
  const [late] = await bought(phone.guest)
  phone.cut(true)
  expect(await scan(byCode(late))).toMatchObject({ look: 'pending' })
  phone.cut(false)
  expect(await replayOutbox()).toBe('empty')
  expect(inside(phone)).toEqual([{ gate: 'VIP' }])
})
