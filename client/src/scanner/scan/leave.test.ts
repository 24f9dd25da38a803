import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { readHistory } from '../store/record.ts'
import { findKnownTicket, isTicketUnsettled } from '../store/rosterMemory.ts'
import { sendOutbox } from '../sync/replayer.ts'
import { syncRoster } from '../sync/syncRoster.ts'
import { undoOwnAdmission } from '../sync/undoAdmission.ts'
import { byCode, listed, made, type Phone, takePhone } from '../testing/phone.ts'
import { decideScan } from './decide.ts'
import { finishScan } from './finish.ts'
import { recordLeaving } from './leave.ts'

async function enter(ticket: Ticket) {
  const attempt = await made(byCode(ticket))
  return finishScan(await decideScan(attempt), attempt)
}

/** Somebody leaves without a network, and the checker takes it back. */
async function leaveAndUndo(phone: Phone, ticket: Ticket) {
  phone.cut(true)
  const exit = await recordLeaving(await made(byCode(ticket)))
  expect(exit).toMatchObject({ look: 'pending', ending: 'leaving' })
  const record = (await readHistory()).find(({ scanId }) => scanId === exit.scanId)
  if (record) expect(await undoOwnAdmission(record)).toMatchObject({ ok: true })
}

test('after an exit that was never sent is undone, the phone listens to the server about the ticket again', async () => {
  const phone = await takePhone({}, { reentry: 'open' })
  const [ticket] = await listed(phone)
  expect(await enter(ticket)).toMatchObject({ look: 'allowed' })
  await leaveAndUndo(phone, ticket)
  expect(findKnownTicket(ticket._id)).toMatchObject({ status: 'used' })
  phone.cut(false)
  await syncRoster()
  expect(isTicketUnsettled(ticket._id)).toBe(false)
  const other = await phone.world.as('qrchecker')
  const exit = { qrCode: ticket.qrCode, scanId: crypto.randomUUID() }
  expect(await other.request('POST', '/api/tickets/exit', exit)).toMatchObject({ status: 200 })
  expect(await enter(ticket)).toMatchObject({ look: 'allowed', title: 'Welcome back' })
})

test('an entry that waits to be sent admits nobody else after its exit is undone, and is settled when it is sent', async () => {
  const phone = await takePhone({}, { reentry: 'open' })
  const [ticket] = await listed(phone)
  phone.cut(true)
  expect(await enter(ticket)).toMatchObject({ look: 'pending' })
  await leaveAndUndo(phone, ticket)
  expect(await enter(ticket)).toMatchObject({ look: 'refused' })
  expect(isTicketUnsettled(ticket._id)).toBe(true)
  phone.cut(false)
  await sendOutbox()
  expect(isTicketUnsettled(ticket._id)).toBe(false)
})
