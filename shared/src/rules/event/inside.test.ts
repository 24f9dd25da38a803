import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../constants.ts'
import { assignEntries, computeInside, followPassages, getCrowdLevel, mayReturn, type TicketPassage } from './inside.ts'

const passages = (text: string): TicketPassage[] =>
  text.split(' ').map((word, n) => ({
    id: String(n),
    type: word.startsWith('in') ? 'in' : 'out',
    at: Number(word.replace(/\D/g, '')),
  }))

test.each([
  ['in1 out2', 0, 2],
  ['out2 in1', 0, 2],
  ['in1 out2 in3', 1, null],
  ['in3 out2 in1 out4', 0, 4],
  ['out1', 0, null],
  ['out1 in2', 1, null],
  ['in1 in2 out3', 1, null],
  ['in1 out2 out3', 0, 2],
  ['in1 out1 in1', 1, null],
])('%s leaves %i inside', (text, inside, leftAt) => {
  expect(followPassages(passages(text))).toMatchObject({ inside, leftAt })
  expect(followPassages(passages(text).toReversed())).toMatchObject({ inside, leftAt })
})

test('an exit counts if somebody was inside, and an entry after it is a return', () => {
  const { exits, returns } = followPassages(passages('out1 in2 out3 out4 in5 in6'))
  expect([[...exits], [...returns]]).toEqual([['2'], ['4']])
})

describe('entries of a family', () => {
  const enter = (id: string, at: number, ...tickets: string[]) => ({ id, at, tickets })
  const assign = (rows: ReturnType<typeof enter>[], exits: ReturnType<typeof enter>[] = [], until = 100) =>
    [...assignEntries(rows, { exits, mayReturnAt: (at) => at < until })].sort().map(([, ticket]) => ticket)

  test.each([
    ['the chosen ticket, then the last that is free', ['A', 'C', 'B', 'A'], [1, 2, 3, 4], []],
    ['the chosen ticket again after its holder left', ['A', 'A', 'C'], [1, 3, 4], [2]],
    ['the ticket of somebody who has left, if none is free', ['A', 'C', 'B', 'A'], [1, 2, 3, 5], [4]],
  ])('take %s', (_, tickets, entries, exits) => {
    const [rows, left] = [entries, exits].map((times, kind) =>
      times.map((at, n) => enter(`${kind}${n}`, at, 'A', 'B', 'C')),
    )
    expect(assign(rows ?? [], left)).toEqual(tickets)
  })

  test('leave a ticket to its own code, and take another once nobody may come back', () => {
    expect(assign([enter('1', 1, 'A', 'B', 'C'), enter('2', 5, 'A')])).toEqual(['C', 'A'])
    const rows = [enter('1', 1, 'A', 'B'), enter('2', 3, 'A', 'B')]
    expect([assign(rows, [enter('3', 2, 'A')]), assign(rows, [enter('3', 2, 'A')], 3)]).toEqual([
      ['A', 'A'],
      ['A', 'B'],
    ])
  })

  test('are the same in whatever order their rows arrive', () => {
    const options = fc.record({
      at: fc.integer({ min: 0, max: 6 }),
      isExit: fc.boolean(),
      tickets: fc.subarray(['A', 'B', 'C'], { minLength: 1 }),
    })
    const rows = fc.array(options, { maxLength: 8 }).map((all) => all.map((row, n) => ({ ...row, id: String(n) })))
    const both = rows.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })))
    const assignAll = (all: { id: string; at: number; isExit: boolean; tickets: string[] }[]) =>
      assign(
        all.filter(({ isExit }) => !isExit),
        all.filter(({ isExit }) => isExit),
        4,
      )
    fc.assert(
      fc.property(both, ([one, other]) => {
        expect(assignAll(other)).toEqual(assignAll(one))
      }),
    )
  })
})

test('people come back until the time that the event names', () => {
  expect(mayReturn({ reentry: 'none' }, 5)).toBe(false)
  expect(mayReturn({ reentry: 'open' }, 5)).toBe(true)
  expect([4, 5].map((at) => mayReturn({ reentry: 'open', reentryUntil: new Date(5) }, at))).toEqual([true, false])
})

describe('the interval', () => {
  const now = 100 * MINUTE_MS
  const phone = (minutes: number, more = {}) => ({
    lastSeen: now - minutes * MINUTE_MS,
    unsent: 0,
    mostIn: 8,
    mostOut: 2,
    ...more,
  })
  const inside = (phones: ReturnType<typeof phone>[], leftToCome = 1_000) =>
    computeInside(500, { phones, leftToCome, now })

  test('is one number while every phone calls and has sent everything', () => {
    expect(inside([phone(0), phone(4)])).toEqual({ low: 500, high: 500, silent: 0, silentSince: null })
  })

  test('holds what silent phones may have done in their busiest minute, and what waits', () => {
    expect(inside([phone(6), phone(10), phone(0, { unsent: 3 })])).toEqual({
      low: 500 - 3 - 16 * 2,
      high: 500 + 3 + 16 * 8,
      silent: 2,
      silentSince: now - 10 * MINUTE_MS,
    })
  })

  test('holds no more people than tickets are left, and none below zero; an unused or put away phone adds nothing', () => {
    expect(inside([phone(60)], 7)).toMatchObject({ high: 507 })
    expect(computeInside(3, { phones: [phone(6)], leftToCome: 0, now })).toMatchObject({ low: 0, high: 3 })
    expect(inside([phone(6, { mostIn: 0, mostOut: 0 }), phone(13 * 60)])).toMatchObject({
      low: 500,
      high: 500,
      silent: 0,
    })
  })
})

test('a crowd is nearly full at 90 % and full at 100 % of its capacity', () => {
  expect([89, 90, 99, 100].map((inside) => getCrowdLevel(inside, 100))).toEqual([null, 'nearly', 'nearly', 'full'])
  expect(getCrowdLevel(5_000, null)).toBe(null)
})
