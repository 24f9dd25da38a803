import { describe, expect, test } from 'vitest'
import { type AdmissionFacts, judgeAdmission, type Verdict } from './admission.ts'

const ticketId = '01K50000000000000000000001'
const ENTRY = '2025-09-22T13:05:00.000Z'

type CodeType = AdmissionFacts['code']['type'] | 'block'
type TicketWord = 'active' | 'used' | 'cancelled' | 'deleted' | 'none'
type Source = 'server' | 'server, admitted offline' | 'device'

const CODES: readonly CodeType[] = ['genuine', 'block', 'manual', 'forged', 'otherEvent', 'malformed']
const TICKETS: readonly TicketWord[] = ['active', 'used', 'cancelled', 'deleted', 'none']
const SOURCES: readonly Source[] = ['server', 'server, admitted offline', 'device']

const sure: Verdict = { admit: true, certain: true, conflict: false }
const pending: Verdict = { admit: true, certain: false, conflict: false }
const conflict: Verdict = { admit: true, certain: true, conflict: true }
const used: Verdict = { admit: false, code: 'ALREADY_USED', entryTime: ENTRY }
const cancelled: Verdict = { admit: false, code: 'TICKET_CANCELLED', entryTime: null }
const unknown: Verdict = { admit: false, code: 'TICKET_NOT_FOUND', entryTime: null }
const unsold: Verdict = { admit: false, code: 'NOT_ACTIVATED', entryTime: null }

type Row = Readonly<Record<TicketWord, Verdict>>
const ONLINE: Row = { active: sure, used, cancelled, deleted: unknown, none: unknown }
const RECORDED: Row = { active: sure, used: conflict, cancelled: conflict, deleted: conflict, none: conflict }
const LOCAL: Row = { active: pending, used, cancelled, deleted: unknown, none: pending }

/** Every code that names a ticket, before every authority: what each state of the ticket leads to. */
const TABLE: Readonly<Record<'genuine' | 'block' | 'manual', Readonly<Record<Source, Row>>>> = {
  genuine: { server: ONLINE, 'server, admitted offline': RECORDED, device: LOCAL },
  block: {
    server: { ...ONLINE, none: unsold },
    'server, admitted offline': RECORDED,
    device: { ...LOCAL, none: unsold },
  },
  manual: {
    server: ONLINE,
    'server, admitted offline': { ...RECORDED, none: unknown },
    device: { ...LOCAL, none: unknown },
  },
}
const UNPROVEN = { forged: 'QR_FORGED', otherEvent: 'QR_OTHER_EVENT', malformed: 'QR_MALFORMED' } as const

function expected(type: CodeType, source: Source, ticket: TicketWord): Verdict {
  if (type === 'genuine' || type === 'block' || type === 'manual') return TABLE[type][source][ticket]
  return { admit: false, code: UNPROVEN[type], entryTime: null }
}

function facts(type: CodeType, source: Source, ticket: TicketWord): AdmissionFacts {
  return {
    code:
      type === 'malformed'
        ? { type }
        : type === 'otherEvent'
          ? { type, ticketId, eventId: 'last year' }
          : type === 'block'
            ? { type: 'genuine', ticketId, block: true }
            : { type, ticketId },
    ticket: ticket === 'none' ? null : { status: ticket, entryTime: ticket === 'used' ? ENTRY : null },
    authority: source === 'device' ? 'device' : 'server',
    admittedOffline: source === 'server, admitted offline',
  }
}

describe.each(CODES)('a %s code', (type) => {
  const cases = SOURCES.flatMap((source) => TICKETS.map((ticket) => ({ source, ticket })))
  test.each(cases)('before the $source, ticket $ticket', ({ source, ticket }) => {
    expect(judgeAdmission(facts(type, source, ticket))).toEqual(expected(type, source, ticket))
  })
})

test('a device is not swayed by admittedOffline: over a used ticket it refuses', () => {
  for (const type of CODES)
    for (const ticket of TICKETS)
      expect(judgeAdmission({ ...facts(type, 'device', ticket), admittedOffline: true })).toEqual(
        judgeAdmission(facts(type, 'device', ticket)),
      )
})

test('a replaced code is refused with the time of the new one, and an admission with it is kept as a conflict', () => {
  const ticket = { status: 'deleted', entryTime: null, replacedAt: ENTRY } as const
  for (const source of ['server', 'device'] as const)
    expect(judgeAdmission({ ...facts('genuine', source, 'deleted'), ticket })).toEqual({
      admit: false,
      code: 'CODE_REPLACED',
      replacedAt: ENTRY,
    })
  expect(judgeAdmission({ ...facts('genuine', 'server, admitted offline', 'deleted'), ticket })).toEqual(conflict)
})

test('a used ticket whose entry time is not known is refused all the same', () => {
  expect(
    judgeAdmission({ ...facts('genuine', 'device', 'used'), ticket: { status: 'used', entryTime: null } }),
  ).toEqual({
    admit: false,
    code: 'ALREADY_USED',
    entryTime: null,
  })
})

describe('somebody who has left', () => {
  const LEFT = '2025-09-22T14:05:00.000Z'
  const ticket = { status: 'used', entryTime: ENTRY, leftAt: LEFT } as const
  const back = (source: Source, isReturnOpen: boolean) =>
    judgeAdmission({ ...facts('genuine', source, 'used'), ticket, isReturnOpen })

  test('comes back while the event allows it', () => {
    expect(back('server', true)).toEqual({ ...sure, again: true })
    expect(back('server, admitted offline', true)).toEqual({ ...sure, again: true })
    expect(back('device', true)).toEqual({ ...pending, again: true })
  })

  test('is otherwise refused with when they left; who is inside already is a conflict', () => {
    for (const source of ['server', 'device'] as const) expect(back(source, false)).toEqual({ ...used, leftAt: LEFT })
    expect(back('server, admitted offline', false)).toEqual(conflict)
  })
})

test('nobody goes into an event that is called off, but who is inside already is recorded', () => {
  const facts = { code: { type: 'genuine', ticketId }, calledOff: true } as const
  const ticket = { status: 'active', entryTime: null } as const
  const off = { admit: false, code: 'EVENT_CALLED_OFF', entryTime: null }
  for (const authority of ['server', 'device'] as const) {
    expect(judgeAdmission({ ...facts, ticket, authority, admittedOffline: false })).toEqual(off)
    expect(judgeAdmission({ ...facts, ticket: null, authority, admittedOffline: false })).toEqual(off)
  }
  expect(judgeAdmission({ ...facts, ticket, authority: 'server', admittedOffline: true })).toEqual(sure)
  const forged = { type: 'forged', ticketId } as const
  expect(judgeAdmission({ ...facts, code: forged, ticket, authority: 'device', admittedOffline: false })).toMatchObject(
    {
      code: 'QR_FORGED',
    },
  )
})
