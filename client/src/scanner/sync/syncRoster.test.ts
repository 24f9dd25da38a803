import type { RosterAnswer } from '@garba/shared/contracts/phones/scan'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test, vi } from 'vitest'
import { codeOf, mark } from '../../../../server/src/testing/scenes.ts'
import { pairingNow } from '../core/pairing.ts'
import { readOpenConflicts } from '../store/conflicts.ts'
import { readDevice } from '../store/device.ts'
import { readRoster, rosterEntries, rosterRevision } from '../store/rosterMemory.ts'
import { writeRelaxed } from '../store/scannerStore.ts'
import { fillDevice, listed, type Phone, takePairedPhone, takePhone } from '../testing/phone.ts'
import { scannerCall } from './connection.ts'
import { refreshDevice } from './pairing.ts'
import { syncRoster, takeIn } from './syncRoster.ts'

/** This device lets a ticket in, and another sends an earlier admission of it afterwards. */
async function letInTwice({ world }: Phone, ticket: Ticket) {
  const checker = await world.as('qrchecker')
  const { id } = await readDevice()
  const own = { qrCode: codeOf(ticket), deviceId: id }
  // Nobody else's scans count as a paired phone's.
  if (pairingNow()) await scannerCall('markUsed', { body: { ...own, scanId: crypto.randomUUID() } })
  else await mark(checker, own)
  const earlier = new Date(Date.now() - 60_000).toISOString()
  await mark(checker, {
    qrCode: codeOf(ticket),
    deviceId: 'gate-b',
    deviceName: 'Gate B',
    scannedAt: earlier,
    admittedOffline: true,
  })
}
const conflicting = async () => (await readOpenConflicts()).map(({ ticketId }) => ticketId)

test.each([['roster'], ['conflicts']])(
  'a conflict that comes while %s cannot be written is written with the next answer',
  async (name) => {
    const phone = await takePhone()
    const [ticket] = await listed(phone)
    const makeRoom = fillDevice([name])
    await letInTwice(phone, ticket)
    await syncRoster()
    makeRoom()
    await syncRoster()
    expect(await conflicting()).toEqual([ticket._id])
    expect((await readRoster()).entries).toMatchObject([{ id: ticket._id, status: 'used' }])
  },
)

test('the revision is not kept before its conflicts: a page that ends in between is sent them again', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  const before = (await readRoster()).meta?.revision
  fillDevice(['conflicts'])
  await letInTwice(phone, ticket)
  await syncRoster()
  expect((await readRoster()).meta?.revision).toBe(before)
})

test('answers that come at once leave no gap in the kept list when the first cannot be written', async () => {
  const phone = await takePhone()
  const [first, second] = await listed(phone, 2)
  if (!second) throw new Error('Two tickets were bought')
  const checker = await phone.world.as('qrchecker')
  const changeBy = async (ticket: Ticket) => {
    const { body } = await checker.request('GET', '/api/scanner/roster')
    await mark(checker, { qrCode: codeOf(ticket), deviceId: 'gate-b' })
    const changed = await checker.request('GET', `/api/scanner/roster?since=${body.revision}`)
    return changed.body as unknown as RosterAnswer
  }
  const changes = [await changeBy(first), await changeBy(second)]
  fillDevice(['roster'], 1)
  await Promise.all(changes.map((change) => takeIn(change, Date.now())))
  expect((await readRoster()).entries.map(({ status }) => status)).toEqual(['used', 'used'])
})

test('a list that the browser has erased under the open page is kept whole again with the next change', async () => {
  const phone = await takePhone()
  const [first] = await listed(phone)
  await writeRelaxed(['roster', 'meta'], async (tx) => {
    await tx.objectStore('roster').clear()
    await tx.objectStore('meta').clear()
  })
  const [second] = await listed(phone)
  const { entries, meta } = await readRoster()
  expect(entries.map(({ id }) => id).toSorted()).toEqual([first._id, second._id].toSorted())
  expect(meta?.revision).toBe(rosterRevision())
})

test('the list has names only while the phone has a right that needs them', async () => {
  const phone = await takePairedPhone({ rights: ['sell', 'scan'] })
  const [ticket] = await listed(phone)
  await letInTwice(phone, ticket)
  const names = async () => {
    const { entries } = await readRoster()
    expect([...rosterEntries().values()]).toEqual(entries)
    return [...entries, ...(await readOpenConflicts())].map(({ name }) => name)
  }
  for (const { rights, shown } of [
    { rights: ['sell'], shown: '' },
    { rights: ['sell', 'scan'], shown: 'Garima Guest' },
    { rights: ['sell'], shown: '' },
  ]) {
    await phone.change({ rights })
    phone.world.clock.forward(60_000)
    await refreshDevice()
    await syncRoster()
    expect(await names()).toEqual([shown, shown])
  }
})

test('a list that was asked for before the phone knew of a new right is fetched again with its names', async () => {
  const phone = await takePairedPhone({ rights: ['sell'] })
  await listed(phone)
  phone.world.clock.forward(60_000)
  phone.asked()
  const answer = phone.hold(/roster/)
  const list = syncRoster({ whole: true })
  await vi.waitFor(() => expect(phone.asked()).toContain('/api/scanner/roster'))
  await phone.change({ rights: ['sell', 'scan'] })
  await refreshDevice()
  answer()
  await list
  phone.world.clock.forward(60_000)
  await syncRoster()
  expect((await readRoster()).entries).toMatchObject([{ name: 'Garima Guest' }])
})
