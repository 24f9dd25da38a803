import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../constants.ts'
import { computeInside, followPassages, getCrowdLevel, mayReturn, type TicketPassage } from './inside.ts'

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
