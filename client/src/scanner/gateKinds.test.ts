import { expect, test } from 'vitest'
import { bought } from '../../../server/src/testing/scenes.ts'
import type { Subject } from './core/scan.ts'
import { decide } from './scan/decide.ts'
import { finish } from './scan/finish.ts'
import { lookAtGroup } from './scan/group.ts'
import { moveToGate } from './sync/pairing.ts'
import { replay } from './sync/replay.ts'
import { syncRoster } from './sync/syncRoster.ts'
import { byCode, byHand, listed, made, type PairedPhone, takePairedPhone } from './testing/phone.ts'

const GATES = [
  { name: 'VIP', kinds: ['complimentary'] },
  { name: 'North', kinds: [] },
  { name: 'South', kinds: ['online', 'paper'] },
]

async function scan(subject: Subject) {
  const scanned = await made(subject)
  return finish(await decide(scanned), scanned)
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
    expect(await finish(outcome, scanned)).toMatchObject({
      look: 'refused',
      title: 'Wrong Gate',
      detail: 'This ticket is for North or South.',
      name: 'Group of 3: 3 not admitted here',
    })
  }
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
  expect(await replay()).toBe('empty')
  expect(inside(phone)).toEqual([{ gate: 'North' }, { gate: 'North' }])
  await syncRoster()
  phone.cut(true)
  expect((await scan(byCode(one))).detail).toMatch(/through North/)
})

test('a ticket that the list does not have yet goes in as pending at any gate, and is never refused afterwards', async () => {
  const phone = await atVip()
  const [late] = await bought(phone.guest)
  phone.cut(true)
  expect(await scan(byCode(late))).toMatchObject({ look: 'pending' })
  phone.cut(false)
  expect(await replay()).toBe('empty')
  expect(inside(phone)).toEqual([{ gate: 'VIP' }])
})
