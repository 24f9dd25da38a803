import { CODES, STATUS_OF } from '@garba/shared/contracts/codes'
import type { ScannedTicket } from '@garba/shared/contracts/phones/scan'
import { ulidOf } from '@garba/shared/testing/ids'
import { expect, test } from 'vitest'
import { ApiFailure } from '../../platform/http/failure.ts'
import { answerOfFailure, answerOfTicket } from './askServer.ts'

const ticket: ScannedTicket = {
  _id: ulidOf(1),
  id: ulidOf(1),
  ticketId: ulidOf(1),
  user: { name: 'Garima Guest' },
  eventName: 'Garba Rass 2025',
  status: 'active',
  entryTime: null,
  scannedBy: null,
  scannedAtDevice: null,
  cancelledAt: null,
}
const failure = (status: number, code: ApiFailure['code'], body: ApiFailure['body'] = {}) =>
  new ApiFailure({ status, code, message: 'Words of the server', body })
const code = { manual: false }

test('a verified ticket that was used or cancelled is refused with the server’s details', () => {
  expect(answerOfTicket(ticket)).toEqual({ type: 'active', ticket })
  const used = { ...ticket, status: 'used' as const, entryTime: '2025-09-22T13:33:00.000Z' }
  expect(answerOfTicket(used)).toEqual({ type: 'refused', code: 'ALREADY_USED', ticket: used })
  const cancelled = { ...ticket, status: 'cancelled' as const }
  expect(answerOfTicket(cancelled)).toEqual({ type: 'refused', code: 'TICKET_CANCELLED', ticket: cancelled })
})

test('a refusal carries the first entry that the server knows', async () => {
  const used = { ...ticket, status: 'used', entryTime: '2025-09-22T13:33:00.000Z' }
  expect(await answerOfFailure(failure(409, 'ALREADY_USED', { ticket: used }), code)).toMatchObject({ ticket: used })
  expect(await answerOfFailure(failure(409, 'ALREADY_USED', { ticket: 'nonsense' }), code)).toMatchObject({
    ticket: null,
  })
})

test.each([0, 408, 425, 429, 500, 502, 503, 504])('status %d decides nothing: the device does', async (status) => {
  expect(await answerOfFailure(failure(status, 'UNKNOWN'), code)).toEqual({ type: 'silent' })
})

test('a 404 that is not our word about the ticket is not our server', async () => {
  expect(await answerOfFailure(failure(404, 'UNKNOWN'), code)).toEqual({ type: 'silent' })
  expect(await answerOfFailure(failure(404, 'TICKET_NOT_FOUND'), code)).toMatchObject({
    type: 'refused',
    code: 'TICKET_NOT_FOUND',
  })
})

test('a demoted or expired checker reads so and admits nobody', async () => {
  expect(await answerOfFailure(failure(403, 'FORBIDDEN'), code)).toEqual({
    type: 'failed',
    message: 'Words of the server',
  })
  expect(await answerOfFailure(failure(401, 'UNAUTHENTICATED'), code)).toMatchObject({ type: 'failed' })
})

test('no code of the API is taken for an admission', async () => {
  for (const name of CODES) {
    const answer = await answerOfFailure(failure(STATUS_OF[name], name), code)
    expect(['refused', 'failed', 'silent']).toContain(answer.type)
  }
})
