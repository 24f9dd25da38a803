import { describe, expect, test } from 'vitest'
import { TICKET_KINDS } from '../src/contracts/names.ts'
import {
  type AdmissionFacts,
  canAdmitTicket,
  gatesFor,
  gatesOfEvent,
  judgeAdmission,
  kindOfOrder,
} from '../src/rules/admission.ts'

const NORTH = { name: 'North', kinds: ['online', 'paper'] } as const
const VIP = { name: 'VIP', kinds: ['complimentary'] } as const
const MAIN = { name: 'Main', kinds: [] } as const
const GATES = [NORTH, VIP, MAIN].map(({ name, kinds }) => ({ name, kinds: [...kinds] }))

const ticketId = '01K50000000000000000000001'
const STATUSES = ['active', 'used', 'cancelled', 'deleted'] as const

/** Every code, state, kind, authority and gate. */
const everyCase = (['genuine', 'manual'] as const).flatMap((type) =>
  ([...STATUSES, null] as const).flatMap((status) =>
    TICKET_KINDS.flatMap((kind) =>
      (['server', 'device'] as const).flatMap((authority) =>
        [true, false].flatMap((admittedOffline) =>
          GATES.map((gate) => ({
            gate,
            kind,
            facts: {
              code: { type, ticketId },
              ticket: status === null ? null : { status, entryTime: null, kind },
              authority,
              admittedOffline,
            } as AdmissionFacts,
          })),
        ),
      ),
    ),
  ),
)

describe('a gate', () => {
  test('changes the verdict on an active ticket of a kind that it does not take, and on nothing else', () => {
    for (const { gate, kind, facts } of everyCase) {
      const free = judgeAdmission(facts)
      const { ticket, authority, admittedOffline } = facts
      const refuses =
        ticket?.status === 'active' && !canAdmitTicket(gate, { kind }) && !(admittedOffline && authority === 'server')
      expect(judgeAdmission({ ...facts, at: { gate, gates: GATES } })).toEqual(
        refuses ? { admit: false, code: 'WRONG_GATE', gates: gatesFor(GATES, { kind }) } : free,
      )
    }
  })

  test('never refuses an admission that happened offline', () => {
    for (const { gate, facts } of everyCase) {
      const verdict = judgeAdmission({
        ...facts,
        authority: 'server',
        admittedOffline: true,
        at: { gate, gates: GATES },
      })
      expect(verdict.admit === false && verdict.code === 'WRONG_GATE').toBe(false)
    }
  })

  test('decides the same online and offline', () => {
    for (const { gate, facts } of everyCase.filter(({ facts }) => facts.ticket !== null)) {
      const at = { gate, gates: GATES }
      const [online, offline] = (['server', 'device'] as const).map((authority) =>
        judgeAdmission({ ...facts, authority, admittedOffline: false, at }),
      )
      expect(online?.admit).toBe(offline?.admit)
      if (!online?.admit) expect(online).toEqual(offline)
    }
  })
})

test('a ticket without a kind was sold online', () => {
  const facts = { code: { type: 'genuine', ticketId }, authority: 'device', admittedOffline: false } as const
  const ticket = { status: 'active', entryTime: null } as const
  expect(
    judgeAdmission({ ...facts, ticket, at: { gate: { ...VIP, kinds: ['complimentary'] }, gates: GATES } }),
  ).toEqual({
    admit: false,
    code: 'WRONG_GATE',
    gates: ['North', 'Main'],
  })
})

test('a gate with types takes tickets of these alone, and of no known type; types that are gone limit nobody', () => {
  const [gold, silver, gone] = ['gold', 'silver', 'gone'] as const
  const given = [
    { ...MAIN, kinds: [] },
    { ...VIP, kinds: [], types: [gold, gone] },
    { name: 'Old', kinds: [], types: [gone] },
  ]
  const event = { types: [{ id: gold }, { id: silver }] }
  const gates = gatesOfEvent(given, event)
  expect(gates).toEqual([MAIN, { ...VIP, kinds: [], types: [gold] }, { name: 'Old', kinds: [] }])
  expect(gatesFor(gates, { type: gold })).toEqual(['Main', 'VIP', 'Old'])
  expect(gatesFor(gates, { type: silver })).toEqual(['Main', 'Old'])
  expect(gatesFor(gates, {})).toEqual(['Main', 'VIP', 'Old'])
  expect(gatesOfEvent(given, null).every(({ types }) => types === undefined)).toBe(true)
})

test('the kind of an order is how it was sold, and a gift is a gift wherever it was given', () => {
  expect(kindOfOrder({ channel: 'web', provider: 'razorpay' })).toBe('online')
  expect(kindOfOrder({ channel: 'desk', provider: 'cash' })).toBe('counter')
  expect(kindOfOrder({ channel: 'door', provider: 'upi' })).toBe('counter')
  expect(kindOfOrder({ channel: 'desk', provider: 'complimentary' })).toBe('complimentary')
})
