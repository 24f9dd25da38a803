import { expect, test } from 'vitest'
import { asksServer, type Connection, connectionAfter } from './connection.ts'

const SERVER: Connection = { type: 'server' }
const OFFLINE: Connection = { type: 'device', why: 'offline' }
const SLOW: Connection = { type: 'device', why: 'slow' }

test('after one late answer the next scans do not wait again', () => {
  expect(connectionAfter(SERVER, { type: 'late' })).toEqual(SLOW)
  expect(asksServer(SLOW)).toBe(false)
})

test('a half-dead network that answers probes stays slow until a call is answered in time', () => {
  expect(connectionAfter(SLOW, { type: 'reached' })).toEqual(SLOW)
  expect(connectionAfter(SLOW, { type: 'answered', ms: 20_000 })).toEqual(SLOW)
  expect(connectionAfter(SLOW, { type: 'answered', ms: 1_499 })).toEqual(SERVER)
})

test('no answer means offline, and one probe brings the server back', () => {
  expect(connectionAfter(SERVER, { type: 'noAnswer' })).toEqual(OFFLINE)
  expect(connectionAfter(OFFLINE, { type: 'reached' })).toEqual(SERVER)
})

test('an untested connection asks the server', () => {
  expect(asksServer({ type: 'unknown' })).toBe(true)
})
