import { expect, onTestFinished, test, vi } from 'vitest'
import { bought, codeOf, mark } from '../../../../server/src/testing/scenes.ts'
import { useEpoch } from '../../platform/http/epoch.ts'
import { findKnownTicket, forgetRoster, isListCurrent, setListStreaming } from '../store/rosterMemory.ts'
import { syncRoster } from '../sync/syncRoster.ts'
import { byCode, byHand, listed, made, outdateList, type Phone, stored, takePhone } from '../testing/phone.ts'
import { decideScan } from './decide.ts'

const scanCalls = (phone: Phone) =>
  phone.asked().flatMap((path) => (path.includes('/tickets/') ? [path.split('/').at(-1)] : []))

test('online the server decides, by code and by hand; deciding writes nothing', async () => {
  const phone = await takePhone()
  const [first, second] = await listed(phone, 2)
  if (!second) throw new Error('Two tickets were bought')
  await outdateList()
  scanCalls(phone)
  expect(await decideScan(await made(byCode(first)))).toMatchObject({ type: 'admitted', ticket: { id: first._id } })
  expect(await decideScan(await made(byHand(second)))).toMatchObject({ type: 'admitted', ticket: { id: second._id } })
  expect(scanCalls(phone)).toEqual(['verify-qr', 'mark-used', 'mark-used'])
  expect(await stored()).toEqual({ history: 0, outbox: 0, admitted: 0 })
})

test('a list just read, or kept fresh by the live stream, lets the server decide in one call', async () => {
  const phone = await takePhone()
  const [first, second, third] = await listed(phone, 3)
  if (!second || !third) throw new Error('Three tickets were bought')
  scanCalls(phone)
  expect(await decideScan(await made(byCode(first)))).toMatchObject({ type: 'admitted', ticket: { id: first._id } })
  expect(scanCalls(phone)).toEqual(['mark-used'])
  await outdateList()
  setListStreaming(true)
  expect(await decideScan(await made(byCode(second)))).toMatchObject({ type: 'admitted', ticket: { id: second._id } })
  expect(scanCalls(phone)).toEqual(['mark-used'])
  await outdateList()
  vi.spyOn(Date, 'now').mockReturnValue(-1_000)
  onTestFinished(() => void vi.restoreAllMocks())
  expect(isListCurrent()).toBe(false)
})

test('a current list that does not call the ticket active leaves both calls to the server, and one that is wrong decides nothing', async () => {
  const phone = await takePhone()
  const [used, undone] = await listed(phone, 2)
  if (!undone) throw new Error('Two tickets were bought')
  const checker = await phone.world.as('qrchecker')
  const scanId = crypto.randomUUID()
  await mark(checker, { qrCode: codeOf(undone), deviceId: 'gate-b', scanId })
  await syncRoster()
  await checker.request('POST', '/api/tickets/mark-used/undo', { scanId })
  const [unlisted] = await bought(phone.guest)
  await mark(checker, { qrCode: codeOf(used), deviceId: 'gate-b' })
  setListStreaming(true)
  onTestFinished(() => setListStreaming(false))
  scanCalls(phone)
  for (const ticket of [unlisted, undone]) {
    expect(await decideScan(await made(byCode(ticket)))).toMatchObject({ type: 'admitted' })
    expect(scanCalls(phone)).toEqual(['verify-qr', 'mark-used'])
  }
  expect(findKnownTicket(used._id)).toMatchObject({ status: 'active' })
  expect(await decideScan(await made(byCode(used)))).toMatchObject({ code: 'ALREADY_USED', by: 'server' })
  expect(scanCalls(phone)).toEqual(['mark-used'])

  // The list of a restored server may lack people who are inside until the phones have sent their scans again.
  useEpoch.setState(({ epoch }) => ({ epoch: epoch + 1 }))
  expect(isListCurrent()).toBe(false)
})

test('a ticket used at another gate is refused with its first entry, online and offline', async () => {
  const phone = await takePhone()
  const [ticket] = await bought(phone.guest)
  const checker = await phone.world.as('qrchecker')
  await mark(checker, { qrCode: codeOf(ticket), deviceId: 'gate-b', deviceName: 'Gate B' })
  const refused = { type: 'refused', code: 'ALREADY_USED', ticketId: ticket._id }
  expect(await decideScan(await made(byCode(ticket)))).toMatchObject({
    ...refused,
    by: 'server',
    entry: { by: 'Chetan Checker', device: 'Gate B' },
  })
  await syncRoster()
  phone.cut(true)
  expect(await decideScan(await made(byCode(ticket)))).toMatchObject({
    ...refused,
    by: 'device',
    entry: { at: expect.any(String) },
  })
})

test('offline the device decides: listed tickets and later sales are pending, by hand only listed ones', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  const [later] = await bought(phone.guest)
  phone.cut(true)
  const pending = { type: 'pending', unanswered: null }
  expect(await decideScan(await made(byCode(ticket)))).toEqual({
    ...pending,
    ticketId: ticket._id,
    name: 'Garima Guest',
  })
  expect(await decideScan(await made(byHand(ticket)))).toMatchObject(pending)
  expect(await decideScan(await made(byCode(later)))).toEqual({ ...pending, ticketId: later._id, name: null })
  expect(await decideScan(await made(byHand(later)))).toMatchObject({ type: 'refused', code: 'TICKET_NOT_FOUND' })
  expect(await stored()).toEqual({ history: 0, outbox: 0, admitted: 0 })
})

test('nothing forged or foreign is let in, online or offline', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  const text = codeOf(ticket)
  const forged = text.slice(0, -1) + (text.endsWith('A') ? 'B' : 'A')
  for (const cut of [false, true]) {
    phone.cut(cut)
    const by = cut ? 'device' : 'server'
    const decided = async (code: string) => decideScan(await made({ type: 'code', text: code }))
    expect(await decided(forged)).toMatchObject({ type: 'refused', code: 'QR_FORGED', by })
    expect(await decided('https://example.org/menu')).toMatchObject({ type: 'refused', code: 'QR_MALFORMED', by })
    expect(await decided('  ')).toMatchObject({ type: 'failed', valid: false, by: 'device' })
  }
})

test('a slow server leaves the decision to the device, and its answer is still awaited', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  const release = phone.hold(/mark-used$/)
  const outcome = await decideScan(await made(byCode(ticket)))
  expect(outcome).toMatchObject({ type: 'pending', ticketId: ticket._id, name: 'Garima Guest' })
  release()
  if (outcome.type !== 'pending') throw new Error('The device did not decide')
  expect(await outcome.unanswered).toMatchObject({ type: 'admitted', ticket: { id: ticket._id } })
})

test('a server that verified but answers too late is not asked to mark any more', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  await outdateList()
  const release = phone.hold(/verify-qr$/)
  expect(await decideScan(await made(byCode(ticket)))).toMatchObject({ type: 'pending', unanswered: null })
  release()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(phone.asked().filter((path) => path.endsWith('mark-used'))).toEqual([])
})

test('a phone whose keys are gone lets in what the server verified, because it may be marked already', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  forgetRoster()
  phone.fault(/mark-used$/, 'cutAfter')
  expect(await decideScan(await made(byCode(ticket)))).toMatchObject({ type: 'pending', ticketId: ticket._id })
  expect(await phone.world.sql('select status from tickets')).toEqual([{ status: 'used' }])
})

test('by hand the list may say used before the answer does: by this very scan nobody is refused', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  const release = phone.hold(/mark-used$/)
  const scanned = await made(byHand(ticket))
  const deciding = decideScan(scanned)
  await vi.waitFor(async () => {
    await syncRoster()
    expect(findKnownTicket(ticket._id)).toMatchObject({ status: 'used' })
  }, 30_000)
  const outcome = await deciding
  expect(outcome).toMatchObject({ type: 'pending', ticketId: ticket._id, name: 'Garima Guest' })
  release()
  if (outcome.type !== 'pending') throw new Error('The device did not decide')
  expect(await outcome.unanswered).toMatchObject({ type: 'admitted' })

  // The next one was used before the server was asked to mark.
  phone.hold(/mark-used$/)
  expect(await decideScan(await made(byHand(ticket)))).toMatchObject({
    type: 'refused',
    code: 'ALREADY_USED',
    by: 'device',
  })
})

test('by hand a list that has not heard of an undo is brought up to date before the server marks', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  const checker = await phone.world.as('qrchecker')
  const scanId = crypto.randomUUID()
  await mark(checker, { qrCode: codeOf(ticket), deviceId: 'gate-b', scanId })
  await syncRoster()
  await checker.request('POST', '/api/tickets/mark-used/undo', { scanId })
  phone.fault(/mark-used$/, 'cutAfter')
  expect(await decideScan(await made(byHand(ticket)))).toMatchObject({ type: 'pending', ticketId: ticket._id })
})
