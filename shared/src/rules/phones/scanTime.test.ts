import { expect, test } from 'vitest'
import { timeOfScan } from './scanTime.ts'

const HOUR = 3_600_000
const receivedAt = new Date('2025-09-22T13:00:00.000Z')
const hoursAgo = (hours: number) => new Date(receivedAt.getTime() - hours * HOUR)
const offline = { soldAt: hoursAgo(48), receivedAt, admittedOffline: true }

test('an offline scan keeps the time it claims', () => {
  expect(timeOfScan({ ...offline, claimed: hoursAgo(3) })).toEqual({
    at: hoursAgo(3),
    claimedAt: null,
    backDated: false,
  })
})

test('an online scan takes the time of the server, whatever it claims', () => {
  const online = { at: receivedAt, claimedAt: null, backDated: false }
  for (const claimed of [null, hoursAgo(3), hoursAgo(-3), hoursAgo(500_000)])
    expect(timeOfScan({ ...offline, admittedOffline: false, claimed })).toEqual(online)
  expect(timeOfScan({ ...offline, claimed: null })).toEqual(online)
})

test('nobody went in after the news of it arrived', () => {
  const claimed = hoursAgo(-1)
  expect(timeOfScan({ ...offline, claimed })).toEqual({ at: receivedAt, claimedAt: claimed, backDated: false })
})

test('nobody went in before the ticket was sold, and a scan that claims so is back-dated', () => {
  const soldAt = hoursAgo(1)
  const claimed = hoursAgo(2)
  expect(timeOfScan({ ...offline, soldAt, claimed })).toEqual({ at: soldAt, claimedAt: claimed, backDated: true })
})

test('a clock that is slow by less than two minutes does not make a ticket sold at the door back-dated', () => {
  const soldAt = hoursAgo(1)
  const claimed = new Date(soldAt.getTime() - 120_000)
  expect(timeOfScan({ ...offline, soldAt, claimed })).toEqual({ at: soldAt, claimedAt: claimed, backDated: false })
  const earlier = new Date(claimed.getTime() - 1)
  expect(timeOfScan({ ...offline, soldAt, claimed: earlier })).toMatchObject({ at: soldAt, backDated: true })
})

test('more than 12 hours before the arrival is back-dated; the 12th hour is not', () => {
  expect(timeOfScan({ ...offline, claimed: hoursAgo(12) })).toMatchObject({ at: hoursAgo(12), backDated: false })
  const claimed = new Date(hoursAgo(12).getTime() - 1)
  expect(timeOfScan({ ...offline, claimed })).toEqual({ at: claimed, claimedAt: null, backDated: true })
})

test('without a ticket to go by, no time is before 1970', () => {
  const claimed = new Date(-HOUR)
  expect(timeOfScan({ ...offline, soldAt: null, claimed })).toEqual({
    at: new Date(0),
    claimedAt: claimed,
    backDated: true,
  })
})
