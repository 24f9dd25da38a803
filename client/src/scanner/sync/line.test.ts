import { expect, test } from 'vitest'
import { asksServer, type Line, lineAfter } from './line.ts'

const SERVER: Line = { at: 'server' }
const OFFLINE: Line = { at: 'device', why: 'offline' }
const SLOW: Line = { at: 'device', why: 'slow' }

test('after one late answer the next scans do not wait again', () => {
  expect(lineAfter(SERVER, { is: 'late' })).toEqual(SLOW)
  expect(asksServer(SLOW)).toBe(false)
})

test('a half-dead network that answers probes stays slow until a call is answered in time', () => {
  expect(lineAfter(SLOW, { is: 'reached' })).toEqual(SLOW)
  expect(lineAfter(SLOW, { is: 'answered', ms: 20_000 })).toEqual(SLOW)
  expect(lineAfter(SLOW, { is: 'answered', ms: 1_499 })).toEqual(SERVER)
})

test('no answer means offline, and one probe brings the server back', () => {
  expect(lineAfter(SERVER, { is: 'noAnswer' })).toEqual(OFFLINE)
  expect(lineAfter(OFFLINE, { is: 'reached' })).toEqual(SERVER)
})

test('an untested line asks the server', () => {
  expect(asksServer({ at: 'unknown' })).toBe(true)
})
