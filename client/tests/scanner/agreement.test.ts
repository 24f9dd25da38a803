import { encodeQr } from '@garba/shared/rules/qr'
import { expect, test } from 'vitest'
import { AGREEMENT_MS, createAgreement } from '../../src/scanner/decode/ladder.ts'

const ticket = { text: encodeQr({ ticketId: '01JABCDEFGHJKMNPQRSTVWXYZ0', signature: new Uint8Array(64) }) }
const stranger = { text: 'https://example.com/menu' }

test('a ticket is believed at once', () => {
  expect(createAgreement().believe(ticket, { frame: 1, now: 0 })).toBe(ticket)
})

test('any other text is believed when a second picture says the same', () => {
  const agreement = createAgreement()
  expect(agreement.believe(stranger, { frame: 1, now: 0 })).toBeNull()
  expect(agreement.believe(stranger, { frame: 1, now: 5 })).toBeNull()
  expect(agreement.believe(stranger, { frame: 2, now: 40 })).toBe(stranger)
  expect(agreement.believe(stranger, { frame: 3, now: 80 })).toBeNull()
})

test('two different texts confirm nothing', () => {
  const agreement = createAgreement()
  expect(agreement.believe(stranger, { frame: 1, now: 0 })).toBeNull()
  expect(agreement.believe({ text: 'noise' }, { frame: 2, now: 40 })).toBeNull()
  expect(agreement.believe(stranger, { frame: 3, now: 80 })).toBeNull()
})

test('a reading of long ago confirms nothing', () => {
  const agreement = createAgreement()
  agreement.believe(stranger, { frame: 1, now: 0 })
  expect(agreement.believe(stranger, { frame: 9, now: AGREEMENT_MS + 1 })).toBeNull()
})

test('a ticket read in between starts the stranger over', () => {
  const agreement = createAgreement()
  agreement.believe(stranger, { frame: 1, now: 0 })
  agreement.believe(ticket, { frame: 2, now: 40 })
  expect(agreement.believe(stranger, { frame: 3, now: 80 })).toBeNull()
})
