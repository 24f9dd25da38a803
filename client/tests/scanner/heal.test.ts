import type { GroupCode, Ticket } from '@garba/shared/contracts/ticket'
import { expect, test, vi } from 'vitest'
import { brokenRules } from '../../../server/src/testing/blocks.ts'
import { backedUp, restored } from '../../../server/src/testing/restored.ts'
import { bought, codeOf, mark, person } from '../../../server/src/testing/scenes.ts'
import { PAYING, type World } from '../../../server/src/testing/world.ts'
import { callServer } from '../../src/platform/http/call.ts'
import { epochNow, useEpoch } from '../../src/platform/http/epoch.ts'
import { endNow } from '../../src/scanner/core/pairing.ts'
import { admitMembers, lookAtGroup } from '../../src/scanner/scan/group.ts'
import { readOpenConflicts } from '../../src/scanner/store/conflicts.ts'
import { hasAllAgain, queueAgain } from '../../src/scanner/store/journal.ts'
import { readUnsent } from '../../src/scanner/store/outbox.ts'
import { readAdmitted, readHistory } from '../../src/scanner/store/record.ts'
import {
  findKnownTicket,
  forgetRoster,
  isListBehind,
  loadRoster,
  readRoster,
} from '../../src/scanner/store/rosterMemory.ts'
import { readSelling } from '../../src/scanner/store/sales.ts'
import { refreshBlocks, returnUnsoldCodes, takeCodes } from '../../src/scanner/sync/blocks.ts'
import { replayOutbox } from '../../src/scanner/sync/replay.ts'
import { sendOutbox, useReplay } from '../../src/scanner/sync/replayer.ts'
import { syncRoster } from '../../src/scanner/sync/syncRoster.ts'
import { undoOwnAdmission } from '../../src/scanner/sync/undoAdmission.ts'
import {
  byCode,
  byHand,
  listed,
  made,
  type Phone,
  signInAs,
  stored,
  takePairedPhone,
  takePhone,
} from '../../src/scanner/testing/phone.ts'
import { newest, scan } from '../../src/scanner/testing/scanning.ts'
import { here, rowOf, sale, takeSeller } from '../../src/scanner/testing/selling.ts'

async function undoNewest() {
  expect(await undoOwnAdmission(await newest())).toMatchObject({ ok: true })
}

/** The server is gone, and another has what a backup had; the phone's next call finds it. */
async function replaced(phone: Phone, world: World, file: string): Promise<World> {
  const next = await restored(world, file)
  phone.meet(next)
  await signInAs(await next.as('qrchecker'))
  return next
}

const statuses = async (world: World, tickets: readonly Ticket[]) => {
  const rows = await world.sql('select id, status from tickets')
  return tickets.map(({ _id }) => rows.find(({ id }) => id === _id)?.status ?? 'unknown')
}
const scansOn = (world: World) =>
  world.sql('select ticket_id, outcome, admitted_offline, undone_at is null as stands, checker_name from scans')

const someTickets = async (phone: Phone, count: number): Promise<Ticket[]> => [...(await listed(phone, count))]
const nth = (tickets: readonly Ticket[], index: number): Ticket => {
  const ticket = tickets[index]
  if (!ticket) throw new RangeError(`There are only ${tickets.length} tickets`)
  return ticket
}

async function sendAll() {
  await sendOutbox()
  await vi.waitFor(() => expect(useReplay.getState().status).toBe('idle'), 30_000)
}

test('a server restored from an older backup gets back every admission, and the ones taken back as such', async () => {
  const phone = await takePhone()
  const tickets = await someTickets(phone, 5)
  const [before, undone, online, offline, elsewhere] = [0, 1, 2, 3, 4].map((n) => nth(tickets, n)) as [
    Ticket,
    Ticket,
    Ticket,
    Ticket,
    Ticket,
  ]
  await scan(byCode(before))
  await scan(byCode(undone))
  const file = await backedUp(phone.world)
  await undoNewest()
  await scan(byCode(online))
  await mark(await phone.world.as('qrchecker', person('Bina')), { qrCode: codeOf(elsewhere), deviceId: 'gate-b' })
  const [lost] = await listed(phone)
  await scan(byCode(lost))
  phone.cut(true)
  expect(await scan(byHand(offline))).toMatchObject({ look: 'pending' })

  const next = await replaced(phone, phone.world, file)
  expect(await statuses(next, [...tickets, lost])).toEqual(['used', 'used', 'active', 'active', 'active', 'unknown'])
  phone.cut(false)
  await syncRoster()
  expect([epochNow() > 0, isListBehind(), findKnownTicket(online._id)?.status]).toEqual([true, true, 'used'])
  // The gate goes on by its own list: used there is used, and a sale the server lost is still good.
  expect(await scan(byCode(elsewhere))).toMatchObject({ look: 'refused', title: 'Ticket Already Used', by: 'device' })

  await sendAll()
  expect(await statuses(next, [...tickets, lost])).toEqual(['used', 'active', 'used', 'used', 'active', 'unknown'])
  expect(await scansOn(next)).toHaveLength(5)
  expect(await next.sql('select over, ticket_id from conflicts')).toEqual([{ over: 'missing', ticket_id: lost._id }])
  expect(await readOpenConflicts()).toMatchObject([{ ticketId: lost._id, over: 'missing' }])
  expect((await readHistory()).map(({ ending }) => ending)).toEqual([
    'refused',
    'admitted',
    'conflict',
    'admitted',
    'undone',
    'admitted',
  ])

  await syncRoster()
  expect([isListBehind(), findKnownTicket(elsewhere._id)?.status, findKnownTicket(undone._id)?.status]).toEqual([
    false,
    'active',
    'active',
  ])
  // The other gate comes back as well.
  const bina = await next.as('qrchecker', person('Bina'))
  const late = {
    qrCode: codeOf(elsewhere),
    deviceId: 'gate-b',
    admittedOffline: true,
    scannedAt: new Date().toISOString(),
  }
  expect((await mark(bina, late)).body).toMatchObject({ outcome: 'admitted' })
})

test('while the server is sent the scans again, a sale it lost is still let in by the list', async () => {
  const phone = await takePhone()
  const [sent] = await listed(phone)
  const file = await backedUp(phone.world)
  await scan(byCode(sent))
  const [lost] = await listed(phone)
  await replaced(phone, phone.world, file)
  await syncRoster()
  expect(isListBehind()).toBe(true)
  expect(await scan(byCode(lost))).toMatchObject({ look: 'pending' })
  expect(await scan(byCode(lost))).toMatchObject({ look: 'refused', title: 'Ticket Already Used' })
  await sendAll()
  expect(await readOpenConflicts()).toMatchObject([{ ticketId: lost._id, over: 'missing' }])
})

test('cut off, restarted and restored a second time, it still arrives once and in the names it was made in', async () => {
  const phone = await takePhone()
  const tickets = await someTickets(phone, 6)
  const file = await backedUp(phone.world)
  for (const ticket of tickets.slice(0, 4)) await scan(byCode(ticket))
  let world = await replaced(phone, phone.world, file)
  phone.cut(true)
  for (const ticket of tickets.slice(4)) await scan(byCode(ticket))
  phone.cut(false)
  await syncRoster()
  await queueAgain(epochNow())
  expect((await readUnsent()).again).toEqual({ left: 4, total: 4 })
  // The server takes the scans, but its answer is lost.
  const lose = phone.fault(/batch/, 'cutAfter')
  expect(await replayOutbox()).toBe('retry')
  lose()
  expect((await readUnsent()).again).toEqual({ left: 4, total: 4 })

  const first = epochNow()
  world.clock.forward(60_000)
  world = await replaced(phone, world, file)
  await signInAs(await world.as('qrchecker', person('Bina')))
  // The page starts anew: what it keeps is on the disk.
  useEpoch.setState({ epoch: Number(localStorage.getItem('epoch')) })
  loadRoster(await readRoster())
  await syncRoster()
  expect(epochNow()).toBeGreaterThan(first)
  await sendAll()
  expect(await hasAllAgain(epochNow())).toBe(true)
  expect(await readUnsent()).toMatchObject({ count: 0, again: null })
  expect(await statuses(world, tickets)).toEqual(Array(6).fill('used'))
  const scans = await scansOn(world)
  expect(scans).toHaveLength(6)
  for (const one of scans) expect(one).toMatchObject({ outcome: 'admitted', checker_name: 'Chetan Checker' })
  await sendAll()
  expect(await scansOn(world)).toEqual(scans)
  expect(await world.sql('select id from conflicts')).toEqual([])
  expect(await stored()).toMatchObject({ outbox: 0 })
})

test('an answer of the old server that comes after the new one was met does not count for the new one', async () => {
  const phone = await takePhone()
  const [ticket, other] = await someTickets(phone, 2)
  if (!ticket || !other) throw new Error('Two tickets were bought')
  const file = await backedUp(phone.world)
  phone.cut(true)
  await scan(byCode(ticket))
  phone.cut(false)
  const release = phone.hold(/batch/)
  const sending = replayOutbox()
  await vi.waitFor(async () => expect(await phone.world.sql('select id from scans')).toHaveLength(1), 30_000)
  const next = await replaced(phone, phone.world, file)
  await syncRoster()
  await queueAgain(epochNow())
  release()
  expect(await sending).toBe('empty')
  expect(await stored()).toMatchObject({ outbox: 0 })
  await sendAll()
  expect(await statuses(next, [ticket])).toEqual(['used'])
})

test('a scan taken back while its answer is under way is still taken back at the server', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  phone.cut(true)
  await scan(byCode(ticket))
  phone.cut(false)
  const release = phone.hold(/batch/)
  const sending = replayOutbox()
  await vi.waitFor(async () => expect(await phone.world.sql('select id from scans')).toHaveLength(1), 30_000)
  await undoNewest()
  release()
  await sending
  await sendAll()
  expect(await statuses(phone.world, [ticket])).toEqual(['active'])
  expect(await stored()).toMatchObject({ outbox: 0 })
})

test('the name of a checker whose account was lost stays with the scan', async () => {
  const phone = await takePhone()
  const [one] = await listed(phone)
  const file = await backedUp(phone.world)
  await signInAs(await phone.world.as('qrchecker', person('Nila')))
  await scan(byCode(one))
  // Later than any id that another test has made.
  phone.world.clock.forward(600_000)
  const next = await replaced(phone, phone.world, file)
  await syncRoster()
  await sendAll()
  expect(await scansOn(next)).toMatchObject([{ checker_name: 'Nila', outcome: 'admitted' }])
  expect(await next.sql('select sender_name from scans')).toEqual([{ sender_name: 'Chetan Checker' }])
})

test('a row that the new server rejects holds nothing up', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  const file = await backedUp(phone.world)
  const [lost] = await bought(phone.guest)
  await syncRoster()
  await scan(byHand(lost))
  await scan(byCode(ticket))
  await replaced(phone, phone.world, file)
  await syncRoster()
  await sendAll()
  expect(await readUnsent()).toMatchObject({ count: 1, parked: 1, again: null })
  await syncRoster()
  expect([isListBehind(), findKnownTicket(ticket._id)?.status]).toEqual([false, 'used'])
})

test.each(['scan', 'list', 'group'])(
  'a phone without a list, which another call told of the restore, lets nobody in twice: next a %s',
  async (step) => {
    const phone = await takePhone()
    const tickets = await someTickets(phone, 2)
    const [first] = tickets as [Ticket]
    const { groups } = (await phone.guest.request('GET', '/api/tickets/group-codes')).body as { groups: GroupCode[] }
    const file = await backedUp(phone.world)
    await scan(byCode(first))
    forgetRoster()
    const next = await replaced(phone, phone.world, file)
    await callServer('event')
    expect(epochNow()).toBeGreaterThan(0)
    if (step === 'list') await syncRoster()
    if (step === 'group') {
      const asked = await made({ type: 'code', text: groups[0]?.qrCode ?? '' })
      expect(await lookAtGroup(asked)).toMatchObject({
        members: expect.arrayContaining([expect.objectContaining({ ticketId: first._id, refusal: 'ALREADY_USED' })]),
      })
    }
    expect(await scan(byCode(first))).toMatchObject({ look: 'refused', by: 'device' })
    await sendAll()
    expect(await statuses(next, [first])).toEqual(['used'])
    expect(await scansOn(next)).toHaveLength(1)
  },
)

test('a sale from the phone’s own codes that the server lost is sent again, and stays one sale', async () => {
  const phone = await takeSeller()
  await takeCodes(3)
  const file = await backedUp(phone.world)
  phone.cut(true)
  const key = crypto.randomUUID()
  await here(sale({ quantity: 2, admit: true }), key)
  phone.cut(false)
  await sendAll()
  expect((await readSelling()).sales).toMatchObject([{ key, state: 'done' }])

  const next = await restored(phone.world, file, { settings: PAYING })
  phone.meet(next)
  await syncRoster()
  expect(await next.sql('select id from orders')).toEqual([])
  await sendAll()
  await sendAll()
  expect(await next.sql('select provider, quantity from orders')).toEqual([{ provider: 'cash', quantity: 2 }])
  expect(await next.sql('select status, count(*) as n from tickets group by status')).toEqual([
    { status: 'used', n: 2 },
  ])
  expect(await next.sql('select id from conflicts')).toEqual([])
  expect(await brokenRules(await next.as('admin'))).toEqual([])
  expect((await readSelling()).sales).toMatchObject([{ key, state: 'done', epoch: epochNow() }])
})

test('a phone that is revoked after a restore still brings back the scans and sales that the server lost', async () => {
  for (const seller of [false, true]) {
    const phone = seller ? await takeSeller() : await takePairedPhone()
    if (seller) await takeCodes(2)
    const ticket = seller ? null : (await listed(phone))[0]
    const file = await backedUp(phone.world)
    if (seller) {
      phone.cut(true)
      await here(sale({ quantity: 1, admit: true }))
      phone.cut(false)
      await sendAll()
    }
    if (ticket) await scan(byCode(ticket))
    expect(await stored()).toMatchObject({ outbox: 0 })

    const next = await restored(phone.world, file, { settings: PAYING })
    phone.meet(next)
    next.clock.forward(60_000)
    const [device] = await next.sql('select id from paired_devices')
    const admin = await next.as('admin')
    expect(await admin.request('PATCH', `/api/admin/devices/${device?.id}`, { revoked: true })).toMatchObject({
      status: 200,
    })
    await expect(syncRoster()).rejects.toMatchObject({ code: 'DEVICE_REVOKED' })
    await vi.waitFor(() => expect(endNow()).toBe('revoked'), 30_000)
    await sendAll()
    expect(await scansOn(next)).toMatchObject([{ outcome: 'admitted' }])
    expect(await next.sql('select quantity from orders where provider = ?', 'cash')).toHaveLength(seller ? 1 : 0)
    expect(await stored()).toMatchObject({ outbox: 0 })
  }
})

test('the first answer of a restored server does not let in a second person whom the list knows', async () => {
  const phone = await takePhone()
  const [before, other] = await someTickets(phone, 2)
  if (!before || !other) throw new Error('Two tickets were bought')
  const file = await backedUp(phone.world)
  await scan(byCode(before))
  const [lost] = await listed(phone)
  await replaced(phone, phone.world, file)
  expect(await scan(byCode(before))).toMatchObject({ look: 'refused', title: 'Ticket Already Used', by: 'device' })

  // And the first refusal of another does not turn away the holder of a sale that it lost.
  useEpoch.setState({ epoch: -1 })
  expect(await scan(byCode(lost))).toMatchObject({ look: 'pending' })
})

test('by hand and in a group a restored server lets in nobody either whom the list knows', async () => {
  const phone = await takePhone()
  const tickets = await someTickets(phone, 2)
  const before = nth(tickets, 0)
  const { body } = await phone.guest.request('GET', '/api/tickets/group-codes')
  const [group] = body.groups as GroupCode[]
  if (!group) throw new Error('Two tickets share a code')
  const member = { type: 'member', text: group.qrCode, ticketId: before._id } as const
  const file = await backedUp(phone.world)
  await scan(byCode(before))
  const next = await replaced(phone, phone.world, file)
  const refused = { look: 'refused', title: 'Ticket Already Used', by: 'device' }
  expect(await scan(byHand(before))).toMatchObject(refused)
  expect(await scan(member)).toMatchObject(refused)
  useEpoch.setState({ epoch: -1 })
  expect(
    await admitMembers(
      [{ ticketId: before._id, name: null, refusal: null, entry: null, gates: undefined }],
      await made(member),
    ),
  ).toMatchObject(refused)
  expect(await scansOn(next)).toEqual([])
})

test('the list decides about a group when its first answer is of a restored server', async () => {
  const phone = await takePhone()
  const tickets = await someTickets(phone, 2)
  const { body } = await phone.guest.request('GET', '/api/tickets/group-codes')
  const [group] = body.groups as GroupCode[]
  if (!group) throw new Error('Two tickets share a code')
  const file = await backedUp(phone.world)
  await scan(byCode(nth(tickets, 0)))
  await replaced(phone, phone.world, file)
  const looked = await lookAtGroup(await made({ type: 'code', text: group.qrCode }))
  if (!('members' in looked)) throw new Error('Nobody can be chosen')
  expect(looked.members.find(({ refusal }) => refusal !== null)).toMatchObject({ ticketId: nth(tickets, 0)._id })
})

test('a restored server does not let in again whom a phone without a list had let in', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  const file = await backedUp(phone.world)
  await scan(byCode(ticket))
  loadRoster({ entries: [], admitted: await readAdmitted(), meta: null })
  const next = await replaced(phone, phone.world, file)
  expect(await scan(byCode(ticket))).toMatchObject({ look: 'refused', by: 'device' })
  expect(await scansOn(next)).toEqual([])
})

test('codes sold before the server was restored do not go back to it as unsold', async () => {
  const phone = await takeSeller()
  await takeCodes(3)
  const file = await backedUp(phone.world)
  phone.cut(true)
  const [ticket] = rowOf(await here(sale())).tickets
  phone.cut(false)
  await sendAll()
  phone.cut(true)
  const next = await restored(phone.world, file, { settings: PAYING })
  phone.meet(next)
  phone.cut(false)
  await returnUnsoldCodes()
  await sendAll()
  await refreshBlocks()
  expect(await next.sql('select id, status from tickets')).toEqual([{ id: ticket?.id, status: 'active' }])
  expect(await next.sql('select state, count(*) as n from block_codes group by state order by state')).toEqual([
    { state: 'returned', n: 2 },
    { state: 'sold', n: 1 },
  ])
  expect(await brokenRules(await next.as('admin'))).toEqual([])
})

test('a replaced server that does not know this phone, or its longer lease, ends nothing: the gate goes on by its list', async () => {
  const phone = await takePairedPhone()
  const [first, second] = await someTickets(phone, 2)
  if (!first || !second) throw new Error('Two tickets were bought')
  useEpoch.setState({ epoch: phone.world.clock.now().getTime() + 1 })
  const { sqlite } = phone.world.sqliteStore()
  sqlite.prepare('update paired_devices set until = ?').run(phone.world.clock.now().getTime() - 1)
  await expect(syncRoster()).rejects.toMatchObject({ code: 'NETWORK' })
  expect(await scan(byCode(first))).toMatchObject({ look: 'pending' })
  sqlite.prepare('update paired_devices set public_key = null').run()
  await expect(syncRoster()).rejects.toMatchObject({ code: 'NETWORK' })
  expect(endNow()).toBeNull()
  expect(await scan(byCode(second))).toMatchObject({ look: 'pending' })
  expect(await stored()).toMatchObject({ outbox: 2 })

  // What it says of a revocation was somebody's decision.
  useEpoch.setState({ epoch: -1 })
  await expect(syncRoster()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  await vi.waitFor(() => expect(endNow()).toBe('unknown'), 30_000)
})
