import { AUTH_ERROR_SHOWN_MS } from '@garba/shared/constants'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setFailure, useSessionStore } from './session.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())
const shown = () => useSessionStore.getState().failure?.kind

test('a failed sign-in is shown for 5 s, and a second one for another 5 s', () => {
  setFailure('popupBlocked')
  vi.advanceTimersByTime(AUTH_ERROR_SHOWN_MS - 1)
  expect(shown()).toBe('popupBlocked')
  setFailure('network')
  vi.advanceTimersByTime(AUTH_ERROR_SHOWN_MS - 1)
  expect(shown()).toBe('network')
  vi.advanceTimersByTime(1)
  expect(shown()).toBeUndefined()
})
