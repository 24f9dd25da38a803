import { randomUUID } from 'node:crypto'
import type { AuditRow } from '@garba/shared/contracts/desk'
import { expect, test } from 'vitest'
import { must } from '../../src/testing/desk.ts'
import { bought, codeOf, eventForm, mark, putOnSale } from '../../src/testing/scenes.ts'
import { makeWorld, type World } from '../../src/testing/world.ts'

/** The audit trail as the desk shows it, but oldest first. */
async function trail(world: World): Promise<[action: string, subject: string | null, detail: string][]> {
  const { body } = await (await world.as('admin')).request('GET', '/api/admin/audit?limit=100')
  return (body.rows as AuditRow[]).toReversed().map(({ action, subjectName, detail }) => [action, subjectName, detail])
}

test('an edited event shows each field under its name in the form, with old and new value', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const admin = await world.as('admin')
  await admin.request('PUT', '/api/event', eventForm({ ticketPrice: 349, venue: 'Town Hall' }))
  expect(await trail(world)).toEqual([
    [
      'event.created',
      'Garba Rass 2025',
      '2025-09-22, 18:30 to 22:30; Total tickets 500; Ticket price 299; Group price for 4+ 249',
    ],
    [
      'event.updated',
      'Garba Rass 2025',
      'Venue "Riverfront Ground, Ahmedabad" -> "Town Hall"; Ticket price 299 -> 349',
    ],
  ])
})

test('what is saved again without a change, as after a lost answer, leaves no second row', async () => {
  const world = await makeWorld()
  const event = await putOnSale(world)
  const admin = await world.as('admin')
  const gates = [{ name: 'North', kinds: ['paper'] }]
  for (let n = 0; n < 2; n += 1) {
    await must(admin.request('PUT', '/api/event', { ...event, venue: 'Town Hall' }))
    expect((await must(admin.request('PUT', '/api/admin/gates', { gates }))).gates).toEqual(gates)
  }
  const { rows } = await must(admin.request('GET', '/api/admin/audit'))
  expect((rows as AuditRow[]).map(({ action }) => action)).toEqual(['gates.saved', 'event.updated', 'event.created'])
})

test('every audit row of a ticket names the ticket, its holder and what happened', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const [admin, guest, checker] = [await world.as('admin'), await world.as('guest'), await world.as('qrchecker')]
  const [used, gone, lost] = await bought(guest, 3)
  await guest.request('PATCH', `/api/tickets/cancel/${gone?.id}`, { reason: 'A wedding' })
  await admin.request('PATCH', `/api/admin/tickets/${gone?.id}/refund`, { isRefundDone: true })
  await admin.request('DELETE', `/api/admin/tickets/${lost?.id}`)
  const scan = { qrCode: codeOf(used), scanId: randomUUID(), deviceId: 'd1' }
  await mark(checker, scan)
  await mark(checker, { ...scan, scanId: randomUUID() })
  await checker.request('POST', '/api/tickets/mark-used/undo', { scanId: scan.scanId })
  const name = (ticket = used) => `Ticket ${ticket.id.slice(-8)}, Garima Guest`
  expect((await trail(world)).slice(1)).toEqual([
    ['ticket.sold', 'Garima Guest (guest@garba.test)', expect.stringMatching(/^3 at individual price, ₹897: /)],
    ['ticket.cancelled', name(gone), 'Status Active -> Cancelled; Reason: A wedding'],
    ['ticket.refund', name(gone), 'Refund Pending -> Done'],
    ['ticket.deleted', name(lost), 'Status was Active'],
    ['ticket.admitted', name(), 'At d1'],
    ['ticket.refused', name(), 'At d1: Ticket Already Used'],
    ['ticket.admissionUndone', name(), 'Status Used -> Active'],
  ])
})

test('a person is shown with their email, can be found by it, and stays named after the account is deleted', async () => {
  const world = await makeWorld()
  const [admin, guest] = [await world.as('admin'), await world.as('guest')]
  await admin.request('PATCH', `/api/admin/users/${guest.user?.id}/role`, { role: 'qrchecker' })
  await admin.request('DELETE', `/api/admin/users/${guest.user?.id}`)
  const { body } = await admin.request('GET', '/api/admin/audit?search=guest@garba.test')
  expect(body.rows).toMatchObject([
    {
      action: 'user.deleted',
      subjectName: 'Garima Guest (guest@garba.test)',
      detail: 'Role QR Checker; tickets kept: 0',
    },
    { action: 'user.role', subjectName: 'Garima Guest (guest@garba.test)', detail: 'Role Guest -> QR Checker' },
  ])
})
