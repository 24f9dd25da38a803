import { describe, expect, test } from 'vitest'
import { ApiFailure, getErrorMessage, isNetworkFailure, networkFailure, toApiFailure } from './failure.ts'

describe('what a failed answer says', () => {
  test('500 and above never show the server its own words', () => {
    expect(toApiFailure({ status: 503, body: { code: 'UNAVAILABLE', message: 'disk full at /var' } }).message).toBe(
      'Server error. Please try again later.',
    )
  })
  test('others show the message, then the error, then the status', () => {
    expect(toApiFailure({ status: 409, body: { message: 'Only 2 tickets remain.', error: 'x' } }).message).toBe(
      'Only 2 tickets remain.',
    )
    expect(toApiFailure({ status: 400, body: { error: 'bad' } }).message).toBe('bad')
    expect(toApiFailure({ status: 418, body: '<html>' }).message).toBe('Request failed (418)')
  })
  test('code, field errors and whole body are kept', () => {
    const errors = [{ field: 'name', message: 'Event name is required' }]
    const body = { success: false, code: 'SOLD_OUT', message: 'Sold Out!', remaining: 0, errors }
    const failure = toApiFailure({ status: 409, body })
    expect(failure).toMatchObject({ status: 409, code: 'SOLD_OUT', errors, body })
    expect(toApiFailure({ status: 404, body: null })).toMatchObject({ code: 'UNKNOWN', errors: [] })
  })
})

test('no answer is a network failure; any other error is unexpected', () => {
  expect(getErrorMessage(networkFailure())).toBe('Network error. Please check your connection and try again.')
  expect(isNetworkFailure(networkFailure())).toBe(true)
  expect(isNetworkFailure(new ApiFailure({ status: 404, code: 'NOT_FOUND', message: '' }))).toBe(false)
  expect(getErrorMessage(new TypeError('x is not a function'))).toBe('An unexpected error occurred.')
})
