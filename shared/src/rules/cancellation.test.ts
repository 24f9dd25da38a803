import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EventState } from '../contracts/names.ts'
import { checkCancellation, computeRefund } from './cancellation.ts'

interface Boundary {
  zone: string
  day: string
  /** The last and first instants with so many days left, either side of each whole day. */
  elevenEnds: string
  tenBegins: string
  tenEnds: string
  nineBegins: string
}

/** Days are 24 h back from the day's first moment, so across a clock change they do not end at local midnight. */
const BOUNDARIES: readonly Boundary[] = [
  {
    zone: 'Asia/Kolkata',
    day: '2025-09-22',
    elevenEnds: '2025-09-11T18:29:59.999Z',
    tenBegins: '2025-09-11T18:30:00.000Z',
    tenEnds: '2025-09-12T18:29:59.999Z',
    nineBegins: '2025-09-12T18:30:00.000Z',
  },
  {
    zone: 'America/New_York',
    day: '2025-03-15',
    elevenEnds: '2025-03-05T03:59:59.999Z',
    tenBegins: '2025-03-05T04:00:00.000Z',
    tenEnds: '2025-03-06T03:59:59.999Z',
    nineBegins: '2025-03-06T04:00:00.000Z',
  },
  {
    zone: 'Europe/London',
    day: '2025-11-01',
    elevenEnds: '2025-10-21T23:59:59.999Z',
    tenBegins: '2025-10-22T00:00:00.000Z',
    tenEnds: '2025-10-22T23:59:59.999Z',
    nineBegins: '2025-10-23T00:00:00.000Z',
  },
]

describe.each(BOUNDARIES)('for an event on $day in $zone', (boundary) => {
  const { zone, day, elevenEnds, tenBegins, tenEnds, nineBegins } = boundary
  const at = (now: string) =>
    checkCancellation({ status: 'active', event: { date: day }, timeZone: zone, now: new Date(now) })

  test('eleven days allow', () => {
    expect(at(elevenEnds)).toEqual({ allowed: true, daysLeft: 11, inFull: false })
  })
  test('ten days allow, to the last millisecond', () => {
    expect(at(tenBegins)).toEqual({ allowed: true, daysLeft: 10, inFull: false })
    expect(at(tenEnds)).toEqual({ allowed: true, daysLeft: 10, inFull: false })
  })
  test('nine days refuse, from the first millisecond', () => {
    expect(at(nineBegins)).toEqual({ allowed: false, why: 'CANCELLATION_CLOSED', daysLeft: 9 })
  })
})

test('a used or cancelled ticket is refused for what it is, however far the event', () => {
  for (const status of ['used', 'cancelled'] as const)
    for (const now of ['2025-08-01T00:00:00Z', '2025-09-21T00:00:00Z'])
      expect(
        checkCancellation({ status, event: { date: '2025-09-22' }, timeZone: 'Asia/Kolkata', now: new Date(now) }),
      ).toMatchObject({ allowed: false, why: 'TICKET_NOT_ACTIVE' })
})

test('after a move guests may cancel in full until the moment named, and always once the event is called off', () => {
  const now = new Date('2025-09-21T00:00:00Z')
  const freeCancelUntil = '2025-09-21T00:00:00.001Z'
  const at = (event: { state: EventState; freeCancelUntil?: string; undoUntil?: string }, when = now, used = false) =>
    checkCancellation({
      status: used ? 'used' : 'active',
      event: { date: '2025-09-22', ...event },
      timeZone: 'Asia/Kolkata',
      now: when,
    })
  const [moved, calledOff] = [{ state: 'moved', freeCancelUntil }, { state: 'calledOff' }] as const
  expect(at(moved)).toMatchObject({ allowed: true, inFull: true })
  expect(at(moved, new Date(freeCancelUntil))).toMatchObject({ allowed: false, why: 'CANCELLATION_CLOSED' })
  expect(at(calledOff)).toMatchObject({ allowed: true, inFull: true })
  expect(at(calledOff, now, true)).toMatchObject({ allowed: false, why: 'TICKET_NOT_ACTIVE' })
  for (const change of [moved, calledOff])
    expect(at({ ...change, undoUntil: freeCancelUntil })).toMatchObject({ allowed: false, why: 'CANCELLATION_WAITS' })
})

test('after the event nothing can be cancelled', () => {
  const now = new Date('2025-10-01T00:00:00Z')
  expect(checkCancellation({ status: 'active', event: { date: '2025-09-22' }, timeZone: 'Asia/Kolkata', now })).toEqual(
    {
      allowed: false,
      why: 'CANCELLATION_CLOSED',
      daysLeft: -9,
    },
  )
})

test('a refund is the price less 25 for the gateway and 15 for the platform', () => {
  expect(computeRefund(29_900)).toEqual({ gatewayPaise: 2500, platformPaise: 1500, refundPaise: 25_900 })
})

test('a refund never falls below nothing and its parts always add up to the price', () => {
  expect(computeRefund(4000)).toEqual({ gatewayPaise: 2500, platformPaise: 1500, refundPaise: 0 })
  expect(computeRefund(3000)).toEqual({ gatewayPaise: 2500, platformPaise: 500, refundPaise: 0 })
  expect(computeRefund(1000)).toEqual({ gatewayPaise: 1000, platformPaise: 0, refundPaise: 0 })
  expect(computeRefund(4099)).toEqual({ gatewayPaise: 2500, platformPaise: 1599, refundPaise: 0 })
  expect(computeRefund(4100)).toEqual({ gatewayPaise: 2500, platformPaise: 1500, refundPaise: 100 })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), (price) => {
      const { gatewayPaise, platformPaise, refundPaise } = computeRefund(price)
      expect(gatewayPaise + platformPaise + refundPaise).toBe(price)
      expect(refundPaise).toBe(price < 4100 ? 0 : price - 4000)
    }),
  )
})
