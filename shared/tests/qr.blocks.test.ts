import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { PublicKey } from '../src/contracts/phones/scan.ts'
import { judgeAdmission } from '../src/rules/admission.ts'
import { decodeQr, importPrivateKey, makeKeyPair, QR_LENGTH, readQr, signQr } from '../src/rules/qr.ts'
import { ulidOf } from '../src/testing/ids.ts'

const EVENT = ulidOf(500)
const OTHER_EVENT = ulidOf(501)
const TICKET = ulidOf(1)

let key: PublicKey
let privateKey: CryptoKey
const sign = (ticketId: string, { eventId = EVENT, block = true } = {}) =>
  signQr({ ticketId, eventId, privateKey, ...(block ? { block: true } : {}) })
const read = (text: string, keys: readonly PublicKey[] = [key]) => readQr({ text, keys, eventId: EVENT })

beforeAll(async () => {
  const { publicJwk, privateJwk } = await makeKeyPair()
  key = { kid: 'ours', eventId: EVENT, jwk: publicJwk }
  privateKey = await importPrivateKey(privateJwk)
})

test("a block's code is as small as a ticket's own and reads as genuine, marked as from a block", async () => {
  const text = await sign(TICKET)
  expect(text).toMatch(/^GB1:/)
  expect(text).toHaveLength(QR_LENGTH)
  expect(await read(text)).toEqual({ type: 'genuine', ticketId: TICKET, block: true })
  expect(decodeQr(text)).toMatchObject({ ticketId: TICKET, block: true })
  expect(decodeQr(await sign(TICKET, { block: false }))).not.toHaveProperty('block')
})

test('another prefix makes neither kind of code the other: both are forged then', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 9_999 }), fc.boolean(), async (n, block) => {
      const text = await sign(ulidOf(n), { block })
      const turned = (block ? 'GR1:' : 'GB1:') + text.slice(4)
      expect(await read(turned)).toEqual({ type: 'forged', ticketId: ulidOf(n) })
    }),
    { numRuns: 50 },
  )
})

test("another event's block is recognised as that, and no key proves it otherwise", async () => {
  const text = await sign(TICKET, { eventId: OTHER_EVENT })
  const theirs = { ...key, eventId: OTHER_EVENT }
  expect(await read(text, [key, theirs])).toEqual({ type: 'otherEvent', ticketId: TICKET, eventId: OTHER_EVENT })
  expect(await read(text)).toEqual({ type: 'forged', ticketId: TICKET })
})

const tickets = fc.option(
  fc.record({
    status: fc.constantFrom('active' as const, 'used' as const, 'cancelled' as const, 'deleted' as const),
    entryTime: fc.constant(null),
  }),
)
const authorities = fc.constantFrom('server' as const, 'device' as const)

test('until it is listed a code of a block admits nobody, but what a device let in offline is kept as a conflict; then it is judged like any ticket', () => {
  fc.assert(
    fc.property(tickets, authorities, fc.boolean(), (ticket, authority, admittedOffline) => {
      const given = { ticket, authority, admittedOffline }
      const verdict = judgeAdmission({ ...given, code: { type: 'genuine', ticketId: TICKET, block: true } })
      if (ticket) expect(verdict).toEqual(judgeAdmission({ ...given, code: { type: 'genuine', ticketId: TICKET } }))
      else if (authority === 'server' && admittedOffline)
        expect(verdict).toEqual({ admit: true, certain: true, conflict: true })
      else expect(verdict).toEqual({ admit: false, code: 'NOT_ACTIVATED', entryTime: null })
    }),
  )
})
