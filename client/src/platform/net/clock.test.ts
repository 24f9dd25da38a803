import { expect, onTestFinished, test, vi } from 'vitest'
import { clockOffset, computeClockOffset, findBestSample, isDrifting, recordServerTime } from './clock.ts'

test('the middle of the round trip counts as the server’s time', () => {
  expect(computeClockOffset({ sentAt: 1_000, receivedAt: 1_200, serverTime: 61_100 })).toBe(60_000)
})

test('of several comparisons the quickest counts', () => {
  const slow = { sentAt: 0, receivedAt: 4_000, serverTime: 9_000 }
  const quick = { sentAt: 5_000, receivedAt: 5_040, serverTime: 10_020 }
  expect(findBestSample([slow, quick, slow])).toBe(quick)
  expect(findBestSample([])).toBeUndefined()
})

test('two minutes of drift are tolerated, more is shown', () => {
  expect(isDrifting(120_000)).toBe(false)
  expect(isDrifting(-120_001)).toBe(true)
})

test('a slow answer is no sign that the clock was set', () => {
  vi.stubGlobal('localStorage', { setItem: () => undefined })
  onTestFinished(() => void vi.unstubAllGlobals())
  recordServerTime({ sentAt: 1_000, receivedAt: 1_200, serverTime: 61_100 })
  // Its request took 20 s of the 24.
  recordServerTime({ sentAt: 2_000, receivedAt: 26_000, serverTime: 82_000 })
  expect(clockOffset()).toBe(60_000)
  recordServerTime({ sentAt: 30_000, receivedAt: 30_200, serverTime: 30_100 })
  expect(clockOffset()).toBe(0)
})

test('an answer to a call during which the clock was set, or the phone slept, says nothing about the time', () => {
  vi.stubGlobal('localStorage', { setItem: () => undefined })
  onTestFinished(() => void vi.unstubAllGlobals())
  recordServerTime({ sentAt: 1_000, receivedAt: 1_200, serverTime: 61_100 })
  recordServerTime({ sentAt: 2_000, receivedAt: 7_202_000, serverTime: 62_100 })
  recordServerTime({ sentAt: 7_203_000, receivedAt: 3_000, serverTime: 63_100 })
  expect(clockOffset()).toBe(60_000)
})
