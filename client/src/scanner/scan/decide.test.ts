import { expect, test, vi } from 'vitest'
import { bought, codeOf, mark } from '../../../../server/src/testing/scenes.ts'
import { forgetRoster, knownTicket } from '../store/rosterMemory.ts'
import { syncRoster } from '../sync/syncRoster.ts'
import { byCode, byHand, listed, made, stored, takePhone } from '../testing/phone.ts'
import { decide } from './decide.ts'

test('online the server decides, by code and by hand; deciding writes nothing', async () => {
  const phone = await takePhone()
  const [first, second] = await listed(phone, 2)
  if (!second) throw new Error('Two tickets were bought')
  expect(await decide(await made(byCode(first)))).toMatchObject({ type: 'admitted', ticket: { id: first._id } })
  expect(await decide(await made(byHand(second)))).toMatchObject({ type: 'admitted', ticket: { id: second._id } })
  expect(phone.asked().filter((path) => path.includes('/tickets/'))).toEqual([
    expect.stringMatching(/verify-qr$/),
    expect.stringMatching(/mark-used$/),
    expect.stringMatching(/mark-used$/),
  ])
  expect(await stored()).toEqual({ history: 0, outbox: 0, admitted: 0 })
})

test('a ticket used at another gate is refused with its first entry, online and offline', async () => {
  const phone = await takePhone()
  const [ticket] = await bought(phone.guest)
  const checker = await phone.world.as('qrchecker')
  await mark(checker, { qrCode: codeOf(ticket), deviceId: 'gate-b', deviceName: 'Gate B' })
  const refused = { type: 'refused', code: 'ALREADY_USED', ticketId: ticket._id }
  expect(await decide(await made(byCode(ticket)))).toMatchObject({
    ...refused,
    by: 'server',
    entry: { by: 'Chetan Checker', device: 'Gate B' },
  })
  await syncRoster()
  phone.cut(true)
  expect(await decide(await made(byCode(ticket)))).toMatchObject({
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
  expect(await decide(await made(byCode(ticket)))).toEqual({ ...pending, ticketId: ticket._id, name: 'Garima Guest' })
  expect(await decide(await made(byHand(ticket)))).toMatchObject(pending)
  expect(await decide(await made(byCode(later)))).toEqual({ ...pending, ticketId: later._id, name: null })
  expect(await decide(await made(byHand(later)))).toMatchObject({ type: 'refused', code: 'TICKET_NOT_FOUND' })
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
    const decided = async (code: string) => decide(await made({ type: 'code', text: code }))
    expect(await decided(forged)).toMatchObject({ type: 'refused', code: 'QR_FORGED', by })
    expect(await decided('https://example.org/menu')).toMatchObject({ type: 'refused', code: 'QR_MALFORMED', by })
    expect(await decided('  ')).toMatchObject({ type: 'failed', valid: false, by: 'device' })
  }
})

test('a slow server leaves the decision to the device, and its answer is still awaited', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  const release = phone.hold(/mark-used$/)
  const outcome = await decide(await made(byCode(ticket)))
  expect(outcome).toMatchObject({ type: 'pending', ticketId: ticket._id, name: 'Garima Guest' })
  release()
  if (outcome.type !== 'pending') throw new Error('The device did not decide')
  expect(await outcome.unanswered).toMatchObject({ type: 'admitted', ticket: { id: ticket._id } })
})

test('a server that verified but answers too late is not asked to mark any more', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  const release = phone.hold(/verify-qr$/)
  expect(await decide(await made(byCode(ticket)))).toMatchObject({ type: 'pending', unanswered: null })
  release()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(phone.asked().filter((path) => path.endsWith('mark-used'))).toEqual([])
})

test('a phone whose keys are gone lets in what the server verified, because it may be marked already', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  forgetRoster()
  phone.fault(/mark-used$/, 'cutAfter')
  expect(await decide(await made(byCode(ticket)))).toMatchObject({ type: 'pending', ticketId: ticket._id })
  expect(await phone.world.sql('select status from tickets')).toEqual([{ status: 'used' }])
})

test('by hand the list may say used before the answer does: by this very scan nobody is refused', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  const release = phone.hold(/mark-used$/)
  const scanned = await made(byHand(ticket))
  const deciding = decide(scanned)
  await vi.waitFor(async () => {
    await syncRoster()
    expect(knownTicket(ticket._id)).toMatchObject({ status: 'used' })
  }, 30_000)
  const outcome = await deciding
  expect(outcome).toMatchObject({ type: 'pending', ticketId: ticket._id, name: 'Garima Guest' })
  release()
  if (outcome.type !== 'pending') throw new Error('The device did not decide')
  expect(await outcome.unanswered).toMatchObject({ type: 'admitted' })

  // The next one was used before the server was asked to mark.
  phone.hold(/mark-used$/)
  expect(await decide(await made(byHand(ticket)))).toMatchObject({
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
  expect(await decide(await made(byHand(ticket)))).toMatchObject({ type: 'pending', ticketId: ticket._id })
})
